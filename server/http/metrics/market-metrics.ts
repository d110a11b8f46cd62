import type { Server } from 'node:http';
import { type RawBuilder, sql } from 'kysely';
import client from 'prom-client';
import type { Context } from '#server/context.ts';
import { showFigure } from './gauges.ts';
import { pendingAges } from '#server/access/pending-transfers.ts';
import { JOBS } from '#server/jobs/kinds.ts';
import { type Lane, LANES } from '#server/jobs/lanes.ts';

/** Maximum number of newest rows counted for the values of a minute; a higher number is reported as this one. */
const NEWEST = 5000;

interface Figures {
  outboxAge: number;
  booksWhole: boolean | null;
  booksAge: number | null;
  quarantined: boolean;
  backupAge: number | null;
  logLag: number | null;
  isFollowed: boolean;
  searchLag: number | null;
  isSearchLive: boolean | null;
  placed: number;
  paid: number;
}

const newest = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select count(*)::int from (select created_at, paid_at from orders order by id desc limit ${NEWEST}) o
    where ${column} > now() - interval '1 minute')`;

const FIGURES = sql<Figures>`
  select coalesce(extract(epoch from now() - (select min(created_at) from outbox))::float8, 0) as "outboxAge",
    (select cardinality(breaches) = 0 from books_check where ended_at is not null order by day desc limit 1) as "booksWhole",
    (select extract(epoch from now() - ended_at)::float8 from books_check where ended_at is not null order by day desc limit 1) as "booksAge",
    exists (select from quarantine where released_at is null) as quarantined,
    (select extract(epoch from now() - max(ended_at))::float8 from backup_run) as "backupAge",
    (select pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 from pg_replication_slots where slot_name = 'youshi_backup') as "logLag",
    exists (select from pg_replication_slots where slot_name = 'youshi_backup' and active) as "isFollowed",
    (select coalesce(extract(epoch from clock_timestamp() - (select at from search_change order by id limit 1)), 0)::float8
      from search_feed where engine is not null) as "searchLag",
    (select live is not null from search_feed where engine is not null) as "isSearchLive",
    ${newest(sql`o.created_at`)} as placed, ${newest(sql`o.paid_at`)} as paid`;

/** The longest delay of each lane, in seconds. */
function worstByLane(overdue: readonly { kind: string; seconds: number }[]): Map<Lane, number> {
  const worst = new Map<Lane, number>(LANES.map((lane) => [lane, 0]));
  for (const { kind, seconds } of overdue) {
    const lane = kind in JOBS ? JOBS[kind as keyof typeof JOBS].lane : 'upkeep';
    worst.set(lane, Math.max(worst.get(lane) ?? 0, seconds));
  }
  return worst;
}

/** The metrics of the standbys that serve reads; absent where there are none. */
function registerCopyMetrics(registry: client.Registry, ctx: Context) {
  const gauge = (name: string, help: string): client.Gauge => new client.Gauge({ name, help, registers: [registry] });
  const lag = gauge('search_lag_seconds', 'age of the oldest change that the search engine does not know');
  const live = gauge('search_live', '1 when the search engine has an index that is asked, else 0');
  const standby = gauge(
    'standby_lag_seconds',
    'how far behind the standby is that reads go to; absent while it is away',
  );
  for (const one of [lag, live, standby]) showFigure(one, null);
  return {
    showSearch({ searchLag, isSearchLive }: Pick<Figures, 'searchLag' | 'isSearchLive'>): void {
      showFigure(lag, searchLag);
      showFigure(live, isSearchLive === null ? null : Number(isSearchLive));
    },
    showStandby(): void {
      const ms = ctx.standby?.lagMs();
      showFigure(standby, ms === undefined ? null : ms / 1000);
    },
  };
}

/** Registers the age of the oldest pending refund and payout. Returns the function that sets it. */
function registerTransferMetrics(registry: client.Registry) {
  const age = new client.Gauge({
    name: 'pending_transfer_age_seconds',
    help: 'age of the oldest refund or payout without a result from its channel',
    labelNames: ['what'],
    registers: [registry],
  });
  return ({ refund, payout }: Awaited<ReturnType<typeof pendingAges>>): void => {
    age.set({ what: 'refund' }, refund);
    age.set({ what: 'payout' }, payout);
  };
}

/** Database connections of this process, including those for events and jobs. Returns the function that exports them. */
function registerPoolMetrics(registry: client.Registry, ctx: Context): () => void {
  const pool = new client.Gauge({
    name: 'pool_connections',
    help: 'database connections of this process: all, idle, and requests that wait for one',
    labelNames: ['what'],
    registers: [registry],
  });
  const pools = [...new Set([ctx.pool, ctx.relaxedPool])];
  return () => {
    let [all, idle, waiting] = [0, 0, 0];
    for (const one of pools) {
      all += one.totalCount;
      idle += one.idleCount;
      waiting += one.waitingCount;
    }
    pool.set({ what: 'all' }, all);
    pool.set({ what: 'idle' }, idle);
    pool.set({ what: 'waiting' }, waiting);
  };
}

/** Open upgraded connections of a server. */
function countSockets(server: Server): () => number {
  let open = 0;
  server.on('upgrade', (_request, socket) => {
    open += 1;
    socket.once('close', () => (open -= 1));
  });
  return () => open;
}

/**
 * The market's own figures in `/metrics`: queues, pool, sockets, books, backups, orders and money of the last minute. Returns the function
 * that reads them before a scrape; while the database is unavailable the previous values stay and `database_up` is 0.
 */
export function registerMarketMetrics(registry: client.Registry, ctx: Context, server: Server): () => Promise<void> {
  const gauge = <T extends string>(name: string, help: string, labelNames: T[] = []): client.Gauge<T> =>
    new client.Gauge({ name, help, labelNames, registers: [registry] });
  const up = gauge('database_up', '1 when the figures could be read from the database, else 0');
  const outbox = gauge('outbox_age_seconds', 'age of the oldest event that waits to be heard');
  const lanes = gauge('jobs_overdue_lane_seconds', 'how long the most overdue job of a lane has been due', ['lane']);
  const books = gauge('books_whole', '1 when the newest nightly check found the books whole, else 0');
  const booksAge = gauge('books_age_seconds', 'since the newest nightly check of the books ended');
  const held = gauge('quarantine', '1 while a restored market waits to be released');
  const backup = gauge('backup_age_seconds', 'since the newest base backup; absent before the first one');
  const lag = gauge('backup_log_lag_bytes', 'log of the database that is not archived yet; absent without an archive');
  const followed = gauge('backup_log_followed', '1 while the log is being archived');
  const copies = registerCopyMetrics(registry, ctx);
  const showTransfers = registerTransferMetrics(registry);
  const orders = gauge('orders_minute', 'orders of the last minute', ['what']);
  const money = gauge('money_minute_fen', 'money moved in the ledger in the last minute, by the kind of transfer', [
    'code',
  ]);
  const sockets = countSockets(server);
  const open = gauge('sockets_open', 'open WebSocket connections of this process');
  const showPools = registerPoolMetrics(registry, ctx);
  const showProcess = (): void => {
    open.set(sockets());
    copies.showStandby();
    showPools();
  };
  // Unknown until the database has been read once.
  for (const one of [outbox, books, booksAge, held, backup, lag, followed]) showFigure(one, null);
  const show = (f: Figures): void => {
    outbox.set(f.outboxAge);
    showFigure(books, f.booksWhole === null ? null : Number(f.booksWhole));
    showFigure(booksAge, f.booksAge);
    held.set(Number(f.quarantined));
    showFigure(backup, f.backupAge);
    showFigure(lag, f.logLag);
    followed.set(Number(f.isFollowed));
    copies.showSearch(f);
    orders.set({ what: 'placed' }, f.placed);
    orders.set({ what: 'paid' }, f.paid);
  };
  return async () => {
    // Read before the scrape's own queries take connections.
    showProcess();
    try {
      const [figures, ages, overdue, moved] = await Promise.all([
        FIGURES.execute(ctx.db),
        pendingAges(ctx.db),
        sql<{ kind: string; seconds: number }>`
          select kind, extract(epoch from now() - min(due_at))::float8 as seconds from timer where due_at < now() group by 1`.execute(
          ctx.db,
        ),
        sql<{ code: string; fen: number }>`
          select code, sum(amount_fen)::bigint as fen from (select code, amount_fen, created_at from ledger_transfer order by id desc limit ${NEWEST}) l
          where created_at > now() - interval '1 minute' group by 1`.execute(ctx.db),
      ]);
      if (figures.rows[0]) show(figures.rows[0]);
      showTransfers(ages);
      for (const [lane, seconds] of worstByLane(overdue.rows)) lanes.set({ lane }, seconds);
      money.reset();
      for (const { code, fen } of moved.rows) money.set({ code }, fen);
      up.set(1);
    } catch (error) {
      up.set(0);
      ctx.log.warn({ error: String(error) }, 'the figures of the market could not be read');
    }
  };
}
