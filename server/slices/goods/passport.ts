import { sql } from 'kysely';
import { yuanText } from '#contract/wire.ts';
import type { Trx } from '#server/db/client.ts';

const MAX_EVENTS = 40;

interface EventRow {
  kind: string;
  detail: Record<string, unknown>;
  at: Date;
  first: boolean;
}

const yuan = (value: unknown): string => (typeof value === 'number' ? ` ¥${yuanText(value)}` : '');

/** What buyers are told of an event; what is not here is the seller's and the reviewer's own business. */
const WORDS: Readonly<Record<string, (event: EventRow) => string>> = {
  published: ({ first }) => (first ? '首次发布' : '再次发布'),
  approved: () => '通过审核，上架',
  inspected: () => '验号',
  price: ({ detail }) => `改价${yuan(detail.toFen)}`,
  off: () => '下架',
  on: () => '重新上架',
  sold: ({ detail }) => `成交${yuan(detail.priceFen)}`,
  claimed: () => '包赔理赔',
  banned: () => '封禁记录',
};

/**
 * The account passport (domain.md 4): what happened on this site to the same game account, whichever goods it was sold as, newest
 * last. `fingerprint` ties them together. Goods that were never shown stay out of it.
 */
export async function passportOf(db: Trx, fingerprint: Buffer): Promise<{ kind: string; text: string; time: Date }[]> {
  const { rows } = await sql<EventRow>`
    select e.kind, e.detail, e.created_at as at, h.id = min(h.id) over () as first
    from goods h join goods_event e on e.goods_id = h.id
    where h.fingerprint = ${fingerprint} and h.status not in (0, 1, 6) and e.kind = any(${Object.keys(WORDS)}::text[])
    order by e.created_at desc, e.id desc limit ${MAX_EVENTS}`.execute(db);
  return rows.toReversed().map((row) => ({ kind: row.kind, text: WORDS[row.kind]?.(row) ?? '', time: row.at }));
}
