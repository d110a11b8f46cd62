import { account, type Transfer } from '#subjects/ledger/server/rules.ts';
import { DAY, endedAgo, type Planned } from './inspections-plan.ts';
import { type Market, staffId } from '../market.ts';
import type { Dated } from '../money/money.ts';

const REPAY = 'inspection.repay';
const WHY = '复验结果与卖家填写不同';

/** A listing that was read again has the new readings in place of the old ones; without the mark where something differs. */
async function replaceReadings(market: Market, { goods, differs, plan }: Planned): Promise<void> {
  const { client } = market;
  const at = market.ago(endedAgo(plan));
  await client.query('update goods set inspected_at = $2 where id = $1', [goods.id, differs === 0 ? at : null]);
  await client.query('delete from inspection where goods_id = $1', [goods.id]);
  // The database sets the end of the mark to the time when the market is filled.
  await client.query(`update goods_event set created_at = $2 where goods_id = $1 and kind = 'uninspected'`, [
    goods.id,
    at,
  ]);
  await client.query(`insert into outbox (topic, payload) values ('goods.reindex', $1)`, [
    JSON.stringify({ goodsIds: [goods.id] }),
  ]);
}

/** The two members of staff who decide that the fund repays a fee: the inspector, and a colleague, whose decision may be pending. */
async function storeRepayment(market: Market, { id, plan }: Planned, fee: number): Promise<void> {
  const isDone = plan.status === 'done';
  const decided = isDone ? market.ago(endedAgo(plan)) : null;
  await market.client.query(
    `with two as (
       insert into approval (dist_id, act, target, payload, amount_fen, reason, asked_by, decided_by, status, expires_at, created_at, decided_at)
       select t.dist_id, $2, 'inspection:' || t.id, '{}', $3, $4, t.staff_id, $5, $6, $7, $8, $9 from inspection_task t where t.id = $1
       returning id, status)
     insert into fund_release (code, ref, amount_fen, approval_id)
     select 'inspection_repaid', 'inspection:' || $1::text, $3, id from two where status = 'allowed'`,
    [
      id,
      REPAY,
      fee,
      WHY,
      isDone ? staffId(market, 'admin') : null,
      isDone ? 'allowed' : 'waiting',
      market.ago(plan.ago - 4 * DAY),
      market.ago(plan.ago - 75),
      decided,
    ],
  );
}

/** Returns the transfers of the fee: held while pending, earned by a reading, refunded without one, repaid when the reading differs. */
function moneyOf(market: Market, { id, plan, buyerId, differs }: Planned, fee: number): Dated[] {
  const [free, escrow] = [account.available(buyerId), account.inspection(id)];
  const line = (ago: number, code: Transfer['code'], debit: string, credit: string): Dated => ({
    at: market.ago(ago),
    transfer: { code, ref: `inspection:${id}`, debit, credit, fen: fee, dist: 1 },
  });
  const ended = endedAgo(plan);
  const lines = [line(plan.ago, 'inspection_fee', free, escrow)];
  if (plan.status === 'closed') lines.push(line(ended, 'inspection_fee_back', escrow, free));
  if (plan.status !== 'done') return lines;
  lines.push(line(ended, 'inspection_fee_earned', escrow, account.platform('fee', id)));
  if (differs > 0) lines.push(line(ended, 'inspection_repaid', account.platform('guarantee_fund', id), free));
  return lines;
}

/** Stores the effects of re-inspections: readings of listings, approvals of two persons, and money. Returns the postings with their times. */
export async function storeAgain(market: Market, tasks: readonly Planned[], fee: number): Promise<Dated[]> {
  for (const task of tasks) {
    if (task.plan.status === 'done') await replaceReadings(market, task);
    if (task.differs > 0) await storeRepayment(market, task, fee);
  }
  return tasks.flatMap((task) => moneyOf(market, task, fee));
}
