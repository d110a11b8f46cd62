import { OrderType, BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { PackageStatus } from '#contract/rules/statuses.ts';
import type { Route } from '../rules/rank-ladder.ts';
import { sql } from 'kysely';
import type { MilestoneState, ServiceState } from '../rules/service.ts';
import type { Trx } from '#server/db/client.ts';

export type ServiceMode = 'account' | 'together' | 'online';

/** The service of an order. */
export interface ServiceRow {
  orderId: number;
  packageId: number | null;
  providerId: number;
  typeId: number;
  units: number;
  minutes: number;
  mode: ServiceMode;
  form: { area?: string; note?: string; trialMinutes?: number; parent?: string };
  state: ServiceState;
  safetyFen: number;
  efficiencyFen: number;
  acceptBy: Date | null;
  acceptedAt: Date | null;
  /** From then on giving up costs the booster nothing, while the account or the buyer is missing. */
  accountFreeAt: Date | null;
  dueAt: Date | null;
  pausedAt: Date | null;
  /** Start of the open dispute that stops its clocks. */
  stoppedAt: Date | null;
  /** Total time for which ended disputes stopped it. */
  stoppedSeconds: number;
  /** When companion play begins, as agreed by accepting. */
  startsAt: Date | null;
  startedAt: Date | null;
  buyerStartAt: Date | null;
  sellerStartAt: Date | null;
  finishedAt: Date | null;
  /** The party who ended companion play: 0 buyer, 1 seller. */
  endBy: 0 | 1 | null;
  playedMinutes: number | null;
  /** The hour that a buyer chose. */
  bookedAt: Date | null;
  /** The order that this one prolongs. */
  prolongsId: number | null;
  proofDueAt: Date | null;
  banReportedAt: Date | null;
  /** The reporting party: 0 buyer, 1 seller. */
  banReportedBy: 0 | 1 | null;
  /** When a stage was last paid without the buyer's confirmation; null once the buyer has acted since. */
  silencePaidAt: Date | null;
  /** When a party last did something on an order of boosting. */
  actedAt: Date | null;
  /** When both parties were notified that the order is late. */
  lateToldAt: Date | null;
  /** When the buyer last submitted the account. */
  accountAt: Date | null;
  /** The booster reported that the account cannot be logged in to, and no newer version has come since. */
  isLogInOpen: boolean;
  /** The booster reported that the account cannot be logged in to and has shown no progress since, even if a newer version came. */
  isLogInTold: boolean;
}

export interface MilestoneRow {
  seq: number;
  title: string;
  shareFen: number;
  state: MilestoneState;
  progressPercent: number;
  pictures: { key: string }[];
  note: string;
  refuseReason: string | null;
  refusedCount: number;
  submittedAt: Date | null;
  paidFen: number | null;
}

/** A cancellation that the other party has not answered. */
export interface CancelRow {
  id: number;
  requestedBy: 0 | 1;
  reason: string;
  payFen: number;
  createdAt: Date;
}

/** Whether buyer and booster play together, so that both have to be present. An addition belongs to an order in which they are. */
export const needsPresence = ({ typeId, mode, form }: Pick<ServiceRow, 'typeId' | 'mode' | 'form'>): boolean =>
  typeId === BOOSTING && mode !== 'account' && form.parent === undefined;

/** Whether the buyer never confirmed presence: the booster could not work and loses nothing. */
export const isBuyerAbsent = (service: Pick<ServiceRow, 'typeId' | 'mode' | 'form' | 'buyerStartAt'>): boolean =>
  needsPresence(service) && service.buyerStartAt === null;

/** Whether a buyer who plays along is present and the booster is not. */
export const isBoosterAbsent = (
  service: Pick<ServiceRow, 'typeId' | 'mode' | 'form' | 'buyerStartAt' | 'sellerStartAt'>,
): boolean => needsPresence(service) && service.buyerStartAt !== null && service.sellerStartAt === null;

/** Whether one of those who play together has not come, so that nothing can have been played (decision 765). */
export const isAnyoneAbsent = (
  service: Pick<ServiceRow, 'typeId' | 'mode' | 'form' | 'buyerStartAt' | 'sellerStartAt'>,
): boolean => isBuyerAbsent(service) || isBoosterAbsent(service);

/** When the buyer last submitted the account. */
const ACCOUNT_AT = sql`select max(c.created_at) from sealed_credential c join orders o on o.id = c.order_id
  where c.order_id = service_order.order_id and c.from_user = o.buyer_id`;

/** The service of an order; undefined for other orders. `lock` locks it until the transaction ends. */
export async function loadService(db: Trx, orderId: number, lock = false): Promise<ServiceRow | undefined> {
  const { rows } = await sql<ServiceRow>`
    select order_id as "orderId", package_id as "packageId", coalesce(provider_id, 0) as "providerId", type_id as "typeId", units, minutes, mode, form, state,
      safety_fen as "safetyFen", efficiency_fen as "efficiencyFen", accept_by as "acceptBy", accepted_at as "acceptedAt", account_free_at as "accountFreeAt", due_at as "dueAt",
      paused_at as "pausedAt", stopped_at as "stoppedAt", stopped_seconds as "stoppedSeconds", starts_at as "startsAt", started_at as "startedAt", buyer_start_at as "buyerStartAt",
      seller_start_at as "sellerStartAt", finished_at as "finishedAt", end_by as "endBy", played_minutes as "playedMinutes",
      booked_at as "bookedAt", prolongs_id as "prolongsId", proof_due_at as "proofDueAt", ban_reported_at as "banReportedAt",
      ban_reported_by as "banReportedBy", silence_paid_at as "silencePaidAt",
      acted_at as "actedAt", late_told_at as "lateToldAt",
      (${ACCOUNT_AT}) as "accountAt", coalesce(login_failed_at > (${ACCOUNT_AT}), false) as "isLogInOpen",
      login_failed_at is not null and not exists (select from service_progress p
        where p.order_id = service_order.order_id and p.kind = 'progress' and p.created_at > login_failed_at) as "isLogInTold"
    from service_order where order_id = ${orderId} ${lock ? sql`for update` : sql``}`.execute(db);
  return rows[0];
}

/** Filters orders to those of services; most orders are not. */
export async function servicesAmong(db: Trx, orderIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select order_id as id from service_order where order_id = any(${[...orderIds]}::bigint[]) order by order_id`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** The milestones of a service in their order. */
export async function loadMilestones(db: Trx, orderId: number): Promise<MilestoneRow[]> {
  const { rows } = await sql<MilestoneRow>`
    select seq, title, share_fen as "shareFen", state, progress_percent as "progressPercent", pictures, note, refuse_reason as "refuseReason",
      refused_count as "refusedCount", submitted_at as "submittedAt", paid_fen as "paidFen"
    from service_milestone where order_id = ${orderId} order by seq`.execute(db);
  return rows;
}

/** The cancellation that was requested and not answered; undefined when there is none. */
export async function openCancel(db: Trx, orderId: number): Promise<CancelRow | undefined> {
  const { rows } = await sql<CancelRow>`
    select id, asked_by as "requestedBy", reason, pay_fen as "payFen", created_at as "createdAt" from service_cancel
    where order_id = ${orderId} and status = 'asked'`.execute(db);
  return rows[0];
}

/** The order that another one adds money to, as far as it matters for the end of that one. */
export interface ParentRow {
  state: ServiceState;
  disputed: boolean;
  dueAt: Date | null;
}

/** The order with this number that an addition belongs to. */
export async function loadParent(db: Trx, sn: string): Promise<ParentRow | undefined> {
  const { rows } = await sql<ParentRow>`
    select s.state, o.disputed, s.due_at as "dueAt" from orders o join service_order s on s.order_id = o.id where o.sn = ${sn}`.execute(
    db,
  );
  return rows[0];
}

/** The clocks of a service that are one order's jobs. */
export const CLOCKS = [
  'service.accept',
  'service.account',
  'service.milestone',
  'service.late',
  'service.resume',
  'service.proof',
  'service.cancelAnswer',
  'service.noShow',
  'service.playEnd',
  'service.endFinal',
] as const;

/** The deadline of each clock of a service; clocks stopped by a dispute are absent. */
export async function loadClocks(db: Trx, orderId: number): Promise<Partial<Record<(typeof CLOCKS)[number], Date>>> {
  const { rows } = await sql<{ kind: string; at: Date }>`
    select kind, due_at as at from timer where ref = ${String(orderId)} and kind = any(${[...CLOCKS]}::text[])`.execute(
    db,
  );
  return Object.fromEntries(rows.map(({ kind, at }) => [kind, at]));
}

/** A package on offer with its listing. */
export interface PackageRow {
  id: number;
  sn: string;
  providerId: number;
  gameId: number;
  typeId: number;
  kind: number | null;
  rankFrom: number | null;
  rankTo: number | null;
  title: string;
  scope: string;
  unit: string;
  priceFen: number;
  minUnits: number;
  maxUnits: number;
  minutes: number;
  mode: ServiceMode;
  safetyFen: number;
  efficiencyFen: number;
  milestones: { title: string; shareBp: number }[];
  status: number;
  soldCount: number;
  goodsId: number | null;
  goodsSn: string | null;
  goodsStatus: number | null;
  goodsVersion: number | null;
  rejectNote: string | null;
}

/** The ranks that a package leads from and to; null for other work. */
export const routeOf = ({ rankFrom, rankTo }: Pick<PackageRow, 'rankFrom' | 'rankTo'>): Route | null =>
  rankFrom === null || rankTo === null ? null : { from: rankFrom, to: rankTo };

const PACKAGE = sql`k.id, k.sn, k.provider_id as "providerId", k.game_id as "gameId", k.type_id as "typeId", k.kind, k.rank_from as "rankFrom", k.rank_to as "rankTo", k.title, k.scope, k.unit,
  k.price_fen as "priceFen", k.min_units as "minUnits", k.max_units as "maxUnits", k.minutes, k.mode, k.safety_fen as "safetyFen",
  k.efficiency_fen as "efficiencyFen", k.milestones, k.status, k.sold_count as "soldCount", k.goods_id as "goodsId", g.sn as "goodsSn",
  g.status as "goodsStatus", g.version as "goodsVersion",
  (select e.detail->>'reason' from goods_event e where e.goods_id = k.goods_id and e.kind = 'rejected' order by e.id desc limit 1) as "rejectNote"`;

/** A provider's packages that were not removed, newest first. */
export async function loadPackages(db: Trx, providerId: number): Promise<PackageRow[]> {
  const { rows } = await sql<PackageRow>`
    select ${PACKAGE} from service_package k left join goods g on g.id = k.goods_id
    where k.provider_id = ${providerId} and k.status <> ${sql.lit(PackageStatus.Removed)} order by k.id desc limit 100`.execute(
    db,
  );
  return rows;
}

/** The packages of these listings, in the order of the ids. */
export async function packagesOfGoods(db: Trx, goodsIds: readonly number[]): Promise<PackageRow[]> {
  const { rows } = await sql<PackageRow>`
    select ${PACKAGE} from service_package k join goods g on g.id = k.goods_id where k.goods_id = any(${[...goodsIds]}::bigint[])
    order by array_position(${[...goodsIds]}::bigint[], k.goods_id)`.execute(db);
  return rows;
}

/** A package by the number of its listing; undefined when the listing is not a service. */
export async function packageByGoods(db: Trx, goodsSn: string): Promise<PackageRow | undefined> {
  const { rows } = await sql<PackageRow>`
    select ${PACKAGE} from goods g join service_package k on k.goods_id = g.id where g.sn = ${goodsSn}`.execute(db);
  return rows[0];
}

/**
 * How many orders keep a provider busy: accepted ones, but for companion play that is over and waits to be accepted, and hours to come
 * unless `ahead` counts them too.
 */
export async function loadOpenOrders(db: Trx, providerId: number, ahead = false): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from service_order where provider_id = ${providerId} and form->>'parent' is null
      and (state in ('waiting', 'working', 'paused') or (state = 'checking' and type_id = ${sql.lit(OrderType.Boosting)}))
      and (${ahead} or state <> 'waiting' or booked_at is null or booked_at <= now())`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Whether companion play is in progress. */
export async function isPlaying(db: Trx, orderId: number): Promise<boolean> {
  const { rows } = await sql`select from service_order where order_id = ${orderId} and state = 'working'`.execute(db);
  return rows.length > 0;
}

/** The order that is to prolong a companion's play, accepted or not; undefined when there is none. */
export async function loadProlongation(db: Trx, orderId: number): Promise<{ orderId: number; sn: string } | undefined> {
  const { rows } = await sql<{ orderId: number; sn: string }>`
    select s.order_id as "orderId", o.sn from service_order s join orders o on o.id = s.order_id
    where s.prolongs_id = ${orderId} and s.state in ('pending', 'waiting', 'working')`.execute(db);
  return rows[0];
}

/** The number of a package's listing. */
export async function loadGoodsSn(db: Trx, packageId: number | null): Promise<string | null> {
  const { rows } = await sql<{ sn: string }>`
    select g.sn from service_package k join goods g on g.id = k.goods_id where k.id = ${packageId}`.execute(db);
  return rows[0]?.sn ?? null;
}
