import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { Parsed } from '#contract/endpoint.ts';
import { bookingProblem } from '../../rules/companion-slots.ts';
import type { placeServiceOrder } from '#subjects/services/contract/services.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { ProviderRow } from '#subjects/providers/server/service.ts';
import { profileOf } from './record.ts';
import type { PackageRow } from '../queries.ts';

/** A companion's time booked by an order (docs/decisions/298). */
export interface Booking {
  startsAt: Date;
  prolongsId: number | null;
}

const TAKEN = '这个时间刚被约走，请换一个';

/** Why play of so many minutes cannot begin now: another order has booked the hour. */
export async function nextBookingReason(db: Trx, providerId: number, minutes: number): Promise<string | null> {
  const { rows } = await sql<{ at: string }>`
    select to_char(lower(during) at time zone 'Asia/Shanghai', 'HH24:MI') as at from companion_slot
    where provider_id = ${providerId} and during && tstzrange(now(), now() + make_interval(mins => ${minutes}))
    order by during limit 1`.execute(db);
  return rows[0] ? `${rows[0].at} 起有预约，现在不够时间，可以预约其他时间` : null;
}

/** Takes time for an order. Throws SERVICE_CLOSED (field startTime) when part of it is booked already, which the database decides. */
export async function takeSlot(
  trx: Trx,
  { orderId, providerId }: { orderId: number; providerId: number },
  from: Date,
  minutes: number,
): Promise<void> {
  const { rows } = await sql<{ taken: boolean }>`
    select companion_slot_take(${orderId}, ${providerId}, ${from}, ${from}::timestamptz + make_interval(mins => ${minutes})) as taken`.execute(
    trx,
  );
  if (rows[0]?.taken !== true) throw new AppError('SERVICE_CLOSED', { text: TAKEN, field: 'startTime' });
}

/** Moves an order's time to its actual beginning; unchanged when the next hour is booked for another order. */
export async function moveSlot(trx: Trx, orderId: number, providerId: number, minutes: number): Promise<void> {
  await sql`select companion_slot_take(${orderId}, ${providerId}, now(), now() + make_interval(mins => ${minutes}))`.execute(
    trx,
  );
}

/** Frees the time that an order has booked. */
export async function freeSlot(trx: Trx, orderId: number): Promise<void> {
  await sql`delete from companion_slot where order_id = ${orderId}`.execute(trx);
}

interface Evening {
  dueAt: Date | null;
  state: string;
  disputed: boolean;
  prolonged: boolean;
}

/** The end of the play in progress, at which an order that prolongs it begins. Throws SERVICE_CLOSED. */
async function endOfEvening(db: Trx, orderId: number, buyerId: number, providerId: number): Promise<Date> {
  const { rows } = await sql<Evening>`
    select s.due_at as "dueAt", s.state, exists (select from dispute d where d.order_id = o.id and d.status <> 'closed') as disputed,
      exists (select from service_order p where p.prolongs_id = s.order_id and p.state in ('pending', 'waiting')) as prolonged
    from service_order s join orders o on o.id = s.order_id
    where s.order_id = ${orderId} and o.buyer_id = ${buyerId} and s.provider_id = ${providerId} and s.type_id = ${COMPANION_PLAY}`.execute(
    db,
  );
  const evening = rows[0];
  if (!evening) throw new AppError('ORDER_NOT_FOUND');
  if (evening.state !== 'working' || evening.disputed || evening.dueAt === null || evening.dueAt.getTime() < Date.now())
    throw new AppError('SERVICE_CLOSED', { text: '陪玩已经结束，不能再加钟' });
  if (evening.prolonged) throw new AppError('SERVICE_CLOSED', { text: '已有一笔加钟在等待，请先完成或取消' });
  return evening.dueAt;
}

/**
 * The time requested by an order; null when it begins immediately. Throws SERVICE_CLOSED, BAD_INPUT (field startTime),
 * ORDER_NOT_FOUND.
 */
export async function loadBooking(
  { ctx, user }: UserCall,
  { pack, provider }: { pack: PackageRow; provider: ProviderRow },
  input: Parsed<typeof placeServiceOrder>,
  closedNow: () => Promise<string | null>,
): Promise<Booking | null> {
  const { startTime, prolongs } = input;
  if (pack.typeId !== COMPANION_PLAY) {
    if (startTime !== undefined || prolongs !== undefined)
      throw new AppError('BAD_INPUT', { text: '只有陪玩可以选时间', field: 'startTime' });
    return null;
  }
  if (prolongs !== undefined)
    return { startsAt: await endOfEvening(ctx.db, prolongs, user.id, provider.id), prolongsId: prolongs };
  if (startTime === undefined) {
    const closed = await closedNow();
    if (closed !== null) throw new AppError('SERVICE_CLOSED', { text: closed });
    return null;
  }
  const hours = Math.ceil((pack.minutes * input.num) / 60);
  const problem = bookingProblem(profileOf(provider).hours, startTime.getTime(), hours, Date.now());
  if (problem !== null) throw new AppError('BAD_INPUT', { text: problem, field: 'startTime' });
  return { startsAt: startTime, prolongsId: null };
}

const CHINA_TIME = new Intl.DateTimeFormat('zh-CN', {
  timeZone: 'Asia/Shanghai',
  month: 'numeric',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** The agreed time as the order's page shows it. */
export const bookingDetails = (booking: Booking | null): { label: string; value: string }[] =>
  booking === null
    ? []
    : [{ label: booking.prolongsId === null ? '约定时间' : '加钟开始', value: CHINA_TIME.format(booking.startsAt) }];
