// Generated from the contract by scripts/generate/client-gen.ts; do not edit.

export type OpenGoodsData = {
  goodsSn: string;
  gameId: number;
  /** 类型：1 账号、2 游戏币、8 首充号、22 元宝、27 道具、50 寄售账号、51 中介担保、52 回收、53 极速金币、60 代练、61 陪玩 */
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
  /** 商品状态：0 草稿、1 审核中、2 出售中、3 已下架、4 交易中、5 已售出、6 未通过、7 已隐藏、8 已删除 */
  status: number;
  reviewNote: string | null;
};

export type OpenGoodsPictureItem = {
  key: string;
  url: string;
};

export type OpenEditInput = {
  /** 商品编号 */
  goodsSn: string;
  /** 标题 */
  bigTitle: string;
  /** 描述 */
  description?: string | undefined;
  /** 价格。元，最多两位小数 */
  price: string;
  /** 库存：可售的件数或份数 */
  stock?: number | undefined;
  /** 大区编号，GET /api/comm/crossList 的 specialId */
  areaId?: number | undefined;
  /** 服务器编号，GET /api/comm/crossList 的 twoSpecialId */
  serverId?: number | undefined;
  /** 商品属性 */
  details?: Record<string, unknown> | undefined;
  /** 图片：POST /api/comm/upload 返回的 key 的列表 */
  pictures?: string[] | undefined;
  /** 账号标识 */
  accountNo?: string | undefined;
  /** 1、0、true 或 false */
  bargainOpen?: boolean | undefined;
  /** 1、0、true 或 false */
  ensureOpen?: boolean | undefined;
};

export type OpenEditData = {
  goodsSn: string;
  /** 商品状态：0 草稿、1 审核中、2 出售中、3 已下架、4 交易中、5 已售出、6 未通过、7 已隐藏、8 已删除 */
  status: number;
};

export type OpenGoodsFormData = {
  gameId: number;
  gameName: string;
  /** 类型：1 账号、2 游戏币、8 首充号、22 元宝、27 道具、50 寄售账号、51 中介担保、52 回收、53 极速金币、60 代练、61 陪玩 */
  goodsTypeId: number;
  version: number;
  inputs: OpenGoodsFormInputItem[];
  fields: OpenGoodsFormFieldItem[];
  maxPictures: number;
  /** 元 */
  minPrice: string;
  /** 元 */
  maxPrice: string;
  band: OpenGoodsFormBand | null;
  newSellerText: string | null;
};

export type OpenGoodsFormInputItem = {
  key: 'bigTitle' | 'price' | 'description' | 'stock' | 'areaId' | 'serverId' | 'pictures' | 'accountNo';
  label: string;
  required: boolean;
  min?: number | undefined;
  max?: number | undefined;
  help?: string | undefined;
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
  /** 数值属性的筛选序号，1 至 4 */
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
  wide: boolean;
};

export type OpenGoodsListData = {
  list: OpenGoodsListItem[];
  counts: Record<string, number>;
  total: number;
  /** true 表示实际多于 total：总数只数到这里 */
  totalCapped?: boolean | undefined;
  /** 下一页的游标，作为 cursor 传回；null 表示没有更多 */
  next: string | null;
};

export type OpenGoodsListItem = {
  goodsSn: string;
  bigTitle: string;
  gameId: number;
  gameName: string;
  /** 类型：1 账号、2 游戏币、8 首充号、22 元宝、27 道具、50 寄售账号、51 中介担保、52 回收、53 极速金币、60 代练、61 陪玩 */
  goodsTypeId: number;
  thumbnail: string;
  /** 元 */
  price: string;
  /** 元 */
  net: string;
  stock: number;
  /** 商品状态：0 草稿、1 审核中、2 出售中、3 已下架、4 交易中、5 已售出、6 未通过、7 已隐藏、8 已删除 */
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
  /** 游戏编号，见 GET /api/comm/gameList */
  gameId: number;
  /** 商品类型。类型：1 账号、2 游戏币、8 首充号、22 元宝、27 道具、50 寄售账号、51 中介担保、52 回收、53 极速金币、60 代练、61 陪玩 */
  goodsTypeId: number;
  /** 标题 */
  bigTitle: string;
  /** 描述 */
  description?: string | undefined;
  /** 价格。元，最多两位小数 */
  price: string;
  /** 库存：可售的件数或份数 */
  stock?: number | undefined;
  /** 大区编号，GET /api/comm/crossList 的 specialId */
  areaId?: number | undefined;
  /** 服务器编号，GET /api/comm/crossList 的 twoSpecialId */
  serverId?: number | undefined;
  /** 商品属性 */
  details?: Record<string, unknown> | undefined;
  /** 图片：POST /api/comm/upload 返回的 key 的列表 */
  pictures?: string[] | undefined;
  /** 账号标识 */
  accountNo?: string | undefined;
  /** 1、0、true 或 false */
  bargainOpen?: boolean | undefined;
  /** 1、0、true 或 false */
  ensureOpen?: boolean | undefined;
};

export type OpenSoldElsewhereInput = {
  /** 商品编号 */
  goodsSn: string;
};

export type OpenUpdateInput = {
  /** 商品编号 */
  goodsSn: string;
  /** 价格。元，最多两位小数 */
  price?: string | undefined;
  /** 库存：可售的件数或份数 */
  stock?: number | undefined;
  /** 操作。push 上架、pull 下架 */
  act?: 'push' | 'pull' | undefined;
};

export type OpenUpdateData = {
  goodsSn: string;
  /** 元 */
  price: string;
  stock: number;
  /** 商品状态：0 草稿、1 审核中、2 出售中、3 已下架、4 交易中、5 已售出、6 未通过、7 已隐藏、8 已删除 */
  status: number;
};

export type OpenUpdateManyInput = {
  /** 商品 */
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
  /** 商品状态：0 草稿、1 审核中、2 出售中、3 已下架、4 交易中、5 已售出、6 未通过、7 已隐藏、8 已删除 */
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
  /** 订单状态：0 待付款、1 待发货、2 待收货、3 交易成功、6 超时未付款而关闭、7 买家取消、8 卖家取消、9 平台关闭（代练和陪玩的 2 是待验收） */
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
  /** 订单状态：0 待付款、1 待发货、2 待收货、3 交易成功、6 超时未付款而关闭、7 买家取消、8 卖家取消、9 平台关闭（代练和陪玩的 2 是待验收） */
  status: number;
  text: string;
};

export type OpenOrderListData = {
  list: OpenOrderListItem[];
  total: number;
  /** true 表示实际多于 total：总数只数到这里 */
  totalCapped?: boolean | undefined;
  /** 下一页的游标，作为 cursor 传回；null 表示没有更多 */
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
  /** 订单状态：0 待付款、1 待发货、2 待收货、3 交易成功、6 超时未付款而关闭、7 买家取消、8 卖家取消、9 平台关闭（代练和陪玩的 2 是待验收） */
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
