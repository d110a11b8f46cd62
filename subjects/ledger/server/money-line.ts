import { type RawBuilder, sql } from 'kysely';
import { type BillGroup, billGroups } from '../rules/bill.ts';
import type { Trx } from '#server/db/client.ts';
import { account, type PostingCode, postings } from './rules.ts';

export interface MoneyLine {
  /** The total of the user's accounts before the first movement of the line. */
  openingFen: number;
  parts: { group: BillGroup; inFen: number; outFen: number }[];
  /** The current total: opening plus income minus expenses. */
  closingFen: number;
  balances: { availableFen: number; frozenFen: number; depositFen: number; maturingFen: number };
}

const DAYS = 90;

/** SQL: the user's accounts with the version after which a movement is in the line. */
const startOf = (keys: readonly string[], days: number | null): RawBuilder<unknown> => sql`
  select a.key, a.balance, case when ${days}::int is null then 0
    else ledger_version_at(a.key, now() - make_interval(days => coalesce(${days}::int, 0))) end as since
  from ledger_account a where a.key = any(${keys})`;

/** SQL: the transfer `t` belongs to a distributor's trade; null takes all transfers. */
const onSite = (distId: number | null): RawBuilder<unknown> =>
  distId === null ? sql`` : sql`and t.dist_id = ${distId}`;

/** SQL: the balance of account `l`, or what the transfers of one distributor contributed to it. */
const balanceOn = (distId: number | null): RawBuilder<unknown> =>
  distId === null
    ? sql`l.balance`
    : sql`coalesce((select sum(e.delta) from ledger_entry e join ledger_transfer t on t.id = e.transfer_id
        where e.account = l.key ${onSite(distId)}), 0)::bigint`;

/**
 * The movements on a user's accounts since `days` ago (null: since the beginning), by purpose. Movements between two of the
 * accounts cancel out, so opening + in - out = closing to the fen: the same transfers that are summed here changed the balances.
 * With `distId`, only transfers of that distributor are counted; its sums can be negative, because money earned on one site can be
 * spent on another.
 */
export async function moneyLine(
  db: Trx,
  userId: number,
  { days, distId }: { days: number | null; distId: number | null },
): Promise<MoneyLine> {
  const of = {
    availableFen: account.available(userId),
    frozenFen: account.frozen(userId),
    depositFen: account.deposit(userId),
    maturingFen: account.maturing(userId),
  };
  const { rows } = await sql<{
    key: string;
    balance: number;
    parts: { code: PostingCode; delta: number }[];
  }>`
    with line as (${startOf(Object.values(of), days)})
    select l.key, ${balanceOn(distId)} as balance,
      coalesce((select jsonb_agg(jsonb_build_object('code', m.code, 'delta', m.fen)) from (
        select t.code, sum(e.delta)::bigint as fen from ledger_entry e join ledger_transfer t on t.id = e.transfer_id
        where e.account = l.key and e.version > l.since and not (t.debit = any(${Object.values(of)}) and t.credit = any(${Object.values(of)})) ${onSite(distId)}
        group by t.code, e.delta > 0) m), '[]') as parts
    from line l`.execute(db);
  const balance = (key: string): number => rows.find((row) => row.key === key)?.balance ?? 0;
  const closingFen = rows.reduce((sum, row) => sum + row.balance, 0);
  const moved = rows.flatMap(({ parts }) => parts);
  const parts = billGroups.flatMap((group) => {
    const own = moved.filter(({ code }) => postings[code]?.group === group);
    const inFen = own.reduce((sum, { delta }) => sum + Math.max(delta, 0), 0);
    const outFen = own.reduce((sum, { delta }) => sum - Math.min(delta, 0), 0);
    return inFen === 0 && outFen === 0 ? [] : [{ group, inFen, outFen }];
  });
  return {
    // Movements with the same time may be on either side of the start, so the opening is derived from the summed movements.
    openingFen: closingFen - parts.reduce((sum, { inFen, outFen }) => sum + inFen - outFen, 0),
    parts,
    closingFen,
    balances: {
      availableFen: balance(of.availableFen),
      frozenFen: balance(of.frozenFen),
      depositFen: balance(of.depositFen),
      maturingFen: balance(of.maturingFen),
    },
  };
}

/** The balance from the transfers of one distributor on a user's available and frozen accounts at the end of each of the last 90 days. */
export async function siteDays(db: Trx, userId: number, distId: number): Promise<{ day: string; fen: number }[]> {
  const keys = [account.available(userId), account.frozen(userId)];
  const { rows } = await sql<{ day: string; fen: number }>`
    with moved as (select (e.created_at at time zone 'Asia/Shanghai')::date as day, sum(e.delta) as fen
      from ledger_entry e join ledger_transfer t on t.id = e.transfer_id
      where e.account = any(${keys}) and t.dist_id = ${distId} group by 1)
    select to_char(s.day, 'YYYY-MM-DD') as day, coalesce((select sum(m.fen) from moved m where m.day <= s.day), 0)::bigint as fen
    from generate_series((now() at time zone 'Asia/Shanghai')::date - ${DAYS - 1}::int, (now() at time zone 'Asia/Shanghai')::date, interval '1 day') s(day)
    order by s.day`.execute(db);
  return rows;
}

/** Available and frozen balance at the end of each of the last 90 days of China, oldest first. */
export async function balanceDays(db: Trx, userId: number): Promise<{ day: string; fen: number }[]> {
  const keys = [account.available(userId), account.frozen(userId)];
  const { rows } = await sql<{ day: string; fen: number }>`
    with line as (${startOf(keys, DAYS)}),
      ends as (select distinct on (e.account, d.day) e.account, (e.created_at at time zone 'Asia/Shanghai')::date as day, e.balance_after
        from line l join ledger_entry e on e.account = l.key and e.version > l.since,
          lateral (select (e.created_at at time zone 'Asia/Shanghai')::date as day) d
        order by e.account, d.day, e.version desc)
    select to_char(s.day, 'YYYY-MM-DD') as day, coalesce(sum(coalesce(
        (select n.balance_after from ends n where n.account = l.key and n.day <= s.day order by n.day desc limit 1),
        (select e.balance_after from ledger_entry e where e.account = l.key and e.version = l.since), 0)), 0)::bigint as fen
    from generate_series((now() at time zone 'Asia/Shanghai')::date - ${DAYS - 1}::int, (now() at time zone 'Asia/Shanghai')::date, interval '1 day') s(day)
      left join line l on true
    group by s.day order by s.day`.execute(db);
  return rows;
}
