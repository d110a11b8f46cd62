/**
 * What rows of a market weigh on disk, and what 10^8 goods, 10^8 orders and 10^9 messages would: `BASE_URL=postgres://… npm run bench -- rows` reads
 * the tables of a filled market and extrapolates by the rows that a listing, an order and a message have there. `postgres.json` in `DATA_DIR` names
 * the embedded one, which must be running.
 */
import pg from 'pg';
import { readState } from '#server/db/embedded-cluster.ts';

/** The quantity that a table grows with. */
const GROWS: Readonly<Record<string, readonly string[]>> = {
  goods: [
    'goods',
    'goods_search',
    'goods_stat',
    'goods_event',
    'goods_price_day',
    'goods_follow',
    'goods_view',
    'goods_week',
  ],
  orders: [
    'orders',
    'order_process',
    'ledger_account',
    'ledger_transfer',
    'ledger_entry',
    'payment',
    'hold',
    'hold_stage',
    'notice',
    'notice_delivery',
    'idempotency',
    'order_review',
    'chat_group',
    'chat_member',
  ],
  chat_message: ['chat_message'],
};
const GOALS: Readonly<Record<string, number>> = { goods: 1e8, orders: 1e8, chat_message: 1e9 };

const state = readState(process.env.DATA_DIR ?? '.data');
const url =
  process.env.BASE_URL ?? (state ? `postgres://postgres:${state.superPassword}@127.0.0.1:${state.port}/youshi` : '');
const client = new pg.Client({ connectionString: url });
await client.connect();
const { rows } = await client.query<{ name: string; n: number; heap: number; indexes: number }>(`
  select c.relname as name, c.reltuples::bigint as n, pg_table_size(c.oid) as heap, pg_indexes_size(c.oid) as indexes
  from pg_class c join pg_namespace s on s.oid = c.relnamespace where s.nspname = 'public' and c.relkind = 'r'`);
await client.end();
const tables = new Map(rows.map((row) => [row.name, row]));
const lines = Object.entries(GROWS).flatMap(([of, names]) => {
  const base = Number(tables.get(of)?.n ?? 0);
  return names.flatMap((name) => {
    const table = tables.get(name);
    const n = Number(table?.n ?? 0);
    if (!table || n <= 0 || base <= 0) return [];
    const goal = (n / base) * (GOALS[of] ?? 0);
    const [heap, indexes] = [Number(table.heap) / n, Number(table.indexes) / n];
    return [
      {
        of,
        table: name,
        rows: n,
        'rows each': Number((n / base).toFixed(2)),
        'bytes/row': Math.round(heap),
        'index bytes/row': Math.round(indexes),
        'GB at the goal': Math.round((goal * (heap + indexes)) / 1e9),
      },
    ];
  });
});
console.table(lines);
for (const of of Object.keys(GROWS))
  console.log(
    of,
    lines.filter((line) => line.of === of).reduce((sum, line) => sum + line['GB at the goal'], 0),
    'GB',
  );
