import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { TEST_EVENT, type WebhookEvent, WEBHOOKS_MAX, webhookEvents } from '../rules/webhooks.ts';
import type * as c from '#subjects/open-api/contract/webhooks.ts';
import type { UserCall } from '#server/access/call.ts';
import { sharedHit } from '#server/access/limits.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { requireStepUp } from '#subjects/accounts/server/service.ts';

type Item = HandlerResult<typeof c.webhookList>['list'][number];

const TESTS_AN_HOUR = 30;
const SECRET_BYTES = 24;

/** The job that sends an event. */
export const SEND = 'webhook.send';

/** Additional authenticated data of an endpoint's secret. */
export const webhookSecretAad = (id: number): string => `webhook_endpoint.secret_enc:${id}`;

interface Row {
  id: number;
  url: string;
  events: string[];
  status: Item['status'];
  fails: number;
  failingSince: Date | null;
  pausedUntil: Date | null;
  isGone: boolean;
  createdAt: Date;
}

const isEvent = (event: string): event is WebhookEvent => (webhookEvents as readonly string[]).includes(event);

async function loadRows(db: Trx, userId: number, id?: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, url, events, status, fails, failing_since as "failingSince",
      case when paused_until > now() then paused_until end as "pausedUntil", gone_at is not null as "isGone", created_at as "createdAt"
    from webhook_endpoint where user_id = ${userId} and removed_at is null ${id === undefined ? sql`` : sql`and id = ${id}`} order by id`.execute(
    db,
  );
  return rows;
}

const itemOf = ({ id, events, createdAt, ...row }: Row): Item => ({
  endpointId: id,
  ...row,
  events: events.filter(isEvent),
  createTime: createdAt,
});

/** The caller's endpoint. Throws NOT_FOUND, also for another user's. */
export async function ownEndpoint(db: Trx, userId: number, id: number): Promise<Item> {
  const [row] = await loadRows(db, userId, id);
  if (!row) throw errorOf('NOT_FOUND', 'webhook');
  return itemOf(row);
}

/** The caller's endpoints. */
export async function ownEndpoints({ ctx, user }: UserCall): Promise<HandlerResult<typeof c.webhookList>> {
  return { list: (await loadRows(ctx.db, user.id)).map(itemOf) };
}

/** Adds an endpoint, after a step-up. Throws STEP_UP_REQUIRED, BAD_INPUT. */
export async function createEndpoint(
  call: UserCall,
  { url, events }: Parsed<typeof c.webhookCreate>,
): Promise<HandlerResult<typeof c.webhookCreate>> {
  const { ctx, user } = call;
  const problem = ctx.webhooks.problemOf(url);
  if (problem !== undefined) throw new AppError('BAD_INPUT', { text: problem, field: 'url' });
  await requireStepUp(call, 'apiKey');
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  return await inTransaction(ctx.db, async (trx) => {
    await sql`select from app_user where id = ${user.id} for no key update`.execute(trx);
    const existing = await loadRows(trx, user.id);
    if (existing.length >= WEBHOOKS_MAX)
      throw new AppError('BAD_INPUT', { text: `最多 ${WEBHOOKS_MAX} 个推送地址，请先删除不用的`, field: 'url' });
    if (existing.some((one) => one.url === url))
      throw new AppError('BAD_INPUT', { text: '已有这个推送地址', field: 'url' });
    // The secret is bound to the row's number, so the number is drawn first.
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('webhook_endpoint', 'id'))::bigint as id`.execute(trx);
    const id = rows[0]?.id ?? 0;
    await sql`insert into webhook_endpoint (id, user_id, url, events, secret_enc) overriding system value
      values (${id}, ${user.id}, ${url}, ${[...new Set(events)]}::text[], ${encrypt(ctx.keys, webhookSecretAad(id), secret)})`.execute(
      trx,
    );
    return { endpoint: await ownEndpoint(trx, user.id, id), secret };
  });
}

/** Changes the events of an endpoint, or whether it is on. Throws NOT_FOUND. */
export async function updateEndpoint(
  { ctx, user }: UserCall,
  { endpointId, events, on }: Parsed<typeof c.webhookUpdate>,
): Promise<HandlerResult<typeof c.webhookUpdate>> {
  return await inTransaction(ctx.db, async (trx) => {
    await ownEndpoint(trx, user.id, endpointId);
    if (events)
      await sql`update webhook_endpoint set events = ${[...new Set(events)]}::text[] where id = ${endpointId}`.execute(
        trx,
      );
    if (on !== undefined)
      await sql`update webhook_endpoint set status = ${on ? 'on' : 'off'}, fails = 0, failing_since = null, paused_until = null, gone_at = null
        where id = ${endpointId} and (status = 'on') <> ${on}`.execute(trx);
    return await ownEndpoint(trx, user.id, endpointId);
  });
}

/** Removes an endpoint; pending events are not sent. Throws NOT_FOUND. */
export async function removeEndpoint({ ctx, user }: UserCall, endpointId: number): Promise<void> {
  await ownEndpoint(ctx.db, user.id, endpointId);
  await sql`update webhook_endpoint set removed_at = now(), status = 'off' where id = ${endpointId} and user_id = ${user.id}`.execute(
    ctx.db,
  );
}

/** Sends a test event immediately. Throws NOT_FOUND, RATE_LIMITED, BAD_INPUT for an endpoint that is off. */
export async function testEndpoint({ ctx, user }: UserCall, endpointId: number): Promise<{ deliveryId: number }> {
  const endpoint = await ownEndpoint(ctx.db, user.id, endpointId);
  if (endpoint.status !== 'on') throw new AppError('BAD_INPUT', { text: '推送已停用，请先开启' });
  if (!(await sharedHit(ctx.db, `webhookTest:${user.id}`, TESTS_AN_HOUR, 3600)))
    throw new AppError('RATE_LIMITED', { text: '测试过于频繁，请稍后再试', retryAfterSeconds: 600 });
  return await inTransaction(ctx.db, async (trx) => {
    await sql`update webhook_endpoint set paused_until = null where id = ${endpointId}`.execute(trx);
    const body = bodyOf(TEST_EVENT, new Date(), { text: '这是一条测试事件' });
    const { rows } = await sql<{ id: number }>`
      insert into webhook_delivery (endpoint_id, event, subject, body) values (${endpointId}, ${TEST_EVENT}, ${`test:${randomBytes(8).toString('hex')}`}, ${body})
      returning id`.execute(trx);
    const deliveryId = rows[0]?.id ?? 0;
    await schedule(trx, SEND, deliveryId, { seconds: 0 });
    return { deliveryId };
  });
}

/** The text of an event: its type, when it happened, and what it is about. */
export function bodyOf(type: string, at: Date, data: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}
