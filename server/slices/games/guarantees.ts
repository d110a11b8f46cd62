import type { Context } from '#server/context.ts';

/** One part of a rate with its share, in basis points; the shares of a rate add up to it. */
export interface RatePart {
  label: string;
  bp: number;
}

/** A measured rate of one tier for one game, with the sentences that say why (setting 'guarantee_rates'). */
export interface MeasuredRate {
  bp: number;
  reasons: string[];
  /** What the rate is made of; absent in rates that were measured before parts were kept. */
  parts?: RatePart[];
}

export type MeasuredRates = Readonly<Record<string, Readonly<Record<string, MeasuredRate>>>>;

/**
 * The guarantees on offer with the rate that a game has: measured where there was enough to measure, the tier's own elsewhere. Every
 * quote, card and list reads this one function, so that what is shown is what is charged.
 */
export function guaranteesOf<T extends { id: number; bp: number }>(
  ctx: Pick<Context, 'dir'>,
  gameId: number | null | undefined,
): (T & { reasons: string[]; baseBp: number; parts: RatePart[] })[] {
  const rates = ctx.dir.setting<MeasuredRates>('guarantee_rates');
  const ofGame = gameId === null || gameId === undefined ? undefined : rates[String(gameId)];
  return ctx.dir.setting<T[]>('guarantees').map((g) => {
    const measured = ofGame?.[String(g.id)];
    const parts = measured ? (measured.parts ?? []) : [{ label: '基准费率（近 180 天样本不足，未测算）', bp: g.bp }];
    return { ...g, baseBp: g.bp, bp: measured?.bp ?? g.bp, reasons: measured?.reasons ?? [], parts };
  });
}
