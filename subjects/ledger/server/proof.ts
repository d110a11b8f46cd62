/**
 * The incremental proof of the ledger (docs/decisions/406). Transfers are proved in blocks: the entries of each transfer, the links
 * from these entries to the ones before them, and the resulting balances. Since each link is proved once, all chains are proved. A
 * hash shows later whether a block is still the one that was proved. Every step is a separate short statement, so that vacuum is
 * never held back.
 */
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { afterCommit, type Db, inTransaction, type Trx } from '#server/db/client.ts';

/** Number of transfers per block; the table rejects larger blocks. */
const BLOCK = 5_000;
/** Time of one run for new blocks, and for older ones and accounts. */
const RUN_MS = 10_000;
const ROUND_MS = 3_000;
const EVERY_SECONDS = 60;
/** Accounts of one part of the round. */
const ACCOUNTS = 2_000;
/** A block is compared with its hash again after this. */
const AGAIN_DAYS = 30;
const MAX_BREACHES = 100;
/** A transfer gets its number before its transaction id; this is the maximum time between the two. */
const SETTLE_SECONDS = 60;

interface Proof {
  transfers: number;
  fen: number;
  hash: Buffer;
  breaches: string[];
}

/** Proves the transfers of a block as they are now. */
async function prove(db: Trx, afterId: number, toId: number): Promise<Proof> {
  const { rows } = await sql<Proof>`
    with t as materialized (select * from ledger_transfer where id > ${afterId}::bigint and id <= ${toId}::bigint),
      e as materialized (select e.* from t join ledger_entry e on e.transfer_id = t.id),
      pairs as (select transfer_id, count(*) as n, sum(delta) as s, max(delta) as m from e group by 1),
      wrong as (
        select 'L4 transfer without its two entries: ' || t.id as breach from t left join pairs p on p.transfer_id = t.id
          where (p.n = 2 and p.s = 0 and p.m = t.amount_fen
            and exists (select from e where e.transfer_id = t.id and e.account = t.debit and e.delta < 0)
            and exists (select from e where e.transfer_id = t.id and e.account = t.credit and e.delta > 0)) is not true
        union all
        select 'L3 broken chain: ' || e.account || ' ' || e.version from e
          left join ledger_entry p on p.account = e.account and p.version = e.version - 1
          where (case when e.version = 1 then e.delta when e.version > 1 then p.balance_after + e.delta end = e.balance_after) is not true
        union all
        select ${sql.raw(DIFFERS)} from (select distinct account as key from e) k join ledger_account a on a.key = k.key
          ${sql.raw(NEWEST)} where ${sql.raw(IS_OFF)})
    select (select count(*)::int from t) as transfers, (select coalesce(sum(amount_fen), 0)::bigint from t) as fen,
      sha256(convert_to(
        coalesce((select string_agg(concat_ws(' ', id, code, ref, debit, credit, amount_fen, dist_id, order_id), E'\n' order by id) from t), '') || E'\n\n' ||
        coalesce((select string_agg(concat_ws(' ', transfer_id, account, version, delta, balance_after), E'\n' order by transfer_id, account, version) from e), ''),
        'UTF8')) as hash,
      array(select breach from wrong limit ${MAX_BREACHES}::int) as breaches`.execute(db);
  const proof = rows[0];
  if (!proof) throw new Error('the proof query returned no row');
  return proof;
}

/** The newest entry of account `a`, and the breach text when the account differs from it. */
const NEWEST = `left join lateral (select version, balance_after from ledger_entry n where n.account = a.key order by version desc limit 1) n on true`;
const IS_OFF = `(a.balance <> coalesce(n.balance_after, 0) or a.version <> coalesce(n.version, 0))`;
const DIFFERS = `'L2 balance differs from entries: ' || a.key || ' ' || a.balance || ' / ' || coalesce(n.balance_after, 0)`;

/** Stores breaches for the nightly report, in the transaction that found them. */
async function report(ctx: Pick<Context, 'log'>, trx: Trx, breaches: readonly string[]): Promise<void> {
  if (breaches.length === 0) return;
  await sql`update books_progress set breaches =
    array(select distinct b from unnest(breaches || ${[...breaches]}::text[]) b limit ${MAX_BREACHES}::int)`.execute(
    trx,
  );
  afterCommit(trx, () =>
    ctx.log.error({ breaches: breaches.slice(0, 10), count: breaches.length }, 'the books are broken'),
  );
}

/** Deletes breaches that are stored elsewhere; those found meanwhile are kept. */
export async function forgetBreaches(db: Db, stored: readonly string[]): Promise<void> {
  await sql`update books_progress set breaches = array(select b from unnest(breaches) b where b <> all(${[...stored]}::text[]))`.execute(
    db,
  );
}

interface Progress {
  /** End of the last block. */
  provedTo: number;
  /** Transfers up to this one may be proved: every transaction of their time has ended. */
  settledTo: number;
}

/**
 * How far the proof may go. Numbers are not assigned in commit order, so the newest number is recorded with the newest transaction, and used
 * once no transaction that old is visible in a snapshot as running. Only the database's owner writes both (`books_look`).
 */
async function progress(db: Db, settleSeconds: number): Promise<Progress> {
  const { rows } = await sql<Progress & { isSettled: boolean }>`
    select coalesce((select to_id from books_block order by to_id desc limit 1), 0)::bigint as "provedTo", seen_id as "settledTo",
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint > seen_xid and seen_at <= clock_timestamp() - make_interval(secs => ${settleSeconds}) as "isSettled"
    from books_progress`.execute(db);
  const now = rows[0];
  if (!now) throw new Error('books_progress has no row');
  if (now.isSettled && now.settledTo > now.provedTo) return now;
  await sql`select books_look(${settleSeconds}::int)`.execute(db);
  return { provedTo: now.provedTo, settledTo: now.provedTo };
}

/** Proves the next block; `isWhole`: only one that is full. Returns whether there was one. */
async function proveNext(ctx: Context, isWhole: boolean, settleSeconds: number): Promise<boolean> {
  const { provedTo, settledTo } = await progress(ctx.db, settleSeconds);
  const toId = Math.min(settledTo, provedTo + BLOCK);
  if (toId <= provedTo || (isWhole && toId - provedTo < BLOCK)) return false;
  await inTransaction(ctx.db, async (trx) => {
    const { transfers, fen, hash, breaches } = await prove(trx, provedTo, toId);
    const isBroken = breaches.length > 0;
    await sql`insert into books_block (after_id, to_id, transfers, fen, hash, is_broken)
      values (${provedTo}, ${toId}, ${transfers}, ${fen}, ${isBroken ? null : hash}, ${isBroken}) on conflict do nothing`.execute(
      trx,
    );
    await report(ctx, trx, breaches);
  });
  return true;
}

/** Proves a block again and compares it with its hash. A block that was never complete gets its hash when it is. */
async function compare(ctx: Context, afterId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ toId: number; hash: Buffer | null }>`
      select to_id as "toId", hash from books_block where after_id = ${afterId} for update`.execute(trx);
    const block = rows[0];
    if (!block) return;
    const { hash, breaches } = await prove(trx, afterId, block.toId);
    if (block.hash !== null && !hash.equals(block.hash))
      breaches.push(`L6 transfers ${afterId + 1} to ${block.toId} are not what was proved`);
    const isBroken = breaches.length > 0;
    await sql`update books_block set checked_at = clock_timestamp(), is_broken = ${isBroken}, hash = ${isBroken ? block.hash : hash}
      where after_id = ${afterId}`.execute(trx);
    await report(ctx, trx, breaches);
  });
}

/** Compares the block with the oldest comparison, if it is due. Returns whether there was one. */
async function compareNext(ctx: Context): Promise<boolean> {
  const { rows } = await sql<{ afterId: number }>`
    select after_id as "afterId" from books_block where checked_at < now() - make_interval(days => ${AGAIN_DAYS})
    order by checked_at, after_id limit 1`.execute(ctx.db);
  if (!rows[0]) return false;
  await compare(ctx, rows[0].afterId);
  return true;
}

/** Compares the next accounts of the round with their newest entries; returns whether the round has ended. */
async function compareAccounts(ctx: Context): Promise<boolean> {
  const { rows } = await sql<{ last: string | null; n: number; breaches: string[] }>`
    with part as materialized (select a.* from ledger_account a where a.key > (select account from books_progress) order by a.key limit ${ACCOUNTS}::int)
    select (select max(key) from part) as last, (select count(*)::int from part) as n,
      array(select ${sql.raw(DIFFERS)} from part a ${sql.raw(NEWEST)} where ${sql.raw(IS_OFF)} limit ${MAX_BREACHES}::int) as breaches`.execute(
    ctx.db,
  );
  const { last = null, n = 0, breaches = [] } = rows[0] ?? {};
  const isLast = n < ACCOUNTS;
  await inTransaction(ctx.db, async (trx) => {
    await sql`update books_progress set account = ${isLast ? '' : (last ?? '')}::text`.execute(trx);
    await report(ctx, trx, breaches);
  });
  return isLast;
}

/** One run of the job: full blocks of new transfers, then older ones and accounts alternately. Returns when the next is due. */
export async function proveBooks(ctx: Context): Promise<{ seconds: number }> {
  const began = performance.now();
  const isWithin = (ms: number): boolean => performance.now() - began < ms;
  while (isWithin(RUN_MS) && (await proveNext(ctx, true, SETTLE_SECONDS)));
  const isBehind = !isWithin(RUN_MS);
  const round = performance.now() + ROUND_MS;
  while (performance.now() < round && (await compareNext(ctx)));
  while (performance.now() < round && !(await compareAccounts(ctx)));
  return { seconds: isBehind ? 0 : EVERY_SECONDS };
}

/**
 * Proves everything that can be proved now, including a part of the last block, and compares every account and every broken block again
 * (`isAgain`: every block), in batches. Returns the breaches that are not yet deleted (`forgetBreaches`). Called at night and by tools.
 */
export async function proveAll(
  ctx: Context,
  { settleSeconds = SETTLE_SECONDS, isAgain = false }: { settleSeconds?: number; isAgain?: boolean } = {},
): Promise<string[]> {
  while (await proveNext(ctx, false, settleSeconds));
  const { rows: blocks } = await sql<{ afterId: number }>`
    select after_id as "afterId" from books_block where is_broken or ${isAgain}::boolean order by after_id`.execute(
    ctx.db,
  );
  for (const { afterId } of blocks) await compare(ctx, afterId);
  while (!(await compareAccounts(ctx)));
  const { rows } = await sql<{ breaches: string[] }>`select breaches from books_progress`.execute(ctx.db);
  return rows[0]?.breaches ?? [];
}
