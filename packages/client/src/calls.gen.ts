// Generated from the contract by scripts/generate/client-gen.ts; do not edit.

import type {
  OpenGoodsData,
  OpenEditInput,
  OpenEditData,
  OpenGoodsFormData,
  OpenGoodsListData,
  OpenPublishInput,
  OpenSoldElsewhereInput,
  OpenUpdateInput,
  OpenUpdateData,
  OpenUpdateManyInput,
  OpenUpdateManyData,
  OpenOrderDetailData,
  OpenOrderListData,
  OpenSelfData,
} from './types.gen.ts';

export interface Calls {
  goods: {
    input: {
      /** 商品编号 */
      goodsSn: string;
    };
    data: OpenGoodsData;
  };
  edit: { input: OpenEditInput; data: OpenEditData };
  goodsForm: {
    input: {
      /** 游戏编号，见 GET /api/comm/gameList */
      gameId: number;
      /** 商品类型。类型：1 账号、2 游戏币、8 首充号、22 元宝、27 道具、50 寄售账号、51 中介担保、52 回收、53 极速金币、60 代练、61 陪玩 */
      goodsTypeId: number;
      /** 大区编号，GET /api/comm/crossList 的 specialId */
      areaId?: number | undefined;
      /** 商品属性 */
      details?: Record<string, unknown> | undefined;
    };
    data: OpenGoodsFormData;
  };
  goodsList: {
    input: {
      /** 页码，从 1 起，最多 1000；更后面的页请用 cursor */
      pages?: number | undefined;
      /** 每页数量，最多 50 */
      pageSize?: number | undefined;
      /** 上一页返回的 next，原样传回；不传为第一页 */
      cursor?: string | undefined;
      /** 状态。商品状态：0 草稿、1 审核中、2 出售中、3 已下架、4 交易中、5 已售出、6 未通过、7 已隐藏、8 已删除 */
      status?: number | undefined;
      /** 关键词 */
      keyWord?: string | undefined;
    };
    data: OpenGoodsListData;
  };
  publish: { input: OpenPublishInput; data: OpenEditData };
  soldElsewhere: { input: OpenSoldElsewhereInput; data: OpenEditData };
  update: { input: OpenUpdateInput; data: OpenUpdateData };
  updateMany: { input: OpenUpdateManyInput; data: OpenUpdateManyData };
  orderDetail: {
    input: {
      /** 订单编号（数字文本） */
      orderSn: string;
    };
    data: OpenOrderDetailData;
  };
  orderList: {
    input: {
      /** 页码，从 1 起，最多 1000；更后面的页请用 cursor */
      pages?: number | undefined;
      /** 每页数量，最多 50 */
      pageSize?: number | undefined;
      /** 上一页返回的 next，原样传回；不传为第一页 */
      cursor?: string | undefined;
      /** 状态。订单状态：0 待付款、1 待发货、2 待收货、3 交易成功、6 超时未付款而关闭、7 买家取消、8 卖家取消、9 平台关闭（代练和陪玩的 2 是待验收） */
      status?: number | undefined;
      /** 商品编号 */
      goodsSn?: string | undefined;
    };
    data: OpenOrderListData;
  };
  self: { input: Record<string, unknown>; data: OpenSelfData };
}

export type CallName = keyof Calls;

export const CALLS: {
  readonly [N in CallName]: { readonly method: 'GET' | 'POST'; readonly path: string; readonly idempotent: boolean };
} = {
  goods: { method: 'GET', path: '/api/open/goods/detail', idempotent: false },
  edit: { method: 'POST', path: '/api/open/goods/edit', idempotent: false },
  goodsForm: { method: 'GET', path: '/api/open/goods/form', idempotent: false },
  goodsList: { method: 'GET', path: '/api/open/goods/list', idempotent: false },
  publish: { method: 'POST', path: '/api/open/goods/publish', idempotent: true },
  soldElsewhere: { method: 'POST', path: '/api/open/goods/soldElsewhere', idempotent: false },
  update: { method: 'POST', path: '/api/open/goods/update', idempotent: true },
  updateMany: { method: 'POST', path: '/api/open/goods/updateMany', idempotent: true },
  orderDetail: { method: 'GET', path: '/api/open/orders/detail', idempotent: false },
  orderList: { method: 'GET', path: '/api/open/orders/list', idempotent: false },
  self: { method: 'GET', path: '/api/open/self', idempotent: false },
};

type Given = { idempotencyKey?: string };
type Send = <N extends CallName>(name: N, input: Calls[N]['input'], given?: Given) => Promise<Calls[N]['data']>;

export interface Methods {
  /** 我的一件商品。返回修改商品时需要的全部字段，任何状态都可以读取。账号标识不会返回，只说明是否已登记（hasAccount）。 */
  goods(input: Calls['goods']['input'], given?: Given): Promise<Calls['goods']['data']>;
  /** 修改商品。整件覆盖：先读取 detail，改好后全部提交。标题、描述、图片、属性、区服有变化时回到审核；只改价格、库存请用 update。 */
  edit(input: Calls['edit']['input'], given?: Given): Promise<Calls['edit']['data']>;
  /** 发布表单。某个游戏、某个商品类型要填写哪些属性、选项的取值和价格上下限。inputs 是属性之外要提交的内容，fields 是 details 里的属性。游戏编号见 GET /api/comm/gameList，大区和服务器见 GET /api/comm/crossList。 */
  goodsForm(input: Calls['goodsForm']['input'], given?: Given): Promise<Calls['goodsForm']['data']>;
  /** 我的商品列表。按发布时间从新到旧。status：1 审核中、2 出售中、3 已下架、4 交易中、5 已售出、6 未通过、7 已隐藏；不传为全部。下一页把返回的 next 作为 cursor 传回；next 为 null 表示没有更多。 */
  goodsList(input?: Calls['goodsList']['input'], given?: Given): Promise<Calls['goodsList']['data']>;
  /** 发布商品。提交后等待审核，结果由 webhook goods.approved 或 goods.rejected 通知。请带 Idempotency-Key，超时后用同一编号重试不会重复发布。 */
  publish(input: Calls['publish']['input'], given?: Given): Promise<Calls['publish']['data']>;
  /** 已在别处售出。立即下架，列表和搜索里随即消失。若已有买家下单则返回 2014，msg 说明该怎么做；先下单的买家优先。重复调用结果相同。 */
  soldElsewhere(input: Calls['soldElsewhere']['input'], given?: Given): Promise<Calls['soldElsewhere']['data']>;
  /** 改价、改库存、上下架。不需要审核，立即生效。price、stock、act 至少传一项，没传的不变；act 为 push 上架、pull 下架。降价不能超过密钥允许的幅度（以最近 24 小时的最高价计），超过返回 1188。 */
  update(input: Calls['update']['input'], given?: Given): Promise<Calls['update']['data']>;
  /** 批量改价、改库存、上下架。一次最多 100 件，每件各自成功或失败，一件失败不影响其他；逐件看 ok 和 msg，失败的改好后只重发失败的。 */
  updateMany(input: Calls['updateMany']['input'], given?: Given): Promise<Calls['updateMany']['data']>;
  /** 我卖出的一笔订单。 */
  orderDetail(input: Calls['orderDetail']['input'], given?: Given): Promise<Calls['orderDetail']['data']>;
  /** 我卖出的。按下单时间从新到旧，不含买家资料、聊天和账号密码。status：0 待付款、1 待发货、2 待收货、3 已完成、6 至 9 已取消；不传为全部。发货、退款等操作只能由本人在订单页完成。 */
  orderList(input?: Calls['orderList']['input'], given?: Given): Promise<Calls['orderList']['data']>;
  /** 密钥自检。不需要任何权限。用来核对签名是否正确、密钥有哪些权限、何时到期，以及本地时钟与服务器相差多少。 */
  self(input?: Calls['self']['input'], given?: Given): Promise<Calls['self']['data']>;
}

export const methods = (send: Send): Methods => ({
  goods: (input, given) => send('goods', input ?? {}, given),
  edit: (input, given) => send('edit', input ?? {}, given),
  goodsForm: (input, given) => send('goodsForm', input ?? {}, given),
  goodsList: (input, given) => send('goodsList', input ?? {}, given),
  publish: (input, given) => send('publish', input ?? {}, given),
  soldElsewhere: (input, given) => send('soldElsewhere', input ?? {}, given),
  update: (input, given) => send('update', input ?? {}, given),
  updateMany: (input, given) => send('updateMany', input ?? {}, given),
  orderDetail: (input, given) => send('orderDetail', input ?? {}, given),
  orderList: (input, given) => send('orderList', input ?? {}, given),
  self: (input, given) => send('self', input ?? {}, given),
});
