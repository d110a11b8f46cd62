import type { Context } from '#server/context.ts';

/** Bus channel of changed listings: put on sale, taken off, locked, repriced, edited. */
export const GOODS_CHANNEL = 'goods.changed';
/** A message about more listings than this names none of them. */
const MAX_NAMED = 50;

export interface ChangedGoods {
  sn: string;
  gameId: number;
}

/** Publishes changed listings; call it after the commit. A lost message is repaired by the maximum age of cached responses. */
export function publishChangedGoods(ctx: Pick<Context, 'bus'>, goods: readonly ChangedGoods[]): void {
  if (goods.length === 0) return;
  const few = goods.length <= MAX_NAMED;
  const games = [...new Set(goods.map(({ gameId }) => gameId))];
  ctx.bus.publish(GOODS_CHANNEL, few ? { sns: goods.map(({ sn }) => sn), games } : {});
}

const includesOrAll = <T>(list: unknown, one: T): boolean => !Array.isArray(list) || list.includes(one);

/** Whether a change concerns a list of one game's listings, or of all (undefined). */
export function concernsGame(change: Record<string, unknown>, gameId: number | undefined): boolean {
  return gameId === undefined || includesOrAll(change.games, gameId);
}

/** Whether a change concerns the listing with this number. */
export function concernsGoods(change: Record<string, unknown>, sn: string): boolean {
  return includesOrAll(change.sns, sn.toUpperCase());
}

/** Publishes that the results of any search may have changed, as after a change of synonyms. */
export function publishAllChanged(ctx: Pick<Context, 'bus'>): void {
  ctx.bus.publish(GOODS_CHANNEL, {});
}
