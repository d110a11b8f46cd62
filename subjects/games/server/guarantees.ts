import type { Context } from '#server/context.ts';
import type { GuaranteeTier } from '#server/directory/directory.ts';
import type { RatePart } from './rules.ts';

export type { MeasuredRate, RatePart } from './rules.ts';

/** A guarantee offered for a game: `bp` is the rate charged, `baseBp` the tier's own rate. */
export interface OfferedGuarantee extends GuaranteeTier {
  reasonsOfRate: string[];
  baseBp: number;
  parts: RatePart[];
}

/**
 * The guarantees offered for a game, with the measured rate if there were enough samples, otherwise the tier's own rate. Every quote, card
 * and list uses this function, so that the displayed rate is the rate charged.
 */
export function guaranteesOf(ctx: Pick<Context, 'dir'>, gameId: number | null | undefined): OfferedGuarantee[] {
  const rates = ctx.dir.setting('guarantee_rates');
  const ofGame = gameId === null || gameId === undefined ? undefined : rates[String(gameId)];
  const offered = ctx.dir
    .tiers()
    .filter(({ games }) => games === null || (typeof gameId === 'number' && games.includes(gameId)));
  return offered.map((g) => {
    const measured = ofGame?.[String(g.id)];
    const parts = measured ? (measured.parts ?? []) : [{ label: '基准费率（近 180 天样本不足，未测算）', bp: g.bp }];
    return { ...g, baseBp: g.bp, bp: measured?.bp ?? g.bp, reasonsOfRate: measured?.reasons ?? [], parts };
  });
}
