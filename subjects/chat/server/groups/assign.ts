import { SwitchStatus, StaffStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { staffHolds } from '#server/access/permissions.ts';
import type { Trx } from '#server/db/client.ts';

/** A member of customer service who can take a group. */
export interface FreeStaff {
  id: number;
  imUid: string;
  name: string;
}

/** Staff with a shift today (China time) work within it; staff without one work whenever they are on duty. */
const IN_SHIFT = sql`(exists (select from staff_shift h where h.staff_id = s.id and now() between h.starts_at and h.ends_at)
  or not exists (select from staff_shift h where h.staff_id = s.id
    and h.starts_at < (date_trunc('day', now() at time zone 'Asia/Shanghai') + interval '1 day') at time zone 'Asia/Shanghai'
    and h.ends_at > date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'))`;

/** The groups that a member of staff `s` has at present. */
const LOAD = sql`lateral (select count(*) as n from chat_member m where m.member = s.im_uid and m.is_current and m.left_at is null) l`;
/** Staff `s` with `LOAD` who can take a group: on duty, within their shift and below their maximum. */
const IS_FREE = sql<boolean>`(s.on_duty and ${staffHolds(sql`s`, 'chat.serve')} and not ${staffHolds(sql`s`, 'chat.supervise')} and l.n < s.max_chats and ${IN_SHIFT})`;

/** A group that needs a member of customer service. */
export interface StaffRequest {
  distId: number;
  orderId: number | null;
  /** Takes the group if active, regardless of other conditions. */
  preferredStaffId: number | null;
  /** For a group that has been queued for long. */
  ignoreRule?: boolean;
}

interface OrderRule {
  orderId: number;
  buyerId: number;
  /** Empty: all staff. */
  staffIds: number[];
  keepSame: boolean;
}

/** Orders with the first rule that matches each by game, type and amount; without a match all staff may take it. */
async function loadRules(trx: Trx, orderIds: readonly number[]): Promise<Map<number, OrderRule>> {
  if (orderIds.length === 0) return new Map();
  const { rows } = await sql<OrderRule>`
    select o.id as "orderId", o.buyer_id as "buyerId", coalesce(r.staff_ids, '{}') as "staffIds", coalesce(r.keep_same, true) as "keepSame"
    from orders o left join lateral (
      select a.staff_ids, a.keep_same from assignment_rule a
      where a.status = ${sql.lit(SwitchStatus.On)} and a.duty = 'trade' and (a.dist_id is null or a.dist_id = o.dist_id) and (a.game_id is null or a.game_id = o.game_id)
        and (a.order_types is null or o.type_id = any(a.order_types)) and o.total_fen >= a.min_fen and (a.max_fen is null or o.total_fen < a.max_fen)
      order by a.sort, a.id limit 1) r on true
    where o.id = any(${[...orderIds]}::bigint[])`.execute(trx);
  return new Map(rows.map((row) => [row.orderId, row]));
}

interface Candidate extends FreeStaff {
  distId: number | null;
  /** On duty, within the shift and below the maximum; false for staff who are only preferred. */
  isFree: boolean;
  maxChats: number;
  /** Groups at present. */
  load: number;
  /** The requested buyers served in the last 30 days. */
  buyerIds: Set<number>;
}

/** The buyers among these that each member of staff has served in the last 30 days. */
async function buyersServed(trx: Trx, buyerIds: readonly number[]): Promise<Map<number, Set<number>>> {
  const served = new Map<number, Set<number>>();
  if (buyerIds.length === 0) return served;
  const { rows } = await sql<{ staffId: number; buyerId: number }>`
    select distinct a.staff_id as "staffId", p.buyer_id as "buyerId" from orders p join chat_group g on g.order_id = p.id
      join chat_assignment a on a.group_id = g.id
    where p.buyer_id = any(${[...buyerIds]}::bigint[]) and a.from_at > now() - interval '30 days'`.execute(trx);
  for (const { staffId, buyerId } of rows) served.set(staffId, (served.get(staffId) ?? new Set()).add(buyerId));
  return served;
}

/** The staff who can take a group of one of these distributors, and the preferred ones. */
async function candidatesFor(
  trx: Trx,
  requests: readonly StaffRequest[],
  buyerIds: readonly number[],
): Promise<Candidate[]> {
  const dists = requests.map(({ distId }) => distId);
  const preferred = requests.flatMap(({ preferredStaffId }) => preferredStaffId ?? []);
  const served = await buyersServed(trx, buyerIds);
  const { rows } = await sql<Omit<Candidate, 'buyerIds'>>`
    select s.id, s.im_uid as "imUid", s.name, s.dist_id as "distId", ${IS_FREE} as "isFree", s.max_chats as "maxChats", l.n as load
    from staff s cross join ${LOAD}
    where s.status = ${sql.lit(StaffStatus.Active)} and (s.dist_id is null or s.dist_id = any(${dists}::int[])) and (s.id = any(${preferred}::bigint[]) or ${IS_FREE})`.execute(
    trx,
  );
  return rows.map((row) => ({ ...row, buyerIds: served.get(row.id) ?? new Set() }));
}

/**
 * The members of customer service for groups, in the order of `requests`; undefined when no one can take it. For each:
 * the preferred one if active; else, of the staff that the order's rule names who are on duty, within their shift if
 * the day has one, and below their maximum, the one who served this buyer in the last 30 days (where the rule says so),
 * then the least loaded. An assigned group counts for the next ones: the choice holds a lock until the end of the
 * transaction, so that two batches do not both fill up the same people.
 */
export async function loadLeastLoaded(trx: Trx, requests: readonly StaffRequest[]): Promise<(FreeStaff | undefined)[]> {
  if (requests.length === 0) return [];
  await sql`select pg_advisory_xact_lock(hashtext('chat.assign'))`.execute(trx);
  const orders = await loadRules(
    trx,
    requests.flatMap(({ orderId }) => orderId ?? []),
  );
  const ruleOf = ({ orderId, ignoreRule }: StaffRequest): OrderRule | undefined => {
    const rule = orders.get(orderId ?? 0);
    return rule && ignoreRule === true ? { ...rule, staffIds: [], keepSame: true } : rule;
  };
  const buyerIds = requests.flatMap((request) => {
    const rule = ruleOf(request);
    return rule?.keepSame === true ? rule.buyerId : [];
  });
  const staff = await candidatesFor(trx, requests, [...new Set(buyerIds)]);
  return requests.map((request) => {
    const rule = ruleOf(request);
    const chosen = bestOf(staff, request, rule);
    if (!chosen) return undefined;
    chosen.load += 1;
    if (rule) chosen.buyerIds.add(rule.buyerId);
    return chosen;
  });
}

/** Whether a group is queued while none of its site's staff is available. */
export async function waitsForStaff(db: Trx, groupId: number): Promise<boolean> {
  const { rows } = await sql`
    select from service_queue q where q.group_id = ${groupId} and not exists (
      select from staff s cross join ${LOAD} where s.status = ${sql.lit(StaffStatus.Active)} and (s.dist_id is null or s.dist_id = q.dist_id) and ${IS_FREE})`.execute(
    db,
  );
  return rows.length > 0;
}

function bestOf(
  staff: readonly Candidate[],
  { distId, preferredStaffId }: StaffRequest,
  rule: OrderRule | undefined,
): Candidate | undefined {
  const isNamed = (s: Candidate): boolean =>
    rule === undefined || rule.staffIds.length === 0 || rule.staffIds.includes(s.id);
  const ranked = staff
    .filter((s) => s.distId === null || s.distId === distId)
    .filter((s) => s.id === preferredStaffId || (s.isFree && s.load < s.maxChats && isNamed(s)))
    .map((s) => ({
      s,
      isPreferred: s.id === preferredStaffId,
      isKnown: rule?.keepSame === true && s.buyerIds.has(rule.buyerId),
      lot: Math.random(),
    }));
  const [first] = ranked.toSorted(
    (a, b) =>
      Number(b.isPreferred) - Number(a.isPreferred) ||
      Number(b.isKnown) - Number(a.isKnown) ||
      a.s.load - b.s.load ||
      a.lot - b.lot,
  );
  return first?.s;
}

/** The same for one group. */
export async function leastLoaded(trx: Trx, request: StaffRequest): Promise<FreeStaff | undefined> {
  return (await loadLeastLoaded(trx, [request]))[0];
}
