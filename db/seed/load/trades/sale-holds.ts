import { account, type Transfer } from '#subjects/ledger/server/rules.ts';
import { stageParts } from '#subjects/deposits/server/service.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import type { MarketSettings } from './trades-price.ts';
import type { Market } from '../market.ts';
import type { Dated } from '../money/money.ts';

const LONGEST_HOURS = 168;
const HOLD_COLUMNS = columns(
  `id bigint, user_id bigint, amount_fen bigint, code text, reason text, ref text, release_at timestamptz, released_at timestamptz,
  release_note text, created_at timestamptz`,
);
const STAGE_COLUMNS = columns(
  'hold_id bigint, seq smallint, amount_fen bigint, before_end int, released_at timestamptz',
);
const TIMER_COLUMNS = columns('kind text, ref text, due_at timestamptz');

/** A completed sale with money that is, or was, held. */
export interface HeldSale {
  orderId: number;
  sn: string;
  sellerId: number;
  distId: number;
  level: number;
  fen: number;
  /** The shares of the fees that mature with it, and their owners. */
  shares: { distFen: number; inviteFen: number; inviterId: number | null };
  /** The seller's deposit, which covers early parts. */
  coveredFen: number;
  /** Minutes since its completion. */
  doneAgo: number;
}

interface Stage {
  seq: number;
  fen: number;
  beforeEnd: number;
  dueAt: Date;
}

/** The early releases of a sale at its seller's level, limited by the seller's remaining allowance and the deposit. */
function stagesOf(settings: MarketSettings, sale: HeldSale, releaseAt: Date, room: Map<number, number>): Stage[] {
  const { openFen: levelFen, parts } = settings.holdStages.levels[sale.level] ?? { openFen: 0, parts: [] };
  const openFen = Math.min(levelFen, sale.coveredFen);
  const hours = settings.holdHours[sale.level] ?? LONGEST_HOURS;
  const stages: Stage[] = [];
  for (const part of stageParts(sale.fen, { level: sale.level, hours, stages: parts, openFen })) {
    const left = room.get(sale.sellerId) ?? openFen;
    const fen = Math.min(part.fen, left);
    if (fen <= 0) break;
    room.set(sale.sellerId, left - fen);
    const dueAt = new Date(releaseAt.getTime() - part.beforeEnd * 1000);
    stages.push({ seq: stages.length + 1, fen, beforeEnd: part.beforeEnd, dueAt });
  }
  return stages;
}

/** Returns the fees that can be withdrawn once the protection is over. */
function matured({ orderId, distId, shares }: HeldSale, at: Date): Dated[] {
  const { distFen, inviteFen, inviterId } = shares;
  const same = { ref: `order:${orderId}`, dist: distId, order: orderId };
  const lines: Transfer[] = [
    {
      ...same,
      code: 'dist_share_mature',
      debit: account.distMaturing(distId),
      credit: account.commission(distId),
      fen: distFen,
    },
    {
      ...same,
      code: 'invite_reward_mature',
      debit: account.maturing(inviterId ?? 0),
      credit: account.available(inviterId ?? 0),
      fen: inviteFen,
    },
  ];
  return lines.filter(({ fen }) => fen > 0).map((transfer) => ({ at, transfer }));
}

/**
 * Protection holds of completed sales: released if their time is over, otherwise with the amount held, stages and timer. Returns
 * the postings of the released amounts.
 */
export async function storeSaleHolds(
  market: Market,
  sales: readonly HeldSale[],
  settings: MarketSettings,
): Promise<Dated[]> {
  const ids = await reserveIds(market.client, 'hold', sales.length);
  const room = new Map<number, number>();
  const releases: Dated[] = [];
  const [rows, stageRows, timers]: unknown[][][] = [[], [], []];
  for (const [i, sale] of sales.entries()) {
    const id = ids[i] ?? 0;
    const hours = settings.holdHours[sale.level] ?? LONGEST_HOURS;
    const releaseAt = market.ago(sale.doneAgo - hours * 60);
    const over = releaseAt <= market.now;
    const stages = over ? [] : stagesOf(settings, sale, releaseAt, room);
    const out = stages.filter(({ dueAt }) => dueAt <= market.now);
    const held = sale.fen - out.reduce((sum, { fen }) => sum + fen, 0);
    const free = (code: Transfer['code'], ref: string, fen: number): Transfer => ({
      code,
      ref,
      debit: account.frozen(sale.sellerId),
      credit: account.available(sale.sellerId),
      fen,
      dist: sale.distId,
      order: sale.orderId,
    });
    for (const { seq, fen, beforeEnd, dueAt } of stages)
      stageRows?.push([id, seq, fen, beforeEnd, dueAt <= market.now ? dueAt : null]);
    for (const { seq, fen, dueAt } of out)
      releases.push({ at: dueAt, transfer: free('hold_part', `hold:${id}:${seq}`, fen) });
    if (over)
      releases.push({ at: releaseAt, transfer: free('hold_end', `hold:${id}`, sale.fen) }, ...matured(sale, releaseAt));
    else {
      const next = stages.find(({ dueAt }) => dueAt > market.now)?.dueAt ?? releaseAt;
      timers?.push(['hold.release', String(sale.orderId), next]);
    }
    const reason = `订单 ${sale.sn} 已完成，保护期 ${hours} 小时内买家可申诉，到期自动解冻`;
    const end = over ? [releaseAt, '保护期结束'] : [null, null];
    const createdAt = market.ago(sale.doneAgo);
    rows?.push([
      id,
      sale.sellerId,
      held,
      'sale_protection',
      reason,
      String(sale.orderId),
      releaseAt,
      ...end,
      createdAt,
    ]);
  }
  await insertRows(market.client, 'hold', HOLD_COLUMNS, rows ?? []);
  await insertRows(market.client, 'hold_stage', STAGE_COLUMNS, stageRows ?? []);
  await insertRows(market.client, 'timer', TIMER_COLUMNS, timers ?? []);
  return releases;
}
