// Made of the contract by scripts/client-gen.ts; edited there.

export type OpenGoodsData = {
  goodsSn: string;
  gameId: number;
  goodsTypeId: number;
  bigTitle: string;
  description: string;
  /** 元 */
  price: string;
  stock: number;
  areaId: number | null;
  serverId: number | null;
  details: Record<string, unknown>;
  pictures: OpenGoodsPictureItem[];
  bargainOpen: boolean;
  ensureOpen: boolean;
  hasAccount: boolean;
  status: number;
  reviewNote: string | null;
};

export type OpenGoodsPictureItem = {
  key: string;
  url: string;
};

export type OpenEditInput = {
  goodsSn: string;
  bigTitle: string;
  description?: string | undefined;
  /** 元，最多两位小数 */
  price: string;
  stock?: number | undefined;
  areaId?: number | undefined;
  serverId?: number | undefined;
  details?: Record<string, unknown> | undefined;
  pictures?: string[] | undefined;
  accountNo?: string | undefined;
  /** 1、0、true 或 false */
  bargainOpen?: boolean | undefined;
  /** 1、0、true 或 false */
  ensureOpen?: boolean | undefined;
};

export type OpenEditData = {
  goodsSn: string;
  status: number;
};

export type OpenGoodsFormData = {
  gameId: number;
  gameName: string;
  goodsTypeId: number;
  version: number;
  fields: OpenGoodsFormFieldItem[];
  maxPictures: number;
  /** 元 */
  minPrice: string;
  /** 元 */
  maxPrice: string;
  band: OpenGoodsFormBand | null;
  newSellerText: string | null;
};

export type OpenGoodsFormFieldItem = {
  key: string;
  label: string;
  kind: 'single' | 'multi' | 'range' | 'bool' | 'item_count' | 'text';
  options?: OpenGoodsFormFieldItemOptionItem[] | undefined;
  unit?: string | undefined;
  min?: number | undefined;
  max?: number | undefined;
  required: boolean;
  inCard: boolean;
  filterable: boolean;
  multiModes?: boolean | undefined;
  numericSlot?: number | undefined;
  goodsTypes: number[];
  help?: string | undefined;
  retired?: boolean | undefined;
  sort: number;
};

export type OpenGoodsFormFieldItemOptionItem = {
  v: string | number;
  label: string;
  retired?: boolean | undefined;
};

export type OpenGoodsFormBand = {
  /** 元 */
  low: string;
  /** 元 */
  typical: string;
  /** 元 */
  high: string;
  samples: number;
  segment: string | null;
};

export type OpenGoodsListData = {
  list: OpenGoodsListItem[];
  counts: Record<string, number>;
  total: number;
  more?: boolean | undefined;
  next: string | null;
};

export type OpenGoodsListItem = {
  goodsSn: string;
  bigTitle: string;
  gameId: number;
  gameName: string;
  goodsTypeId: number;
  thumbnail: string;
  /** 元 */
  price: string;
  /** 元 */
  net: string;
  stock: number;
  status: number;
  statusName: string;
  goodsTypeStr: string;
  areaText: string;
  bargainOpen: boolean;
  pageUrl: string;
  reviewNote: string | null;
  views: number;
  follows: number;
  createTime: string;
  refreshTime: string;
};

export type OpenPublishInput = {
  gameId: number;
  goodsTypeId: number;
  bigTitle: string;
  description?: string | undefined;
  /** 元，最多两位小数 */
  price: string;
  stock?: number | undefined;
  areaId?: number | undefined;
  serverId?: number | undefined;
  details?: Record<string, unknown> | undefined;
  pictures?: string[] | undefined;
  accountNo?: string | undefined;
  /** 1、0、true 或 false */
  bargainOpen?: boolean | undefined;
  /** 1、0、true 或 false */
  ensureOpen?: boolean | undefined;
};

export type OpenSoldElsewhereInput = {
  goodsSn: string;
};

export type OpenUpdateInput = {
  goodsSn: string;
  /** 元，最多两位小数 */
  price?: string | undefined;
  stock?: number | undefined;
  act?: 'push' | 'pull' | undefined;
};

export type OpenUpdateData = {
  goodsSn: string;
  /** 元 */
  price: string;
  stock: number;
  status: number;
};

export type OpenUpdateManyInput = {
  list: OpenUpdateManyItem[];
};

export type OpenUpdateManyItem = {
  goodsSn: string;
  /** 元，最多两位小数 */
  price?: string | undefined;
  stock?: number | undefined;
  act?: 'push' | 'pull' | undefined;
};

export type OpenUpdateManyData = {
  done: number;
  list: OpenUpdateManyItem2[];
};

export type OpenUpdateManyItem2 = {
  goodsSn: string;
  ok: boolean;
  code: number;
  msg: string;
  field: string;
  price: string | null;
  stock: number | null;
  status: number | null;
};

export type OpenOrderDetailData = {
  orderSn: string;
  goodsSn: string | null;
  bigTitle: string;
  goodsNum: number;
  /** 元 */
  unitPrice: string;
  /** 元 */
  goodsPrice: string;
  /** 元 */
  commission: string;
  /** 元 */
  netPrice: string;
  status: number;
  statusName: string;
  disputed: boolean;
  createTime: string;
  payTime: string | null;
  shipByTime: string | null;
  shipTime: string | null;
  completeTime: string | null;
  steps: OpenOrderDetailStepItem[];
};

export type OpenOrderDetailStepItem = {
  stepTime: string;
  status: number;
  text: string;
};

export type OpenOrderListData = {
  list: OpenOrderListItem[];
  total: number;
  more?: boolean | undefined;
  next: string | null;
};

export type OpenOrderListItem = {
  orderSn: string;
  goodsSn: string | null;
  bigTitle: string;
  goodsNum: number;
  /** 元 */
  unitPrice: string;
  /** 元 */
  goodsPrice: string;
  /** 元 */
  commission: string;
  /** 元 */
  netPrice: string;
  status: number;
  statusName: string;
  disputed: boolean;
  createTime: string;
  payTime: string | null;
  shipByTime: string | null;
  shipTime: string | null;
  completeTime: string | null;
};

export type OpenSelfData = {
  sellerId: string;
  scopes: ('goods.read' | 'goods.write' | 'stock.write' | 'orders.read')[];
  expireTime: string;
  serverTime: string;
  maxDropPercent: number;
};

export interface Calls {
  goods: {
    input: {
      goodsSn: string;
    };
    data: OpenGoodsData;
  };
  edit: { input: OpenEditInput; data: OpenEditData };
  goodsForm: {
    input: {
      gameId: number;
      goodsTypeId: number;
      details?: Record<string, unknown> | undefined;
    };
    data: OpenGoodsFormData;
  };
  goodsList: {
    input: {
      pages?: number | undefined;
      pageSize?: number | undefined;
      cursor?: string | undefined;
      status?: number | undefined;
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
      orderSn: string;
    };
    data: OpenOrderDetailData;
  };
  orderList: {
    input: {
      pages?: number | undefined;
      pageSize?: number | undefined;
      cursor?: string | undefined;
      status?: number | undefined;
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
  /** 发布表单。某个游戏、某个商品类型要填写哪些属性、选项的取值和价格上下限。游戏、大区和服务器的编号见 GET /api/dist/gameList。 */
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
