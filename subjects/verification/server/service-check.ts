import { sql } from 'kysely';
import { serviceKinds } from '../rules/account-ids.ts';
import type { serQqList } from '#subjects/verification/contract/service-numbers.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { queryVerifyCustomer, reportFakeService } from '#subjects/verification/contract/verification.ts';
import type { Call } from '#server/access/call.ts';
import { inTransaction } from '#server/db/client.ts';
import { blindIndex, encrypt } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { networkOf } from '#server/kernel/network.ts';
import { ownPictures } from '#subjects/media/server/service.ts';
import { maskNumber, numberIndex } from './numbers.ts';

const QUERY_DAYS = 30;
const REAL = 1;
const FALSE = 2;

interface CheckQuery {
  kind: string;
  hash: Buffer;
  verdict: number;
  purpose: 'service' | 'black';
}

/** Records a query, for alarms (a false number queried by many) and public statistics, never with the number itself. */
export async function noteQuestion({ ctx, dist, caller, ip }: Call, query: CheckQuery): Promise<void> {
  await sql`insert into verify_query (dist_id, kind, value_hash, verdict, purpose, user_id, ip_hash)
    values (${dist.id}, ${query.kind}, ${query.hash}, ${query.verdict}, ${query.purpose}, ${caller.user?.id ?? null},
      ${blindIndex(ctx.keys, 'ip', networkOf(ip))})`.execute(ctx.db);
}

/** Whether a number is this site's or the platform's own. The response does not contain it; the page shows the text of product.md 8. */
export async function verifyService(
  call: Call,
  { queryType, queryValue }: Parsed<typeof queryVerifyCustomer>,
): Promise<HandlerResult<typeof queryVerifyCustomer>> {
  const { ctx, dist } = call;
  const kind = serviceKinds.find((one) => one.queryType === queryType)?.kind ?? 'qq';
  const hash = numberIndex(ctx.keys, queryValue);
  const { rows } = await sql<{ name: string; duty: string }>`
    select name, duty from official_number
    where kind = ${kind} and value_hash = ${hash} and (dist_id is null or dist_id = ${dist.id})
      and valid_from <= now() and (valid_until is null or valid_until > now()) limit 1`.execute(ctx.db);
  const row = rows[0];
  await noteQuestion(call, { kind, hash, verdict: row ? REAL : FALSE, purpose: 'service' });
  if (row) return { isReal: true, result: REAL, name: row.name, duty: row.duty || null, askedCount: 0, blackSn: null };
  const [queries, black] = await Promise.all([
    sql<{ n: number }>`
      select count(distinct coalesce(user_id::text, encode(ip_hash, 'hex')))::int as n from verify_query
      where value_hash = ${hash} and purpose = 'service' and verdict = ${FALSE} and created_at > now() - make_interval(days => ${QUERY_DAYS})`.execute(
      ctx.db,
    ),
    sql<{ sn: string }>`
      select e.sn from black_key k join black_entry e on e.id = k.entry_id
      where k.value_hash = ${hash} and e.status = 'listed' and e.expires_at > now() order by e.id desc limit 1`.execute(
      ctx.db,
    ),
  ]);
  return {
    isReal: false,
    result: FALSE,
    name: null,
    duty: null,
    askedCount: queries.rows[0]?.n ?? 1,
    blackSn: black.rows[0]?.sn ?? null,
  };
}

/** The numbers that a site shows: the one of its configuration, then those registered as shown, its own before the platform's. */
export async function listServiceNumbers({ ctx, dist }: Call): Promise<HandlerResult<typeof serQqList>> {
  const { rows } = await sql<{ kind: string; value: string; name: string }>`
    select kind, show_value as value, concat_ws(' ', name, nullif(duty, '')) as name from official_number
    where show_value is not null and (dist_id is null or dist_id = ${dist.id}) and valid_from <= now() and (valid_until is null or valid_until > now())
    order by dist_id nulls last, id limit 50`.execute(ctx.db);
  const { serviceNum } = dist.conf.customerBlock;
  return { list: serviceNum === '' ? rows : [{ kind: 'phone', value: serviceNum, name: '在线客服' }, ...rows] };
}

/** Additional authenticated data of a report's encrypted number. */
export const reportAad = (id: number): string => `fake_service_report.value_enc:${id}`;
/** Additional authenticated data of a reporter's encrypted contact. */
export const contactAad = (id: number): string => `fake_service_report.contact_enc:${id}`;

/**
 * Stores a report of false customer service. Pictures require a signed-in reporter who owns them. A number that is really ours is rejected
 * with a message. Throws BAD_INPUT, PICTURE_BROKEN.
 */
export async function takeFakeReport(
  call: Call,
  input: Parsed<typeof reportFakeService>,
): Promise<{ received: boolean }> {
  const { ctx, dist, caller } = call;
  const hash = numberIndex(ctx.keys, input.value);
  const { rows: ours } = await sql`
    select from official_number where kind = ${input.kind} and value_hash = ${hash} and valid_until is null
      and (dist_id is null or dist_id = ${dist.id})`.execute(ctx.db);
  if (ours.length > 0) throw new AppError('BAD_INPUT', { text: '这是本站的真客服账号，无需举报', field: 'value' });
  if (input.pictures.length > 0 && !caller.user) throw new AppError('LOGIN_REQUIRED');
  await inTransaction(ctx.db, async (trx) => {
    const pictures = caller.user ? await ownPictures(trx, caller.user.id, 'evidence', input.pictures) : [];
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('fake_service_report', 'id')) as id`.execute(trx);
    const id = Number(rows[0]?.id);
    await sql`insert into fake_service_report (id, dist_id, user_id, kind, value_hash, value_enc, value_mask, text, pictures, contact_enc)
      overriding system value
      values (${id}, ${dist.id}, ${caller.user?.id ?? null}, ${input.kind}, ${hash}, ${encrypt(ctx.keys, reportAad(id), input.value)},
        ${maskNumber(input.value)}, ${input.content}, ${JSON.stringify(pictures)}::jsonb,
        ${input.contact === undefined ? null : encrypt(ctx.keys, contactAad(id), input.contact)})`.execute(trx);
  });
  return { received: true };
}
