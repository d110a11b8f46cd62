import { type RawBuilder, sql } from 'kysely';
import type { transferList } from '#subjects/payments/contract/staff-money.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { type BillGroup, billGroupNames } from '#subjects/ledger/rules/bill.ts';
import type { StaffRead } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { accountName, codesOf, type PostingCode, postings } from '#subjects/ledger/server/service.ts';
import { amounting, type Batch, during, pageBy, loadTotals } from '#server/staff/list-kit.ts';
import { auditUserSearch, userIdsFor } from '#subjects/accounts/server/service.ts';
import { loadNames } from '#server/staff/names.ts';

type Input = Parsed<typeof transferList>;

interface Row {
  id: number;
  sort_key: string;
  code: PostingCode;
  ref: string;
  debit: string;
  credit: string;
  amount_fen: number;
  order_sn: string | null;
  dist_name: string;
  created_at: Date;
}

const SORTS = { time: { by: sql`t.created_at`, kind: 'time' } } as const;

/** Maximum number of a user's movements in a search, latest first. */
const OF_USER = 2000;

/** The filter for a keyword: the accounts of a user, else the number of an order. */
function keywordFilter(call: StaffRead, keyword: string): RawBuilder<unknown> {
  const person = userIdsFor(call, keyword);
  if (!person) return sql`t.order_id = (select id from orders where sn = ${keyword})`;
  return sql`t.id in (select e.transfer_id from ledger_entry e where e.account in (
      select 'user:' || p.id || k.kind from (${person}) p(id), unnest(array[':available', ':frozen', ':deposit', ':maturing']) k(kind))
    order by e.transfer_id desc limit ${OF_USER})`;
}

function filterOf(call: StaffRead, input: Input): RawBuilder<unknown> {
  const parts = [sql`true`];
  if (input.group !== undefined)
    parts.push(sql`t.code = any(${input.group.flatMap((group) => codesOf(group as BillGroup))}::text[])`);
  if (input.amount !== undefined) parts.push(amounting(sql`t.amount_fen`, input.amount));
  if (input.time !== undefined) parts.push(during(sql`t.created_at`, input.time));
  if (input.distId !== undefined) parts.push(sql`t.dist_id = any(${input.distId}::int[])`);
  if (input.newerThan !== undefined) parts.push(sql`t.created_at > ${input.newerThan}`);
  if (input.keyWord !== undefined) parts.push(keywordFilter(call, input.keyWord));
  return sql.join(parts, sql` and `);
}

/** The owner of the account. */
const userOf = (account: string): string | null => /^user:(\d+):/.exec(account)?.[1] ?? null;

/** Transfers of the ledger, newest first. A search for a user is audited. Throws FORBIDDEN. */
export async function listTransfers(
  call: StaffRead,
  input: Input,
  batch?: Batch,
): Promise<HandlerResult<typeof transferList>> {
  requirePlatform(call.staff, 'ledger.read');
  const { db, dir } = call.ctx;
  const filter = filterOf(call, input);
  const page = pageBy(input, SORTS, sql`t.id`, batch);
  const { rows } = await sql<Row>`
    select t.id, ${page.key} as sort_key, t.code, t.ref, t.debit, t.credit, t.amount_fen, o.sn as order_sn, d.name as dist_name, t.created_at
    from ledger_transfer t join distributor d on d.id = t.dist_id left join orders o on o.id = t.order_id
    where ${filter} ${page.behind} ${page.tail}`.execute(db);
  const result = page.cut(rows);
  const owners = result.rows.flatMap(({ debit, credit }) => [debit, credit]);
  const names = await loadNames(
    db,
    owners.map((key) => key.split(':').slice(0, 2).join(':')),
  );
  const found = result.rows.map(({ id }) => String(id));
  await auditUserSearch(call, 'transfer', input.keyWord, found);
  const totals = await loadTotals(db, sql`ledger_transfer t where ${filter}`, { fen: sql`t.amount_fen`, batch });
  return {
    list: result.rows.map((t) => ({
      id: t.id,
      title: postings[t.code]?.title ?? t.code,
      groupName: billGroupNames[postings[t.code]?.group ?? 'other'],
      from: accountName(t.debit, names),
      fromUserId: userOf(t.debit),
      to: accountName(t.credit, names),
      toUserId: userOf(t.credit),
      amount: t.amount_fen,
      orderSn: t.order_sn,
      ref: t.ref,
      distName: t.dist_name,
      time: t.created_at,
    })),
    ...totals,
    next: result.next,
    now: new Date(),
    sites: dir.all().map((d) => ({ distId: d.id, name: d.name })),
  };
}
