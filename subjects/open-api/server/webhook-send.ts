import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import {
  CIRCUIT_FAILS,
  DISABLE_DAYS,
  MAX_RETRY_AFTER_SECONDS,
  RECEIVER_BUSY,
  RECEIVER_GONE,
  RETRY_SECONDS,
  TEST_EVENT,
  WEBHOOK_HEADERS,
} from '../rules/webhooks.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit, type When } from '#server/jobs/effect-writer.ts';
import { decrypt } from '#server/kernel/secrets/crypto.ts';
import type { EventOutcome } from '#server/ports/webhooks.ts';
import { webhookSecretAad } from './webhook-endpoints.ts';

const PAUSE_SECONDS = 300;
const MAX_PAUSE_SECONDS = 3_600;

interface Due {
  id: number;
  publicId: string;
  event: string;
  body: string;
  attempts: number;
  endpointId: number;
  url: string;
  secret: Buffer;
  endpointStatus: string;
  pausedUntil: Date | null;
}

/** The signature of an event according to standardwebhooks.com: over its number, the time of sending and the body. */
export function webhookSignature(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

function headersOf(ctx: Context, due: Due): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const secret = decrypt(ctx.keys, webhookSecretAad(due.endpointId), due.secret);
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Youshi-Webhooks/1',
    [WEBHOOK_HEADERS.id]: due.publicId,
    [WEBHOOK_HEADERS.time]: timestamp,
    [WEBHOOK_HEADERS.signature]: webhookSignature(secret, due.publicId, timestamp, due.body),
  };
}

/** Why an outcome counts as failed; null when it does not. Redirects are not followed. */
function failureOf(outcome: EventOutcome): string | null {
  if (outcome.failure !== undefined) return outcome.failure;
  const { status } = outcome;
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `返回了跳转（HTTP ${status}），请填写最终地址` : `返回了 HTTP ${status}`;
}

async function recordAttempt(
  trx: Trx,
  due: Due,
  sent: { ms: number; head: string; outcome: EventOutcome },
): Promise<void> {
  const { outcome } = sent;
  await sql`insert into webhook_attempt (delivery_id, ms, status, failure, request_head, response_head)
    values (${due.id}, ${sent.ms}, ${outcome.status ?? null}, ${failureOf(outcome)}, ${sent.head}, ${outcome.head})`.execute(
    trx,
  );
}

async function succeeded(trx: Trx, due: Due): Promise<void> {
  await sql`update webhook_delivery set status = 'sent', sent_at = now(), attempts = attempts + 1, next_at = null where id = ${due.id}`.execute(
    trx,
  );
  await sql`update webhook_endpoint set fails = 0, failing_since = null, paused_until = null
    where id = ${due.endpointId} and fails > 0`.execute(trx);
}

/** Notifies the owner of an endpoint that it was disabled. */
async function publishDisabled(trx: Trx, due: Due, userId: number, why: string): Promise<void> {
  await emit(trx, 'notice', {
    kind: 'goods.webhook',
    userId,
    ref: `webhook:${due.endpointId}:${Date.now()}`,
    values: { host: new URL(due.url).hostname, days: DISABLE_DAYS, why },
  });
}

/** Counts a failure of an endpoint; after several it is paused for a while, after days it is disabled and its owner notified. */
async function countFailure(trx: Trx, due: Due): Promise<void> {
  if (due.event === TEST_EVENT) return;
  const { rows } = await sql<{ userId: number; isDisabled: boolean }>`
    update webhook_endpoint set fails = fails + 1, failing_since = coalesce(failing_since, now()),
      paused_until = case when fails + 1 >= ${CIRCUIT_FAILS}
        then now() + make_interval(secs => least(${PAUSE_SECONDS} * power(2, least(fails + 1 - ${CIRCUIT_FAILS}, 8)), ${MAX_PAUSE_SECONDS})) end,
      status = case when failing_since < now() - make_interval(days => ${DISABLE_DAYS}) then 'disabled' else status end
    where id = ${due.endpointId} and status = 'on' returning user_id as "userId", status = 'disabled' as "isDisabled"`.execute(
    trx,
  );
  const endpoint = rows[0];
  if (endpoint?.isDisabled) await publishDisabled(trx, due, endpoint.userId, `连续 ${DISABLE_DAYS} 天没有成功接收推送`);
}

/** Ends the subscription of an endpoint whose receiver answered 410 Gone, once, and notifies its owner. */
async function endSubscription(trx: Trx, due: Due): Promise<void> {
  await sql`update webhook_delivery set attempts = attempts + 1, status = 'failed', next_at = null where id = ${due.id}`.execute(
    trx,
  );
  const { rows } = await sql<{ userId: number }>`
    update webhook_endpoint set status = 'disabled', gone_at = now(), paused_until = null, fails = fails + 1, failing_since = coalesce(failing_since, now())
    where id = ${due.endpointId} and status = 'on' returning user_id as "userId"`.execute(trx);
  const endpoint = rows[0];
  if (endpoint) await publishDisabled(trx, due, endpoint.userId, '返回了 410，表示不再接收推送');
}

/**
 * When a failed event is sent again: by the list of retries, or later where the receiver named a time; undefined when it was tried often
 * enough. A receiver that is busy as a whole gets no other event before that time either. A test is not repeated.
 */
async function failed(trx: Trx, due: Due, outcome: EventOutcome): Promise<When | void> {
  const listed = due.event === TEST_EVENT ? undefined : RETRY_SECONDS[due.attempts];
  const wished = Math.min(
    (outcome.status === undefined ? undefined : outcome.retryAfterSeconds) ?? 0,
    MAX_RETRY_AFTER_SECONDS,
  );
  const seconds = listed === undefined ? undefined : Math.max(listed, wished);
  await sql`update webhook_delivery set attempts = attempts + 1, status = ${seconds === undefined ? 'failed' : 'waiting'},
      next_at = case when ${seconds !== undefined} then now() + make_interval(secs => ${seconds ?? 0}) end
    where id = ${due.id}`.execute(trx);
  await countFailure(trx, due);
  if (wished > 0 && outcome.status !== undefined && RECEIVER_BUSY.includes(outcome.status))
    await sql`update webhook_endpoint set paused_until = greatest(paused_until, now() + make_interval(secs => ${Math.min(wished, MAX_PAUSE_SECONDS)}))
      where id = ${due.endpointId} and status = 'on'`.execute(trx);
  return seconds === undefined ? undefined : { seconds };
}

/**
 * Sends a waiting event once. Returns when it is due again: later by the list of retries, or when its endpoint is no longer left alone. An
 * event whose endpoint is off is stopped; its owner can send it again.
 */
export async function sendEvent(ctx: Context, id: number): Promise<When | void> {
  const { rows } = await sql<Due>`
    select d.id, d.public_id as "publicId", d.event, d.body, d.attempts, e.id as "endpointId", e.url, e.secret_enc as secret,
      e.status as "endpointStatus", case when e.paused_until > now() then e.paused_until end as "pausedUntil"
    from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id where d.id = ${id} and d.status = 'waiting'`.execute(
    ctx.db,
  );
  const due = rows[0];
  if (!due) return undefined;
  if (due.endpointStatus !== 'on') {
    await sql`update webhook_delivery set status = 'stopped', next_at = null where id = ${id}`.execute(ctx.db);
    return undefined;
  }
  if (due.pausedUntil) {
    await sql`update webhook_delivery set next_at = ${due.pausedUntil} where id = ${id}`.execute(ctx.db);
    return due.pausedUntil;
  }
  const headers = headersOf(ctx, due);
  const began = performance.now();
  const outcome = await ctx.webhooks.send({ url: due.url, headers, body: due.body });
  const ms = Math.round(performance.now() - began);
  const head = ['POST', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');
  return await inTransaction(ctx.db, async (trx) => {
    await recordAttempt(trx, due, { ms, head, outcome });
    if (outcome.status === RECEIVER_GONE) return await endSubscription(trx, due);
    if (failureOf(outcome) !== null) return await failed(trx, due, outcome);
    await succeeded(trx, due);
    return undefined;
  });
}
