import { type RawBuilder, sql } from 'kysely';
import { maskPhone } from '#contract/rules/phone.ts';
import type { Context } from '#server/context.ts';
import type { Db, Trx } from '#server/db/client.ts';
import { checkSecret } from '#server/kernel/argon.ts';
import { type Keys, open } from '#server/kernel/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { readableCode } from '#server/kernel/ids.ts';
import { avatarUrl } from '#server/slices/media/service.ts';
import { openPhone, phoneIndex, sealPhone } from './phones.ts';
import { goodRate } from './rules.ts';
import { type SmsPurpose, spendSmsCode } from './sms.ts';

export interface NewAccount {
  phone: string;
  distId: number;
  /** Absent: a name of chance. */
  nickName?: string | undefined;
  passwordHash?: string | undefined;
  payPasswordHash?: string | undefined;
  inviterId?: number | undefined;
  avatar?: string | undefined;
  sellerLevel?: number | undefined;
  soldCount?: number | undefined;
  ratingSum?: number | undefined;
  ratingCount?: number | undefined;
  online?: boolean | undefined;
  createdAt?: Date | undefined;
  lastSeenAt?: Date | undefined;
}

const MAX_ATTEMPTS = 5;
const UNION_DIGITS = 7;
const INVITE_LENGTH = 6;

/** Creates a user with a free number and invite code; undefined when the phone has one already. */
export async function createUser(
  trx: Trx,
  keys: Keys,
  account: NewAccount,
): Promise<{ id: number; nickName: string } | undefined> {
  const index = phoneIndex(keys, account.phone);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const next = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('app_user', 'id')) as id`.execute(trx);
    const id = Number(next.rows[0]?.id);
    const nickName = account.nickName ?? `玩家${readableCode(INVITE_LENGTH)}`;
    const unionNum = `U${String(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0)
      .padStart(10, '0')
      .slice(-UNION_DIGITS)}`;
    const { rows } = await sql<{ id: number }>`
      insert into app_user (id, dist_id, phone_hash, phone_enc, phone_mask, nick_name, avatar, password_hash, pay_password_hash, union_num,
        invite_code, inviter_id, seller_level, sold_count, rating_sum, rating_count, online, created_at, last_seen_at)
      overriding system value
      values (${id}, ${account.distId}, ${index}, ${sealPhone(keys, id, account.phone)}, ${maskPhone(account.phone)}, ${nickName},
        ${account.avatar ?? null}, ${account.passwordHash ?? null}, ${account.payPasswordHash ?? null}, ${unionNum},
        ${readableCode(INVITE_LENGTH)}, ${account.inviterId ?? null}, ${account.sellerLevel ?? 0}, ${account.soldCount ?? 0},
        ${account.ratingSum ?? 0}, ${account.ratingCount ?? 0}, ${account.online ?? true}, coalesce(${account.createdAt ?? null}, now()),
        coalesce(${account.lastSeenAt ?? null}, now()))
      on conflict do nothing returning id`.execute(trx);
    if (rows[0]) return { id, nickName };
    const taken = await sql`select from app_user where phone_hash = ${index}`.execute(trx);
    if (taken.rows.length > 0) return undefined;
  }
  throw new Error('no free user number found');
}

/** A user as others see them. */
export interface UserBrief {
  id: number;
  nickName: string;
  /** Address of the picture. */
  avatar: string;
  sellerLevel: number;
  online: boolean;
  lastSeenAt: Date;
  soldCount: number;
  /** Percent; null without ratings. */
  goodRate: number | null;
  createdAt: Date;
}

interface BriefRow {
  id: number;
  nick_name: string;
  avatar: string | null;
  seller_level: number;
  online: boolean;
  last_seen_at: Date;
  sold_count: number;
  rating_sum: number;
  rating_count: number;
  created_at: Date;
}

/** Whether somebody counts as present: the own switch is on and the last visit is less than a day ago. */
const PRESENT = sql`online and last_seen_at > now() - interval '24 hours'`;

/** The same as a condition over the id of a user, for lists of what belongs to people. */
export function isPresent(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from app_user where id = ${userId} and ${PRESENT})`;
}

/** The ids of everybody who is present, through their own index: for where few are and their goods are looked for. */
export const presentIds = (): RawBuilder<unknown> => sql`select id from app_user where ${PRESENT}`;

/** Users as others see them, by id; unknown ids are absent. */
export async function userBriefs(db: Trx, ids: readonly number[]): Promise<Map<number, UserBrief>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<BriefRow>`
    select id, nick_name, avatar, seller_level, (${PRESENT}) as online, last_seen_at, sold_count, rating_sum, rating_count, created_at
    from app_user where id = any(${[...new Set(ids)]})`.execute(db);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        nickName: row.nick_name,
        avatar: avatarUrl(row.avatar, row.nick_name, row.id),
        sellerLevel: row.seller_level,
        online: row.online,
        lastSeenAt: row.last_seen_at,
        soldCount: row.sold_count,
        goodRate: goodRate(row.rating_sum, row.rating_count),
        createdAt: row.created_at,
      },
    ]),
  );
}

/** What a check of the pay password needs to know of the asker; a SessionUser fits. */
export interface PayingUser {
  readonly id: number;
  readonly sessionHash: Buffer;
  readonly payVerifiedAt: Date | null;
  readonly hasPayPassword: boolean;
}

const STEP_UP_MS = 5 * 60_000;
const MAX_FAILS = 5;

/** Whether a session has proved its owner within the last five minutes. */
export function hasSteppedUp(user: Pick<PayingUser, 'payVerifiedAt'>): boolean {
  return user.payVerifiedAt !== null && Date.now() - user.payVerifiedAt.getTime() < STEP_UP_MS;
}

/**
 * Makes sure that the owner is there before money moves: a session that proved itself by pay password or SMS code within five
 * minutes need not do it again. Five wrong ones lock the password for 24 h (reliability.md b.8, b.9).
 * Throws PAY_PASSWORD_REQUIRED, PAY_PASSWORD_WRONG, PAY_PASSWORD_LOCKED.
 */
export async function checkPayPassword(ctx: { db: Db }, user: PayingUser, given: string | undefined): Promise<void> {
  if (hasSteppedUp(user)) return;
  if (!user.hasPayPassword) throw new AppError('PAY_PASSWORD_REQUIRED', { text: '请先设置支付密码' });
  if (given === undefined || given === '') throw new AppError('PAY_PASSWORD_REQUIRED');
  await matchPayPassword(ctx.db, user.id, given);
  await markStepUp(ctx.db, user.sessionHash);
}

/**
 * Compares a pay password. The try is counted before it is compared, so that guesses sent at once count as well.
 * Throws PAY_PASSWORD_WRONG, PAY_PASSWORD_LOCKED.
 */
export async function matchPayPassword(db: Trx, userId: number, given: string): Promise<void> {
  const { rows } = await sql<{ hash: string }>`
    update app_user set
      pay_password_fails = case when pay_password_locked_until is null then pay_password_fails + 1 else 1 end,
      pay_password_locked_until = case when pay_password_locked_until is null and pay_password_fails + 1 >= ${MAX_FAILS} then now() + interval '24 hours' end
    where id = ${userId} and pay_password_hash is not null and (pay_password_locked_until is null or pay_password_locked_until <= now())
    returning pay_password_hash as hash`.execute(db);
  const hash = rows[0]?.hash;
  if (hash === undefined) throw new AppError('PAY_PASSWORD_LOCKED');
  if (!(await checkSecret(hash, given))) throw new AppError('PAY_PASSWORD_WRONG');
  await sql`update app_user set pay_password_fails = 0, pay_password_locked_until = null where id = ${userId} and pay_password_hash = ${hash}`.execute(
    db,
  );
}

/** Notes that a session has just proved its owner. */
export async function markStepUp(db: Trx, sessionHash: Buffer): Promise<void> {
  await sql`update session set pay_verified_at = now() where id_hash = ${sessionHash}`.execute(db);
}

/** A user's own number, in the clear: for sending to it, never for showing. */
export async function phoneOf(ctx: { db: Trx; keys: Keys }, userId: number): Promise<string> {
  const { rows } = await sql<{ phone_enc: Buffer }>`select phone_enc from app_user where id = ${userId}`.execute(
    ctx.db,
  );
  const sealed = rows[0]?.phone_enc;
  if (!sealed) throw new AppError('LOGIN_REQUIRED');
  return openPhone(ctx.keys, userId, sealed);
}

/** A user's own mail address, in the clear: for sending to it, never for showing. undefined when none is bound. */
export async function emailOf(ctx: { db: Trx; keys: Keys }, userId: number): Promise<string | undefined> {
  const { rows } = await sql<{ email_enc: Buffer | null }>`select email_enc from app_user where id = ${userId}`.execute(
    ctx.db,
  );
  const sealed = rows[0]?.email_enc;
  return sealed ? open(ctx.keys, `app_user.email_enc:${userId}`, sealed) : undefined;
}

/** Uses up a code that went to the user's own number. Throws SMS_CODE_WRONG. */
export async function spendOwnSmsCode(
  ctx: Pick<Context, 'db' | 'keys'>,
  userId: number,
  given: { purpose: SmsPurpose; code: string; distId: number },
): Promise<void> {
  await spendSmsCode(ctx, { phone: await phoneOf(ctx, userId), ...given });
}

/**
 * Makes sure that the owner is there, by a code to their own number; a session that proved it within five minutes is not asked again.
 * Throws SMS_CODE_WRONG.
 */
export async function proveOwner(
  ctx: Pick<Context, 'db' | 'keys'>,
  user: Pick<PayingUser, 'id' | 'sessionHash' | 'payVerifiedAt'>,
  given: { purpose: SmsPurpose; code: string | undefined; distId: number },
): Promise<void> {
  if (hasSteppedUp(user)) return;
  const { code } = given;
  if (code === undefined || code === '') throw new AppError('SMS_CODE_WRONG', { text: '请输入短信验证码' });
  await spendOwnSmsCode(ctx, user.id, { ...given, code });
  await markStepUp(ctx.db, user.sessionHash);
}

/** The look-up index of a phone, for searches by staff. */
export function phoneSearchIndex(keys: Keys, phone: string): Buffer {
  return phoneIndex(keys, phone);
}
