/**
 * The nightly check of the books over many entries, while people trade. `npm run bench -- books`; ENTRIES=10000000 by default, two for
 * each transfer. The folder of temporary files (TMPDIR) needs half a GB for each million.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readState } from '#server/db/embedded-cluster.ts';
import { startNightly } from '#subjects/ledger/server/service.ts';
import { serverProcess } from '#tests/support/servers/server-process.ts';
import { type BenchMarket, benchMarket } from '../lib/market.ts';
import { quantile } from '../lib/stats.ts';
import { type Goods, traders } from '../lib/traders.ts';

const ENTRIES = Number(process.env.ENTRIES ?? 10_000_000);
/** A past trade: topped up, paid, proceeds, commission, end of the hold. */
const PER_ORDER = 5;
const ORDERS = Math.floor(ENTRIES / 2 / PER_ORDER);
const BATCH = 100_000;
const USERS = Math.max(1, Math.min(5_000, Math.floor(ORDERS / 100)));
const BUYERS = 100;
const GOODS = 20_000;
const TRADERS = 4;
const PORT = 31_960;
const QUIET_MS = 20_000;

/** Trades $1 to $2 of the past, each with a chain of entries that is right by arithmetic: nothing has to be summed up. */
const FILL = `
  with o as (select i, i % ${USERS} as u, i / ${USERS} as n, i % 16 as s, i / 16 as m, 2000000 + i as id,
      now() - interval '300 days' + i * interval '10 seconds' as at from generate_series($1::bigint, $2::bigint) i),
  placed as (insert into orders (id, sn, dist_id, type_id, buyer_id, seller_id, status, unit_price_fen, goods_fen, total_fen, commission_fen, fees, snapshot,
      paid_at, shipped_at, completed_at, created_at) overriding system value
    select id, 'B' || id, 1, 1, 20000000 + u, 30000000 + u, 3, 10000, 10000, 10000, 500, '[]', '{}', at, at, at, at from o),
  t as (select o.*, x.* from o cross join lateral (values
      (1, 'topup', 'payment:' || id, 'clearing:bank:' || s, m + 1, (m + 1) * -10000, 'user:' || 20000000 + u || ':available', 2 * n + 1, 10000::bigint, 10000),
      (2, 'order_pay', 'order:' || id, 'user:' || 20000000 + u || ':available', 2 * n + 2, 0, 'order:' || id || ':escrow', 1, 10000, 10000),
      (3, 'sale_proceeds', 'order:' || id, 'order:' || id || ':escrow', 2, 500, 'user:' || 30000000 + u || ':frozen', 2 * n + 1, 9500, 9500),
      (4, 'sale_commission', 'order:' || id, 'order:' || id || ':escrow', 3, 0, 'platform:fee:' || s, m + 1, (m + 1) * 500, 500),
      (5, 'hold_end', 'hold:' || id, 'user:' || 30000000 + u || ':frozen', 2 * n + 2, 0, 'user:' || 30000000 + u || ':available', n + 1, (n + 1) * 9500, 9500)
    ) as x (k, code, ref, debit, debit_version, debit_after, credit, credit_version, credit_after, fen)),
  moved as (insert into ledger_transfer (id, code, ref, debit, credit, amount_fen, dist_id, order_id, created_at) overriding system value
    select 2000000 + i * ${PER_ORDER} + k, code, ref, debit, credit, fen, 1, case when k > 1 then id end, at from t order by i, k)
  insert into ledger_entry (account, version, transfer_id, delta, balance_after, created_at)
    select debit, debit_version, 2000000 + i * ${PER_ORDER} + k, -fen, debit_after, at from t
    union all select credit, credit_version, 2000000 + i * ${PER_ORDER} + k, fen, credit_after, at from t`;

/** The balances that all those chains end with. */
const BALANCES = `
  insert into ledger_account (key, may_overdraw, balance, version)
    select account, ledger_may_overdraw(account), balance_after, version
    from (select distinct on (account) account, version, balance_after from ledger_entry order by account, version desc) e
    on conflict (key) do nothing`;

/** Fills the books as the superuser, past the triggers that guard them; index by index, as a restored dump is. */
async function fill(market: BenchMarket): Promise<void> {
  const state = readState(market.env.DATA_DIR ?? '');
  if (!state) throw new Error('no cluster');
  const url = new URL(market.env.DATABASE_URL ?? '');
  url.username = 'postgres';
  url.password = state.superPassword;
  const admin = new pg.Client({ connectionString: url.href, options: '-c jit=off -c synchronous_commit=off' });
  await admin.connect();
  try {
    const run = async (text: string, values: unknown[] = []) => await admin.query(text, values);
    await run(`set session_replication_role = replica`);
    await run(`set maintenance_work_mem = '512MB'`);
    await run(`alter table ledger_entry drop constraint ledger_entry_pkey`);
    await run(`drop index ledger_entry_transfer`);
    await run(`alter table ledger_transfer drop constraint ledger_transfer_code_ref_key`);
    await run(`drop index ledger_transfer_order`);
    for (let from = 0; from < ORDERS; from += BATCH) {
      await run(FILL, [from, Math.min(from + BATCH, ORDERS) - 1]);
      if ((from / BATCH) % 5 === 0) console.log(`${((from + BATCH) * PER_ORDER * 2) / 1e6} million entries`);
    }
    await run(`alter table ledger_entry add primary key (account, version)`);
    await run(`create index ledger_entry_transfer on ledger_entry (transfer_id)`);
    await run(`alter table ledger_transfer add unique (code, ref)`);
    await run(`create index ledger_transfer_order on ledger_transfer (order_id) where order_id is not null`);
    await run(BALANCES);
    await run(`select setval(pg_get_serial_sequence('ledger_transfer', 'id'), (select max(id) from ledger_transfer))`);
    await run(`select setval(pg_get_serial_sequence('orders', 'id'), (select max(id) from orders))`);
    await run('vacuum analyze');
  } finally {
    await admin.end();
  }
}

/** Trades without a pause until `stop`; the times of the trades in ms. */
function tradeOn(market: BenchMarket, goods: Goods[]): { take(): number[]; stop(): Promise<void> } {
  const people = traders(PORT, TRADERS);
  let running = true;
  let times: number[] = [];
  const one = async (): Promise<void> => {
    for (let g = goods.pop(); running && g; g = goods.pop()) {
      const buyer = market.buyers[g.id % BUYERS];
      if (!buyer) continue;
      const begun = performance.now();
      await people.trade(buyer, g);
      times.push(performance.now() - begun);
      await sleep(20);
    }
    if (running) throw new Error('the goods are sold out');
  };
  const all = Promise.all(Array.from({ length: TRADERS }, one));
  return {
    take() {
      const current = times;
      times = [];
      return current;
    },
    async stop() {
      running = false;
      await all;
      people.close();
    },
  };
}

const describe = (name: string, times: number[], seconds: number): string =>
  `${name}: ${(times.length / seconds).toFixed(0)} orders a second, p50 ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)}, longest ${quantile(times, 1).toFixed(0)}`;

async function main(): Promise<void> {
  const market = await benchMarket({ buyers: BUYERS });
  const server = serverProcess(PORT, market.env);
  try {
    const goods: Goods[] = [];
    while (goods.length < GOODS) goods.push(...(await market.addGoods(2_000)));
    const begun = performance.now();
    await fill(market);
    console.log(`${ENTRIES} entries filled in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    await server.start();
    const trade = tradeOn(market, goods);
    await sleep(5_000);
    trade.take();
    await sleep(QUIET_MS);
    console.log(describe('trade alone', trade.take(), QUIET_MS / 1000));
    const from = performance.now();
    const { done } = await startNightly(market.ctx);
    const breaches = await done;
    const seconds = (performance.now() - from) / 1000;
    console.log(describe('trade beside the check', trade.take(), seconds));
    console.log(`check of ${ENTRIES} entries: ${seconds.toFixed(0)} s, breaches`, breaches);
    await trade.stop();
  } finally {
    await server.kill();
    await market.close();
  }
}

await main();
