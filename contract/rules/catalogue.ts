import { OrderType, orderTypeNames } from '#subjects/orders/rules/order-types.ts';

export { accountTypes } from '#subjects/orders/rules/order-types.ts';

/** Goods types (domain.md 1). Orders use the same numbers, so the names are defined with the orders. */
export const goodsTypeIds = [1, 2, 8, 22, 27, 50, 60, 61] as const;
export type GoodsTypeId = (typeof goodsTypeIds)[number];

/** The type of a private deal about something that belongs to no game. */
export const NO_GOODS_TYPE = 0;

/** Whether a number is a valid goods type (domain.md 1). */
export function isGoodsType(id: number): id is GoodsTypeId {
  return (goodsTypeIds as readonly number[]).includes(id);
}

/** A goods type's name; '其他' for an unknown one. */
export function goodsTypeName(id: number): string {
  return isGoodsType(id) ? (orderTypeNames[id] ?? '其他') : '其他';
}

/** The default type of a search: 1, and 8 for game 18 (product.md 9). */
export function defaultGoodsType(gameId: number): number {
  return gameId === 18 ? 8 : 1;
}

/** Types whose page is /JDetail. */
export function usesJDetail(goodsTypeId: number): boolean {
  return goodsTypeId === OrderType.Coin || goodsTypeId === OrderType.Ingots;
}

export const coinUnits = ['万金币', '金币', '万基纳', '基纳', '万钻石', '钻石', '万宝票', '宝票'] as const;
export type CoinUnit = (typeof coinUnits)[number];

/** Ingots use the same unit in every game, whatever its coin is called. */
const INGOT_UNIT = '元宝';

/** Unit of an amount of coin or ingots: the field's own (the game's coin), or that of ingots. */
export function amountUnit(typeId: number, fieldUnit: string | undefined): string {
  return typeId === OrderType.Ingots ? INGOT_UNIT : (fieldUnit ?? '个');
}

/** Whether the game's coin chart and storefront apply to a type: ingots have another ratio. */
export const isGameCoin = (typeId: number): boolean => typeId !== OrderType.Ingots;

/** How coin is handed over (product.md 9). */
export const deliveryNames = { 1: '邮寄', 2: '拍卖', 3: '当面交易' } as const;
export type DeliveryId = keyof typeof deliveryNames;

/** The name of a delivery method (product.md 9). */
export function deliveryName(id: number): string {
  return (deliveryNames as Readonly<Record<number, string>>)[id] ?? '协商';
}

/** Whether a game is played on a computer or a phone; as a filter, every other number lists all games. */
export const COMPUTER_GAME = 1;
export const MOBILE_GAME = 2;
export const gameTypeNames: Readonly<Record<number, string>> = {
  [COMPUTER_GAME]: '端游',
  [MOBILE_GAME]: '手游',
} satisfies Record<typeof COMPUTER_GAME | typeof MOBILE_GAME, string>;

/** Whether a game is a collection of other games' listings (自营专区): each of its listings names its game in this field. */
export const isCollection = (fields: readonly { key: string }[]): boolean =>
  fields.some(({ key }) => key === 'game_name');
