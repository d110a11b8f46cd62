import type { Context } from '#server/context.ts';

/** The bus's channel of goods that changed for those who look: put on sale, taken off, locked, repriced, reworded. */
export const GOODS_CHANNEL = 'goods.changed';
/** Beyond this a message says only that much has changed. */
const MAX_NAMED = 50;

export interface ChangedGoods {
  sn: string;
  gameId: number;
}

/** Says that goods have changed, after the change is committed. Lost news is healed by the age that kept answers reach at most. */
export function tellChanged(ctx: Pick<Context, 'bus'>, goods: readonly ChangedGoods[]): void {
  if (goods.length === 0) return;
  const few = goods.length <= MAX_NAMED;
  const games = [...new Set(goods.map(({ gameId }) => gameId))];
  ctx.bus.publish(GOODS_CHANNEL, few ? { sns: goods.map(({ sn }) => sn), games } : {});
}

const names = <T>(list: unknown, one: T): boolean => !Array.isArray(list) || list.includes(one);

/** Whether news concern a list of one game's goods, or of all (undefined). */
export function ofGame(news: Record<string, unknown>, gameId: number | undefined): boolean {
  return gameId === undefined || names(news.games, gameId);
}

/** Whether news concern the goods of a number. */
export function ofGoods(news: Record<string, unknown>, sn: string): boolean {
  return names(news.sns, sn.toUpperCase());
}
