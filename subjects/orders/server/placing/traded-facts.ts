import { isGameCoin } from '#contract/rules/catalogue.ts';
import type { Context } from '#server/context.ts';
import { catalogueOf, readableAttrs } from '#subjects/games/server/service.ts';
import type { OrderRow } from '../list.ts';
import { isRecycled } from '../money-parts.ts';

/** The traded goods of an order, as they were when it was placed. */
export interface Traded {
  typeId: number;
  gameId: number | null;
  snapshot: OrderRow['snapshot'];
}

interface Fact {
  label: string;
  value: string;
}

/** Area and server of the goods; empty for goods without them. */
export const tradedArea = ({ snapshot }: Traded): string =>
  [snapshot.areaName, snapshot.serverName].filter(Boolean).join(' / ');

/** The attributes of the goods. A recycled account is stored with both details and attributes; duplicates are removed. */
export function tradedAttrs(ctx: Context, goods: Traded): Fact[] {
  const { facts = [], attrs } = goods.snapshot;
  const typeId = isGameCoin(goods.typeId) ? undefined : goods.typeId;
  const read = goods.gameId === null ? [] : readableAttrs(catalogueOf(ctx), goods.gameId, attrs, typeId);
  const all = [...facts, ...read].map(({ label, value }) => ({ label, value }));
  return isRecycled(goods) ? all.filter(({ label }, i) => all.findIndex((fact) => fact.label === label) === i) : all;
}

/** The goods in the words of their listing: area and server, the quantity of more than one, and the attributes. */
export function tradedFacts(ctx: Context, goods: Traded, goodsNum: number): Fact[] {
  const area = tradedArea(goods);
  return [
    ...(area ? [{ label: '区服', value: area }] : []),
    ...(goodsNum > 1 ? [{ label: '数量', value: `${goodsNum} 件` }] : []),
    ...tradedAttrs(ctx, goods),
  ];
}
