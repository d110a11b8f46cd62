import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { depositLevel } from './queries.ts';

const TOP_LEVEL = 5;
/** The deposit level from which a sale is held as that of a seller one level higher. */
const STEP_FROM = 2;
/** What is held where the setting knows nothing of a level: as long as anybody's. */
const LONGEST_HOURS = 168;

/** How a seller's next sale is held: shown before publishing, and used when it completes. */
export interface SaleHold {
  /** The seller's own level, one more with the higher deposit. */
  level: number;
  hours: number;
}

/** How a sale of a level is held, by the settings. */
export const holdOfLevel = (ctx: Context, level: number): SaleHold => ({
  level,
  hours: ctx.dir.setting<number[]>('hold_hours')[level] ?? LONGEST_HOURS,
});

/** How a sale of this seller would be held if it completed now. The one place that decides it. */
export async function saleHold(ctx: Context, db: Trx, sellerId: number): Promise<SaleHold> {
  const { rows } = await sql<{
    level: number;
  }>`select seller_level as level from app_user where id = ${sellerId}`.execute(db);
  const deposit = await depositLevel(db, sellerId, 'seller');
  return holdOfLevel(ctx, Math.min(TOP_LEVEL, (rows[0]?.level ?? 0) + (deposit && deposit.level >= STEP_FROM ? 1 : 0)));
}

const timeWords = (hours: number): string => (hours % 24 === 0 ? `${hours / 24} 天` : `${hours} 小时`);

/** A hold as the seller reads it before publishing. */
export const holdWords = ({ hours }: SaleHold): string =>
  hours === 0 ? '买家确认收货后立即到账' : `买家确认收货后冻结 ${timeWords(hours)}，期满自动转入可用余额`;
