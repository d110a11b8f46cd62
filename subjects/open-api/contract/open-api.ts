/**
 * The open interface: the calls that a seller's own program may make with a key (subjects/open-api/contract/open-keys.ts). It acts as that seller,
 * within the scopes of the key. Each call is the same as one of the centre under a separate address, without what only a person may
 * do: no call here moves money, opens a sealed form, or declares that a password was changed.
 */
import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { getGoodsUpperConf, selfGoods, selfPublishGoodsList } from '#subjects/goods/contract/goods.ts';
import { goodsBody } from '#subjects/goods/contract/goods-body.ts';
import { listingChange, listingChanged } from '#subjects/goods/contract/goods-bulk.ts';
import { API_SCOPES } from '../rules/api-keys.ts';
import { int, json, listTail, money, optionalInt, paging, sn, time } from '#contract/wire.ts';

const EACH = 100;

export const openSelf = endpoint({
  method: 'GET',
  path: '/api/open/self',
  auth: 'key',
  scope: null,
  summary: '密钥自检',
  about: '不需要任何权限。用来核对签名是否正确、密钥有哪些权限、何时到期，以及本地时钟与服务器相差多少。',
  input: z.object({}),
  data: z.object({
    sellerId: z.string(),
    scopes: z.array(z.enum(API_SCOPES)),
    expireTime: time,
    serverTime: time,
    maxDropPercent: z.number().int(),
  }),
  limit: 'keyRead',
});

export const openGoodsList = endpoint({
  method: 'GET',
  path: '/api/open/goods/list',
  auth: 'key',
  scope: 'goods.read',
  summary: '我的商品列表',
  about:
    '按发布时间从新到旧。status：1 审核中、2 出售中、3 已下架、4 交易中、5 已售出、6 未通过、7 已隐藏；不传为全部。' +
    '下一页把返回的 next 作为 cursor 传回；next 为 null 表示没有更多。',
  input: selfPublishGoodsList.input,
  data: selfPublishGoodsList.data,
  limit: 'keyRead',
});

export const openGoods = endpoint({
  method: 'GET',
  path: '/api/open/goods/detail',
  auth: 'key',
  scope: 'goods.read',
  summary: '我的一件商品',
  about: '返回修改商品时需要的全部字段，任何状态都可以读取。账号标识不会返回，只说明是否已登记（hasAccount）。',
  input: selfGoods.input,
  data: selfGoods.data,
  limit: 'keyRead',
});

export const openGoodsForm = endpoint({
  method: 'GET',
  path: '/api/open/goods/form',
  auth: 'key',
  scope: 'goods.read',
  summary: '发布表单',
  about:
    '某个游戏、某个商品类型要填写哪些属性、选项的取值和价格上下限。inputs 是属性之外要提交的内容，fields 是 details 里的属性。游戏编号见 GET /api/comm/gameList，大区和服务器见 GET /api/comm/crossList。',
  input: getGoodsUpperConf.input,
  data: getGoodsUpperConf.data,
  limit: 'keyRead',
});

export const openPublish = endpoint({
  method: 'POST',
  path: '/api/open/goods/publish',
  auth: 'key',
  scope: 'goods.write',
  summary: '发布商品',
  about:
    '提交后等待审核，结果由 webhook goods.approved 或 goods.rejected 通知。请带 Idempotency-Key，超时后用同一编号重试不会重复发布。',
  input: z.object({
    gameId: int({ max: 1_000_000, label: '游戏' }),
    goodsTypeId: int({ max: 99, label: '商品类型' }),
    ...goodsBody,
  }),
  data: z.object({ goodsSn: z.string(), status: z.number().int() }),
  idempotent: true,
  limit: 'keyWrite',
});

export const openEdit = endpoint({
  method: 'POST',
  path: '/api/open/goods/edit',
  auth: 'key',
  scope: 'goods.write',
  summary: '修改商品',
  about:
    '整件覆盖：先读取 detail，改好后全部提交。标题、描述、图片、属性、区服有变化时回到审核；只改价格、库存请用 update。',
  input: z.object({ goodsSn: sn, ...goodsBody }),
  data: z.object({ goodsSn: z.string(), status: z.number().int() }),
  limit: 'keyWrite',
});

export const openUpdate = endpoint({
  method: 'POST',
  path: '/api/open/goods/update',
  auth: 'key',
  scope: 'stock.write',
  summary: '改价、改库存、上下架',
  about:
    '不需要审核，立即生效。price、stock、act 至少传一项，没传的不变；act 为 push 上架、pull 下架。' +
    '降价不能超过密钥允许的幅度（以最近 24 小时的最高价计），超过返回 1188。',
  input: listingChange,
  data: z.object({ goodsSn: z.string(), price: money, stock: z.number().int(), status: z.number().int() }),
  idempotent: true,
  limit: 'keyWrite',
});

export const openUpdateMany = endpoint({
  method: 'POST',
  path: '/api/open/goods/updateMany',
  auth: 'key',
  scope: 'stock.write',
  summary: '批量改价、改库存、上下架',
  about: `一次最多 ${EACH} 件，每件各自成功或失败，一件失败不影响其他；逐件看 ok 和 msg，失败的改好后只重发失败的。`,
  input: z.object({
    list: json(z.array(listingChange).min(1, '没有要修改的商品').max(EACH, `一次最多 ${EACH} 件`), '商品'),
  }),
  data: z.object({ done: z.number().int(), list: z.array(listingChanged) }),
  idempotent: true,
  limit: 'keyWrite',
});

export const openSoldElsewhere = endpoint({
  method: 'POST',
  path: '/api/open/goods/soldElsewhere',
  auth: 'key',
  scope: 'stock.write',
  summary: '已在别处售出',
  about:
    '立即下架，列表和搜索里随即消失。若已有买家下单则返回 2014，msg 说明该怎么做；先下单的买家优先。重复调用结果相同。',
  input: z.object({ goodsSn: sn }),
  data: z.object({ goodsSn: z.string(), status: z.number().int() }),
  limit: 'keyWrite',
});

const openOrder = z.object({
  orderSn: z.string(),
  goodsSn: z.string().nullable(),
  bigTitle: z.string(),
  goodsNum: z.number().int(),
  /** The price of one piece. */
  unitPrice: money,
  /** The price of all pieces, before the seller's commission. */
  goodsPrice: money,
  /** The seller's commission. */
  commission: money,
  /** The seller's proceeds on completion. */
  netPrice: money,
  status: z.number().int(),
  statusName: z.string(),
  /** A dispute is open. */
  disputed: z.boolean(),
  createTime: time,
  payTime: time.nullable(),
  shipByTime: time.nullable(),
  shipTime: time.nullable(),
  completeTime: time.nullable(),
});

export const openOrderList = endpoint({
  method: 'GET',
  path: '/api/open/orders/list',
  auth: 'key',
  scope: 'orders.read',
  summary: '我卖出的',
  about:
    '按下单时间从新到旧，不含买家资料、聊天和账号密码。status：0 待付款、1 待发货、2 待收货、3 已完成、6 至 9 已取消；不传为全部。' +
    '发货、退款等操作只能由本人在订单页完成。',
  input: z.object({
    ...paging,
    status: optionalInt({ max: 9, label: '状态' }),
    goodsSn: sn.optional(),
  }),
  data: z.object({ list: z.array(openOrder), ...listTail }),
  limit: 'keyRead',
});

export const openOrderDetail = endpoint({
  method: 'GET',
  path: '/api/open/orders/detail',
  auth: 'key',
  scope: 'orders.read',
  summary: '我卖出的一笔订单',
  input: z.object({ orderSn: sn }),
  data: openOrder.extend({
    steps: z.array(z.object({ stepTime: time, status: z.number().int(), text: z.string() })),
  }),
  limit: 'keyRead',
});
