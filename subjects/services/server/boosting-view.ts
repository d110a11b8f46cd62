import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import { isInProgress } from '#subjects/orders/rules/order-status.ts';
import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { wholeShares } from '../rules/service.ts';
import type { serviceOrder } from '#subjects/services/contract/services.ts';
import type { Trx } from '#server/db/client.ts';
import { type PartyService, allowsAction } from './actions.ts';
import { loadMilestones } from './queries.ts';

/** A request for more money or time that is neither declined nor done. */
export interface AdditionRow {
  id: number;
  requestedBy: 0 | 1;
  addFen: number;
  addMinutes: number;
  reason: string;
  status: 'asked' | 'agreed';
}

/** The pending addition; undefined when there is none. */
export async function openAddition(db: Trx, orderId: number): Promise<AdditionRow | undefined> {
  const { rows } = await sql<AdditionRow>`
    select id, asked_by as "requestedBy", add_fen as "addFen", add_minutes as "addMinutes", reason, status from service_addition
    where order_id = ${orderId} and (status = 'asked' or (status = 'agreed' and add_fen > 0))`.execute(db);
  return rows[0];
}

type BoostingDetails = NonNullable<HandlerResult<typeof serviceOrder>['way']>;

/** Whether a ban can be reported: a booster works or has worked on it, and no case is open. */
export const mayReportBan = ({ order, service }: PartyService): boolean =>
  service.typeId === BOOSTING &&
  service.acceptedAt !== null &&
  service.state !== 'waiting' &&
  isInProgress(order.status) &&
  !order.disputed &&
  service.form.parent === undefined;

function actionsOf(current: PartyService, addition: AdditionRow | undefined): BoostingDetails['acts'] {
  const { service, role } = current;
  const isOpen = allowsAction(current, 'agree') && service.state !== 'waiting' && service.form.parent === undefined;
  const isRequester = addition !== undefined && (addition.requestedBy === 0) === (role === 'buyer');
  const list: [BoostingDetails['acts'][number], boolean][] = [
    ['ask', isOpen && addition === undefined],
    ['agree', isOpen && addition?.status === 'asked' && !isRequester],
    ['decline', isOpen && addition?.status === 'asked' && !isRequester],
    ['pay', isOpen && addition?.status === 'agreed' && role === 'buyer'],
    [
      'withdraw',
      isOpen && addition !== undefined && (isRequester || (addition.status === 'agreed' && role === 'buyer')),
    ],
    ['reportBan', mayReportBan(current)],
  ];
  return list.filter(([, open]) => open).map(([action]) => action);
}

/** Reports that a chart shows. */
const MAX_REPORTS = 300;

/** The reports of an order as percents of the whole, with the promised time; null before the first. */
async function loadCourse(trx: Trx, { order, service }: PartyService): Promise<BoostingDetails['course']> {
  if (!service.startedAt || !service.dueAt) return null;
  const { rows } = await sql<{ seq: number; percent: number; at: Date }>`
    select seq, percent, created_at as at from service_progress
    where order_id = ${order.id} and kind = 'progress' and seq is not null and percent is not null order by id limit ${MAX_REPORTS}`.execute(
    trx,
  );
  if (rows.length === 0) return null;
  const stages = await loadMilestones(trx, order.id);
  const shares = wholeShares(stages.map(({ shareFen }) => shareFen));
  const before = (seq: number): number => shares[seq - 2] ?? 0;
  return {
    startTime: service.startedAt,
    dueTime: service.dueAt,
    reports: rows.map(({ seq, percent, at }) => ({
      time: at,
      percent: before(seq) + (((shares[seq - 1] ?? 100) - before(seq)) * percent) / 100,
      seq: percent === 100 ? seq : null,
    })),
    stages: shares,
  };
}

/** The details of an order that only boosting has, for its parties; null for companion play. */
export async function boostingView(trx: Trx, current: PartyService): Promise<BoostingDetails | null> {
  const { order, service } = current;
  if (service.typeId !== BOOSTING) return null;
  const addition = await openAddition(trx, order.id);
  const { rows } = await sql<{ orderSn: string; fen: number; reason: string }>`
    select o.sn as "orderSn", a.add_fen as fen, a.reason from service_addition a join orders o on o.id = a.add_order_id
    where a.order_id = ${order.id} order by a.id`.execute(trx);
  return {
    parentSn: service.form.parent ?? null,
    proofDue: service.state === 'working' && service.startedAt !== null && !order.disputed ? service.proofDueAt : null,
    ban: service.banReportedAt && { by: service.banReportedBy === 0 ? 'buyer' : 'seller', time: service.banReportedAt },
    addition: addition
      ? {
          askedBy: addition.requestedBy === 0 ? 'buyer' : 'seller',
          price: addition.addFen,
          minutes: addition.addMinutes,
          reason: addition.reason,
          status: addition.status,
        }
      : null,
    added: rows.map(({ orderSn, fen, reason }) => ({ orderSn, price: fen, reason })),
    acts: actionsOf(current, addition),
    course: await loadCourse(trx, current),
  };
}
