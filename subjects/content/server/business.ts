import { sql } from 'kysely';
import type { setDistBus } from '#subjects/content/contract/content.ts';
import type { Parsed } from '#contract/endpoint.ts';
import { maskPhone } from '#contract/rules/contacts/phone.ts';
import type { Call } from '#server/access/call.ts';
import { sharedHit } from '#server/access/limits.ts';
import { blindIndex, encrypt } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { channelNo } from '#server/kernel/ids.ts';

/** The context that binds an encrypted field of a co-operation request to its column and row. */
export const contactAad = (column: string, sn: string): string => `cooperation_request.${column}:${sn}`;

const PER_DAY = 5;
const DAY_SECONDS = 86_400;

/** Stores a request for business co-operation; the contact details are encrypted. Throws RATE_LIMITED after five from one phone in a day. */
export async function requestCooperation(call: Call, input: Parsed<typeof setDistBus>): Promise<{ requestSn: string }> {
  const { ctx, dist, caller } = call;
  const phone = blindIndex(ctx.keys, 'business', input.phone).toString('base64url');
  if (!(await sharedHit(ctx.db, `business:${phone}`, PER_DAY, DAY_SECONDS)))
    throw new AppError('RATE_LIMITED', { text: '今天提交的次数已用完，请明天再试', retryAfterSeconds: DAY_SECONDS });
  const games = input.gameIds.filter((id) => dist.games?.includes(id) ?? true);
  const sn = channelNo('B', new Date());
  const encrypted = (column: string, text: string) => encrypt(ctx.keys, contactAad(column, sn), text);
  await sql`
    insert into cooperation_request (sn, dist_id, user_id, kind, company, name_enc, phone_enc, phone_mask, contact_enc, games, text)
    values (${sn}, ${dist.id}, ${caller.user?.id ?? null}, ${input.kind}, ${input.company ?? ''}, ${encrypted('name_enc', input.name)},
      ${encrypted('phone_enc', input.phone)}, ${maskPhone(input.phone)}, ${input.contact === undefined ? null : encrypted('contact_enc', input.contact)},
      ${games}, ${input.content})`.execute(ctx.db);
  return { requestSn: sn };
}
