/**
 * How much a statement reads by the size of the market. Statements are measured where they run: each one that the server sends is explained
 * first on the same connection, in a transaction or a savepoint that is rolled back, so that what writes is measured as well.
 */
import pg from 'pg';
import { superuserClient } from './database.ts';

/** Pages that one statement read, with the statement itself. */
export interface Reading {
  text: string;
  pages: number;
  /** Tables of which it read many rows, also inside functions. */
  tables: string;
}

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

const MEASURED = /^\s*(?:select|with|insert|update|delete)\b/i;
const pagesOf = (rows: readonly unknown[]): number => {
  const [
    {
      'QUERY PLAN': [{ Plan: plan }],
    },
  ] = rows as [{ 'QUERY PLAN': [{ Plan: Plan }] }];
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
};

/** Tables of which the running transaction read more than a page of a list has. */
const READ_MANY = `select relname || ' ' || seq_tup_read || '/' || coalesce(idx_tup_fetch, 0) as line from pg_stat_xact_user_tables
  where seq_tup_read > 100 or idx_tup_fetch > 100`;

type Query = (...args: unknown[]) => Promise<pg.QueryResult>;

/** Measures what this process sends to PostgreSQL while `work` runs. */
export async function readingsOf(work: () => Promise<unknown>): Promise<Reading[]> {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  const readings: Reading[] = [];
  const inside = new WeakSet<object>();
  const run = async (client: object, text: string, values: unknown[]): Promise<Reading> => {
    const [begin, end] = inside.has(client)
      ? ['savepoint measured', 'rollback to savepoint measured; release savepoint measured']
      : ['begin', 'rollback'];
    await original.call(client, begin);
    try {
      const { rows } = await original.call(
        client,
        `explain (analyze, buffers, timing off, format json) ${text}`,
        values,
      );
      const read = await original.call(client, READ_MANY);
      return {
        text,
        pages: pagesOf(rows),
        tables: (read.rows as { line: string }[]).map(({ line }) => line).join(', '),
      };
    } finally {
      await original.call(client, end);
    }
  };
  // The first time a connection reads the catalogue and plans what functions contain, which has nothing to do with the market's size.
  const warm = async (client: object, text: string, values: unknown[]): Promise<Reading> => {
    const none = { text, pages: 0, tables: '' };
    await run(client, text, values).catch(() => none);
    return await run(client, text, values).catch(() => none);
  };
  prototype.query = async function measured(this: object, ...args: unknown[]) {
    const [first, second] = args as [string | { text: string; values?: unknown[] }, unknown[] | undefined];
    const text = typeof first === 'string' ? first : first.text;
    const values = (typeof first === 'string' ? second : first.values) ?? [];
    if (/^\s*begin|^\s*start transaction/i.test(text)) inside.add(this);
    if (/^\s*(?:commit|rollback)\s*;?\s*$/i.test(text)) inside.delete(this);
    // A statement that fails in the explanation fails again when it runs, and says so there.
    if (MEASURED.test(text)) readings.push(await warm(this, text, values));
    return await original.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return readings;
}

/** Rows that are copied to fill a market. */
interface Patterns {
  goodsId: number;
  orderId: number;
  userId: number;
}

/** Numbers of generated rows begin here, above those of the rows that a test makes. */
const FIRST = 10_000_000;

const clone = (table: string, count: string, where: string, fields: string): string => `
  insert into ${table} overriding system value
  select r.* from ${table} t cross join generate_series(${count}) i
    cross join lateral jsonb_populate_record(t, ${fields}) r where t.${where}`;

/**
 * Makes a market larger, from one number of listings to another, with as many orders and messages and a hundredth of people: copies of one
 * listing, order, group and user with other numbers, sellers, prices and times. Orders in progress are as many as staff have in
 * hand, four hundred whatever the history, and more than a page of a list for each state. Past the triggers, so the kept figures are counted after.
 */
export async function grow(database: string, from: number, to: number, of: Patterns): Promise<void> {
  const client = await superuserClient(database);
  const range = `${from + 1}, ${to}`;
  const person = `${FIRST} + i % ${Math.ceil(to / 100)}`;
  // `sn` of a listing is generated, so its columns are named.
  const columns =
    'id, dist_id, seller_id, game_id, type_id, title, description, price_fen, stock, attrs, pictures, status, refreshed_at, created_at, updated_at';
  const at = `now() - (i % 86400) * interval '100 seconds'`;
  try {
    await client.query('set synchronous_commit = off');
    await client.query(
      clone(
        'app_user',
        `${Math.ceil(from / 100)}, ${Math.ceil(to / 100) - 1}`,
        `id = ${of.userId}`,
        `jsonb_build_object('id', ${FIRST} + i, 'phone_hash', '\\x' || lpad(to_hex(i), 64, '0'), 'union_num', 'U' || lpad(i::text, 9, '0'), 'invite_code', 'G' || lpad(i::text, 9, '0'), 'nick_name', '用户' || i, 'last_seen_at', ${at}, 'created_at', ${at})`,
      ),
    );
    await client.query(`insert into goods (${columns}) overriding system value
      select ${FIRST} + i, dist_id, ${person}, game_id, case i % 2 when 0 then 1 else 27 end, title || i, description, 1000 + i % 50000, stock, attrs, pictures, 2, ${at}, ${at}, ${at}
      from goods cross join generate_series(${range}) i where id = ${of.goodsId}`);
    await client.query(`insert into goods_search (goods_id, game_id, type_id, seller_id, price_fen, refreshed_at, score, tsv)
      select id, game_id, type_id, seller_id, price_fen, refreshed_at, id % 1000,
        array_to_tsvector(array['测试', '试账', '账号', '皮肤', '肤齐', '齐全', 'rare' || lpad((id % ${FIRST})::text, 7, '0')]) from goods where id > ${FIRST + from}`);
    await client.query(
      'insert into goods_stat (goods_id, game_id) select goods_id, game_id from goods_search on conflict do nothing',
    );
    await client.query(`insert into orders (id, sn, dist_id, type_id, goods_id, goods_sn, game_id, buyer_id, seller_id, status, unit_price_fen, goods_fen, total_fen, fees, snapshot,
        created_at, paid_at, shipped_at, completed_at) overriding system value
      select ${FIRST} + i, 'G' || i, dist_id, case i % 2 when 0 then 1 else 27 end, ${FIRST} + i, 'YSG' || i, game_id, ${FIRST} + (i + 1) % ${Math.ceil(to / 100)}, ${person},
        case when i <= 400 then 1 + i % 2 when i % 10 = 2 then 7 else 3 end, unit_price_fen, goods_fen, goods_fen, fees, snapshot,
        ${at}, ${at}, ${at}, case when i > 400 and i % 10 <> 2 then ${at} end
      from orders cross join generate_series(${range}) i where id = ${of.orderId}`);
    await client.query(`insert into chat_group (id, group_type, order_id, dist_id, last_seq) overriding system value
      select ${FIRST} + i, 1, ${FIRST} + i, 1, 2 from generate_series(${range}) i`);
    await client.query(`insert into chat_message (group_id, seq, uid, sender, client_msg_id, type, content)
      select ${FIRST} + i, s, i || '-' || s, 'u' || i % 100, i || '-' || s, 'text', '{"content": "你好"}' from generate_series(${range}) i cross join generate_series(1, 2) s`);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/**
 * Pages that a statement may read more of a larger market: the depth of its indexes, and that the few hundred rows of a bounded list lie on as
 * many pages, where a small market has them on a few.
 */
const SPREAD = 250;

/** Whether readings grew faster than the logarithm of the market's size. */
export function growsTooFast(small: Reading, large: Reading, smallSize: number, largeSize: number): boolean {
  return large.pages > small.pages * (Math.log(largeSize) / Math.log(smallSize)) + SPREAD;
}
