import { type RawBuilder, sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/open-api/contract/webhooks.ts';
import type { UserCall } from '#server/access/call.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { SEND } from './webhook-endpoints.ts';

type Item = HandlerResult<typeof c.webhookDeliveries>['list'][number];

const PAGE = 20;
/** Events and attempts are kept for their owner this long. */
const DAYS = 30;

interface Row {
  id: number;
  publicId: string;
  endpointId: number;
  url: string;
  event: string;
  status: Item['status'];
  attempts: number;
  nextAt: Date | null;
  createdAt: Date;
  sentAt: Date | null;
  lastStatus: number | null;
  lastFailure: string | null;
  body: string;
}

async function loadRows({ ctx, user }: UserCall, where: RawBuilder<unknown>, limit: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select d.id, d.public_id as "publicId", e.id as "endpointId", e.url, d.event, d.status, d.attempts, d.next_at as "nextAt",
      d.created_at as "createdAt", d.sent_at as "sentAt", a.status as "lastStatus", a.failure as "lastFailure", d.body
    from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
      left join lateral (select status, failure from webhook_attempt where delivery_id = d.id order by id desc limit 1) a on true
    where e.user_id = ${user.id} and ${where} order by d.id desc limit ${limit}`.execute(ctx.db);
  return rows;
}

const itemOf = ({ id, nextAt, createdAt, sentAt, body: _body, ...row }: Row): Item => ({
  deliveryId: id,
  ...row,
  nextTime: nextAt,
  createTime: createdAt,
  sentTime: sentAt,
});

/** Events for the caller's endpoints, newest first. */
export async function ownDeliveries(
  call: UserCall,
  { status, cursor, pageSize = PAGE }: Parsed<typeof c.webhookDeliveries>,
): Promise<HandlerResult<typeof c.webhookDeliveries>> {
  const after = decodeId(cursor);
  const where = [sql`true`];
  if (status !== undefined) where.push(sql`d.status = ${status}`);
  if (after !== undefined) where.push(sql`d.id < ${after}`);
  const rows = await loadRows(call, sql.join(where, sql` and `), pageSize + 1);
  const page = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? page.at(-1) : undefined;
  return { list: page.map(itemOf), next: last ? encodeCursor([last.id]) : null };
}

async function ownRow(call: UserCall, id: number): Promise<Row> {
  const [row] = await loadRows(call, sql`d.id = ${id}`, 1);
  if (!row) throw errorOf('NOT_FOUND', 'delivery');
  return row;
}

/** One event with every attempt. Throws NOT_FOUND, also for another user's. */
export async function ownDelivery(call: UserCall, id: number): Promise<HandlerResult<typeof c.webhookDelivery>> {
  const row = await ownRow(call, id);
  const { rows } = await sql<HandlerResult<typeof c.webhookDelivery>['tries'][number]>`
    select at as "tryTime", ms, status, failure, request_head as "requestHead", response_head as "responseHead"
    from webhook_attempt where delivery_id = ${id} order by id desc limit 30`.execute(call.ctx.db);
  return { ...itemOf(row), body: row.body, tries: rows };
}

/** Sends an event again immediately and with its full number of attempts. Throws NOT_FOUND, BAD_INPUT for an endpoint that is off. */
export async function replay(call: UserCall, id: number): Promise<void> {
  const { ctx } = call;
  const { endpointId } = await ownRow(call, id);
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql`
      update webhook_endpoint set paused_until = null where id = ${endpointId} and status = 'on' and removed_at is null returning id`.execute(
      trx,
    );
    if (rows.length === 0) throw new AppError('BAD_INPUT', { text: '推送地址已停用或已删除，请先开启' });
    await sql`update webhook_delivery set status = 'waiting', attempts = 0, sent_at = null, next_at = null where id = ${id}`.execute(
      trx,
    );
    await schedule(trx, SEND, id, { seconds: 0 });
  });
}

/** Removes events after their time. */
export async function sweepDeliveries(db: Trx): Promise<void> {
  await sql`delete from webhook_delivery where created_at < now() - make_interval(days => ${DAYS}) and status <> 'waiting'`.execute(
    db,
  );
}
