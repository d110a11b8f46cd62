import type { Context } from '#server/context.ts';
import type { MeasuredRate, RatePart } from './rules.ts';

export type { MeasuredRate, RatePart } from './rules.ts';

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
