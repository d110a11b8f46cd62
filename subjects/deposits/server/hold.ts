import type { SettingValue } from '#subjects/settings/contract/setting-values.ts';
import { sql } from 'kysely';
import { rateText } from '#contract/rules/fee.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { depositLevel } from './queries.ts';

const TOP_LEVEL = 5;
/** The deposit level from which a sale is held as that of a seller one level higher. */
const STEP_FROM = 2;
/** Hours of a hold for a level without a setting: the longest. */
const LONGEST_HOURS = 168;
const FULL_BP = 10_000;

export type StageSetting = SettingValue<'hold_stages'>;

/** How a seller's next sale is held: shown before publishing, and used when it completes. */
export interface SaleHold {
  /** The seller's own level, one more with the higher deposit. */
  level: number;
  /** Hours after completion when the rest is released. */
  hours: number;
  /** Early releases: hours after completion, and the share in basis points. Always less than the whole. */
  stages: { hours: number; bp: number }[];
  /** The maximum amount of early releases over all running holds of this seller, in fen: by level, capped by the deposit. */
  openFen: number;
}

/** How a sale of a level is held, by the settings. */
export const holdOfLevel = (ctx: Context, level: number): SaleHold =>
  holdOf(ctx.dir.setting('hold_hours'), ctx.dir.setting('hold_stages'), level);

/** How a sale of a level is held, by the hours of each level and their stages. */
export function holdOf(hoursOfLevels: readonly number[], stagesOfLevels: StageSetting, level: number): SaleHold {
  const hours = hoursOfLevels[level] ?? LONGEST_HOURS;
  const { openFen, parts } = stagesOfLevels.levels[level] ?? { openFen: 0, parts: [] };
  const stages = parts.filter((part) => part.hours < hours && part.bp > 0).toSorted((a, b) => a.hours - b.hours);
  const share = stages.reduce((sum, { bp }) => sum + bp, 0);
  // A setting that would release everything early is a mistake: then nothing is released early.
  return { level, hours, stages: share < FULL_BP ? stages : [], openFen };
}

/**
 * How a sale of this seller would be held if it completed now; no other code decides this. Early parts never exceed the seller's deposit,
 * even where the level allows more. There are none for a seller with debts or with a recent shortfall when a trade was undone, and none
 * between linked users (platform rule 7.2).
 */
export async function saleHold(ctx: Context, db: Trx, sellerId: number, buyerId?: number): Promise<SaleHold> {
  const { quietDays } = ctx.dir.setting('hold_stages');
  const { rows } = await sql<{ level: number; closed: boolean; coveredFen: number }>`
    select seller_level as level,
      exists (select from hold h where h.user_id = u.id and h.short_fen > 0 and h.released_at > now() - make_interval(days => ${quietDays}))
        or exists (select from debt d where d.debtor_user = u.id and d.settled_at is null)
        or ${buyerId !== undefined} and cardinality(user_links(u.id, ${buyerId ?? 0})) > 0 as closed,
      coalesce((select sum(deposit_counted(u.id, r.role)) from (select distinct e.role from deposit_entry e where e.user_id = u.id) r), 0)::bigint as "coveredFen"
    from app_user u where u.id = ${sellerId}`.execute(db);
  const deposit = await depositLevel(db, sellerId, 'seller');
  const hold = holdOfLevel(
    ctx,
    Math.min(TOP_LEVEL, (rows[0]?.level ?? 0) + (deposit && deposit.level >= STEP_FROM ? 1 : 0)),
  );
  const openFen = Math.min(hold.openFen, rows[0]?.coveredFen ?? 0);
  return rows[0]?.closed === true || openFen <= 0 ? { ...hold, openFen: 0, stages: [] } : { ...hold, openFen };
}

const durationText = (hours: number): string => (hours > 24 && hours % 24 === 0 ? `${hours / 24} 天` : `${hours} 小时`);

/** The stages as text: '6 小时放出 50%'; empty without any. */
export const stageText = (stages: SaleHold['stages']): string =>
  stages.map(({ hours, bp }) => `${durationText(hours)}放出 ${rateText(bp)}`).join('，');

/** A hold as shown to the seller before publishing. */
export function holdText({ hours, stages, openFen }: SaleHold): string {
  if (hours === 0) return '买家确认收货后立即到账';
  if (stages.length > 0)
    return `买家确认收货后 ${stageText(stages)}（提前放出的合计最多 ${yuanLabel(openFen)} 元，以保证金为限），${durationText(hours)}后其余自动转入可用余额`;
  return `买家确认收货后冻结 ${durationText(hours)}，期满自动转入可用余额`;
}

/** The early parts of a hold of `fen`: how much, and how many seconds before its end. The remainder is always above zero. */
export const stageParts = (fen: number, { hours, stages }: SaleHold): { fen: number; beforeEnd: number }[] =>
  stages
    .map((part) => ({ fen: Math.floor((fen * part.bp) / FULL_BP), beforeEnd: (hours - part.hours) * 3600 }))
    .filter((part) => part.fen > 0);
