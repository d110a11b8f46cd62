import { GOODS_PRIVATE } from '#server/states/state-lists.ts';
import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { Trx } from '#server/db/client.ts';

const MAX_EVENTS = 40;

interface EventRow {
  kind: string;
  detail: Record<string, unknown>;
  at: Date;
  first: boolean;
}

const yuan = (value: unknown): string => (typeof value === 'number' ? ` ¥${yuanLabel(value)}` : '');

/** The texts of the events visible to buyers; other events are not public. */
const EVENT_TEXT: Readonly<Record<string, (event: EventRow) => string>> = {
  published: ({ first }) => (first ? '首次发布' : '再次发布'),
  approved: () => '通过审核，上架',
  inspected: ({ detail }) =>
    typeof detail.differs === 'number' && detail.differs > 0 ? `验号，${detail.differs} 项与卖家填写不同` : '验号',
  uninspected: () => '验号记录失效',
  price: ({ detail }) => `改价${yuan(detail.toFen)}`,
  off: () => '下架',
  on: () => '重新上架',
  sold: ({ detail }) => `成交${yuan(detail.priceFen)}`,
  claimed: () => '包赔理赔',
  banned: () => '封禁记录',
};

/**
 * The account passport (domain.md 4): the history of a game account on this site over all its listings, newest last. `fingerprint`
 * identifies the account. Listings that were never public are left out.
 */
export async function loadPassport(
  db: Trx,
  fingerprint: Buffer,
): Promise<{ kind: string; text: string; time: Date }[]> {
  const { rows } = await sql<EventRow>`
    select e.kind, e.detail, e.created_at as at, h.id = min(h.id) over () as first
    from goods h join goods_event e on e.goods_id = h.id
    where h.fingerprint = ${fingerprint} and h.status not in ${GOODS_PRIVATE} and e.kind = any(${Object.keys(EVENT_TEXT)}::text[])
    order by e.created_at desc, e.id desc limit ${MAX_EVENTS}`.execute(db);
  return rows.toReversed().map((row) => ({ kind: row.kind, text: EVENT_TEXT[row.kind]?.(row) ?? '', time: row.at }));
}
