/**
 * The types of orders. Separate from the states (order-status.ts), because every page shows types, but only order pages
 * show states.
 */

// Separate from the map, so that pages that check for a single type do not load it.
const ACCOUNT = 1;
const CONSIGNED = 50;
const FIRST_TOPUP = 8;
/** An account sold to a recycler: its hand-over ends with the inspection by staff, which triggers the payment. */
export const RECYCLED_ACCOUNT = 52;
/** Services: boosting, and companion play by the hour. Nothing is shipped. */
export const BOOSTING = 60;
export const COMPANION_PLAY = 61;

/** Order types; those of `goodsTypeIds` (catalogue.ts) are also goods types. */
export const OrderType = {
  Account: ACCOUNT,
  Consigned: CONSIGNED,
  FirstTopup: FIRST_TOPUP,
  Coin: 2,
  Ingots: 22,
  Items: 27,
  Middleman: 51,
  Recycling: RECYCLED_ACCOUNT,
  QuickCoin: 53,
  Boosting: BOOSTING,
  Companion: COMPANION_PLAY,
} as const;
export type OrderType = (typeof OrderType)[keyof typeof OrderType];

/** The names of the types. */
export const orderTypeNames: Readonly<Record<number, string>> = {
  1: '账号',
  2: '游戏币',
  8: '首充号',
  22: '元宝',
  27: '道具',
  50: '寄售账号',
  51: '中介担保',
  52: '回收',
  53: '极速金币',
  60: '代练',
  61: '陪玩',
} satisfies Record<OrderType, string>;

/** The display name of an order's type (product.md 3). */
export const orderTypeName = (typeId: number): string => orderTypeNames[typeId] ?? '其他';

/** The name of the hand-over by order type: an account's bindings are changed, everything else is delivered. */
const handoverNames: Readonly<Record<number, string>> = {
  2: '金币交付',
  22: '元宝交付',
  27: '道具交付',
  51: '双方交付',
  52: '回收交付',
  53: '金币交付',
  60: '代练进度',
  61: '陪玩进度',
} satisfies Partial<Record<OrderType, string>>;

/** The name of the hand-over of a type. */
export const handoverName = (typeId: number): string => handoverNames[typeId] ?? '换绑交付';

/** Whole accounts: sold once, handed over step by step. */
export const accountTypes: readonly number[] = [ACCOUNT, FIRST_TOPUP, CONSIGNED];

/** Whether an account is traded; everything else is counted, not logged in to. */
export const isAccountOrder = (typeId: number): boolean => accountTypes.includes(typeId);

/** Ordered as a package, with milestones or minutes, and handled by the services subject. */
export const SERVICE_TYPES = [BOOSTING, COMPANION_PLAY] as const;
export type ServiceType = (typeof SERVICE_TYPES)[number];
export const isService = (typeId: number): boolean => (SERVICE_TYPES as readonly number[]).includes(typeId);

/** The name of the buyer's confirmation: a service is completed, everything else is received. */
export const receiptName = (typeId: number): string => (isService(typeId) ? '确认完成' : '确认收货');

/** The name of the delivering party: boosters and companions are not called sellers. */
export const sellerNoun = (typeId: number): string =>
  typeId === BOOSTING ? '打手' : typeId === COMPANION_PLAY ? '陪玩' : '卖家';

/** Adapts a text about the sale of goods to the order type's names for the delivering party and for the receipt. */
export const withTypeNames = (text: string, typeId: number): string =>
  text.replaceAll('卖家', sellerNoun(typeId)).replaceAll('确认收货', receiptName(typeId));
