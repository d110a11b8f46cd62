import { type RawBuilder, sql } from 'kysely';
import { maskPhone } from '#contract/rules/contacts/phone.ts';
import type { Trx } from '#server/db/client.ts';
import { type Keys, decrypt } from '#server/kernel/secrets/crypto.ts';
import { readableCode } from '#server/kernel/ids.ts';
import { avatarUrl } from '#subjects/media/server/service.ts';
import { phoneIndex, encryptPhone } from './phone/phones.ts';
import { contactLocation } from './rules.ts';
import { goodRate } from './rules.ts';

export { goodRate } from './rules.ts';

export { bindFollower, removeFollower } from './followers.ts';
export { endStaffSessions, markFactorVerified, staffSessions } from './staff-sessions.ts';
export { addRating, endSession, markVerified, setSellerLevel } from './standing.ts';
export { endSessions, loadSessions } from './session-list.ts';
export { requireConsents } from './consents.ts';
export { browserHash, saveBrowser } from './devices.ts';
export { loadPhone, spendOwnSmsCode } from './phone/own-phone.ts';
export { recordPayVerified, loadPayoutWait, requireStepUp } from './step-up.ts';
export { listUsers } from './staff/users.ts';
export { auditUserSearch, ownerFilter, userIdsFor } from './staff/user-search.ts';

export interface NewAccount {
  phone: string;
  distId: number;
  /** A random name when absent. */
  nickName?: string | undefined;
  passwordHash?: string | undefined;
  payPasswordHash?: string | undefined;
  inviterId?: number | undefined;
  avatar?: string | undefined;
  sellerLevel?: number | undefined;
  soldCount?: number | undefined;
  online?: boolean | undefined;
  createdAt?: Date | undefined;
  lastSeenAt?: Date | undefined;
}

const MAX_ATTEMPTS = 5;
const UNION_DIGITS = 7;
const INVITE_LENGTH = 6;

/** Creates a user with a free user number and invite code; undefined when the phone already has a user. */
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
        invite_code, inviter_id, seller_level, sold_count, online, created_at, last_seen_at)
      overriding system value
      values (${id}, ${account.distId}, ${index}, ${encryptPhone(keys, id, account.phone)}, ${maskPhone(account.phone)}, ${nickName},
        ${account.avatar ?? null}, ${account.passwordHash ?? null}, ${account.payPasswordHash ?? null}, ${unionNum},
        ${readableCode(INVITE_LENGTH)}, ${account.inviterId ?? null}, ${account.sellerLevel ?? 0}, ${account.soldCount ?? 0},
        ${account.online ?? true}, coalesce(${account.createdAt ?? null}, now()),
        coalesce(${account.lastSeenAt ?? null}, now()))
      on conflict do nothing returning id`.execute(trx);
    if (rows[0]) return { id, nickName };
    const existing = await sql`select from app_user where phone_hash = ${index}`.execute(trx);
    if (existing.rows.length > 0) return undefined;
  }
  throw new Error('no free user number found');
}

/** A user as others see them. */
export interface UserBrief {
  id: number;
  nickName: string;
  /** URL of the picture. */
  avatar: string;
  sellerLevel: number;
  online: boolean;
  lastSeenAt: Date;
  soldCount: number;
  /** Percent; null without ratings. */
  goodRate: number | null;
  createdAt: Date;
}

/** The row behind a UserBrief, with the column names of the table. */
export interface BriefRow {
  nick_name: string;
  avatar: string | null;
  seller_level: number;
  online: boolean;
  last_seen_at: Date;
  sold_count: number;
  rating_good: number;
  rating_count: number;
  joined_at: Date;
}

/** Condition: a user counts as present when their switch is on and the last visit is less than a day ago. */
const PRESENT = sql`online and last_seen_at > now() - interval '24 hours'`;

/** The same condition by the id of a user, for lists of things that users own. */
export function isPresent(userId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`exists (select from app_user where id = ${userId} and ${PRESENT})`;
}

/** Columns of BriefRow, of app_user `u`: for lists that read a row and its user at once. */
export const BRIEF_COLUMNS = sql`u.nick_name, u.avatar, u.seller_level, (${PRESENT}) as online,
  u.last_seen_at, u.sold_count, u.rating_good, u.rating_count, u.created_at as joined_at`;

/** The ids of all present users, by a partial index: for searches over the listings of few present users. */
export const presentIds = (): RawBuilder<unknown> => sql`select id from app_user where ${PRESENT}`;

/** Users as others see them, by id; unknown ids are absent. */
export async function userBriefs(db: Trx, ids: readonly number[]): Promise<Map<number, UserBrief>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<BriefRow & { id: number }>`
    select u.id, ${BRIEF_COLUMNS} from app_user u where u.id = any(${[...new Set(ids)]})`.execute(db);
  return new Map(rows.map((row) => [row.id, briefOf(row.id, row)]));
}

/** A user as others see them, from a row that was read with BRIEF_COLUMNS. */
export function briefOf(id: number, row: BriefRow): UserBrief {
  return {
    id,
    nickName: row.nick_name,
    avatar: avatarUrl(row.avatar, row.nick_name, id),
    sellerLevel: row.seller_level,
    online: row.online,
    lastSeenAt: row.last_seen_at,
    soldCount: row.sold_count,
    goodRate: goodRate(row.rating_good, row.rating_count),
    createdAt: row.joined_at,
  };
}

/** A user's contact for customer service in addition to the phone; undefined when the user gave none. */
export async function loadContact(ctx: { db: Trx; keys: Keys }, userId: number): Promise<string | undefined> {
  const { rows } = await sql<{ contact: Buffer | null }>`
    select contact_enc as contact from app_user where id = ${userId}`.execute(ctx.db);
  const encrypted = rows[0]?.contact;
  return encrypted ? decrypt(ctx.keys, contactLocation(userId), encrypted) : undefined;
}

/** A user's mail address in plain text: for sending only, never for display. undefined when none is bound. */
export async function loadEmail(ctx: { db: Trx; keys: Keys }, userId: number): Promise<string | undefined> {
  const { rows } = await sql<{ email_enc: Buffer | null }>`select email_enc from app_user where id = ${userId}`.execute(
    ctx.db,
  );
  const encrypted = rows[0]?.email_enc;
  return encrypted ? decrypt(ctx.keys, `app_user.email_enc:${userId}`, encrypted) : undefined;
}

/** The look-up index of a phone, for searches by staff. */
export function phoneSearchIndex(keys: Keys, phone: string): Buffer {
  return phoneIndex(keys, phone);
}
