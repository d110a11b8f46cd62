import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { JOBS } from './kinds.ts';
import { TOPICS } from './topics.ts';

/** Staff decisions about a dead letter. */
export type LetterAction = 'again' | 'discard';

interface Letter {
  what: 'job' | 'event';
  name: string;
  ref: string;
  payload: Record<string, unknown>;
}

/**
 * Decides on an open dead letter, once: one of several concurrent calls succeeds, the others get undefined. A retried job starts with all
 * its attempts, an event goes to the end of the relay's queue; a job scheduled in the meantime keeps its time. Returns the letter.
 */
export async function decideLetter(
  trx: Trx,
  id: number,
  { action, staffId, note }: { action: LetterAction; staffId: number; note: string },
): Promise<Letter | undefined> {
  const { rows } = await sql<Letter>`
    update dead_letter set status = ${action === 'again' ? 'again' : 'discarded'}, staff_id = ${staffId}, note = ${note}, decided_at = now()
    where id = ${id} and status = 'open' returning what, name, ref, payload`.execute(trx);
  const letter = rows[0];
  if (letter === undefined || action === 'discard') return letter;
  if (letter.what === 'event')
    await sql`insert into outbox (topic, payload) values (${letter.name}, ${JSON.stringify(letter.payload)}::jsonb)`.execute(
      trx,
    );
  else
    await sql`insert into timer (kind, ref, due_at) values (${letter.name}, ${letter.ref}, now()) on conflict (kind, ref) do nothing`.execute(
      trx,
    );
  return letter;
}

/** Whether this build can run the letter's job or event; otherwise a retry could never succeed. */
export const isKnown = ({ what, name }: Pick<Letter, 'what' | 'name'>): boolean =>
  name in (what === 'event' ? TOPICS : JOBS);

const CODES = new Set([
  'kind',
  'ref',
  'orderSn',
  'goodsSn',
  'disputeSn',
  'claimSn',
  'dealSn',
  'blackSn',
  'act',
  'card',
  'key',
  'decision',
]);

/** Fields that staff know by name; the others are internal. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  orderId: '订单',
  orderSn: '订单编号',
  goodsId: '商品',
  goodsSn: '商品编号',
  userId: '用户',
  sellerId: '卖家',
  buyerId: '买家',
  disputeId: '申诉',
  disputeSn: '申诉编号',
  claimId: '理赔',
  claimSn: '理赔编号',
  dealSn: '担保编号',
  groupId: '交易群',
  staffId: '员工',
  kind: '类型',
  ref: '编号',
};

/** The content of an event in one line: numbers and codes created by the market itself, but no text written by people. */
export const aboutOf = (payload: Record<string, unknown>): string =>
  Object.entries(payload)
    .flatMap(([field, value]) =>
      typeof value === 'number' || (typeof value === 'string' && CODES.has(field))
        ? [`${FIELD_NAMES[field] ?? field} ${value}`]
        : [],
    )
    .join('，');

/** Open dead letters, for the operator. */
export async function openLetters(db: Trx): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from dead_letter where status = 'open'`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}
