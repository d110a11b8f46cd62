import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { codes } from '#contract/codes.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/open-api/contract/open-keys.ts';
import * as open from '#subjects/open-api/contract/open-api.ts';
import { API_KEYS_MAX, API_SCOPES, type ApiScope } from '../rules/api-keys.ts';
import { AuthStatus } from '#contract/rules/statuses.ts';
import { addApiKey, CALL_DAYS, revokeApiKeys, rotateApiKey } from '#server/access/api-key-store.ts';
import type { UserCall } from '#server/access/call.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { randomToken } from '#server/kernel/secrets/crypto.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { requireStepUp } from '#subjects/accounts/server/service.ts';
import { requireSeller } from '#subjects/goods/server/service.ts';

type Item = HandlerResult<typeof c.apiKeyList>['list'][number];

const PAGE = 30;
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const SUMMARIES = new Map(
  Object.values(open).flatMap((one) => ('summary' in one ? [[one.path as string, one.summary] as const] : [])),
);
/** The text of each error code. The log stores no texts of single calls, so for a wrong input it refers to the response. */
const TEXTS = new Map<number, string>([
  ...Object.values(codes).map(([code, , text]) => [code, text] as const),
  [codes.BAD_INPUT[0], '参数有误，见当次返回的 msg 和 field'],
]);

interface Row {
  id: number;
  publicId: string;
  name: string;
  scopes: string[];
  networks: string[];
  maxDrop: number;
  createdAt: Date;
  expiresAt: Date;
  isExpired: boolean;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  lastNetwork: string | null;
  previousUntil: Date | null;
}

const isScope = (scope: string): scope is ApiScope => (API_SCOPES as readonly string[]).includes(scope);

const itemOf = (row: Row): Item => ({
  keyId: row.id,
  publicId: row.publicId,
  name: row.name,
  scopes: row.scopes.filter(isScope),
  networks: row.networks,
  maxDropPercent: row.maxDrop,
  status: row.revokedAt !== null ? 'revoked' : row.isExpired ? 'expired' : 'active',
  createTime: row.createdAt,
  expireTime: row.expiresAt,
  lastUseTime: row.lastUsedAt,
  lastNetwork: row.lastNetwork,
  previousUntil: row.previousUntil,
});

async function loadRows(db: Trx, userId: number, keyId?: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, public_id as "publicId", name, scopes, networks, max_drop as "maxDrop", created_at as "createdAt", expires_at as "expiresAt",
      expires_at <= now() as "isExpired", revoked_at as "revokedAt", last_used_at as "lastUsedAt", last_network as "lastNetwork",
      case when previous_until > now() then previous_until end as "previousUntil"
    from api_key where user_id = ${userId} and coalesce(revoked_at, expires_at) > now() - make_interval(days => ${CALL_DAYS})
      ${keyId === undefined ? sql`` : sql`and id = ${keyId}`}
    order by (revoked_at is null and expires_at > now()) desc, id desc limit 100`.execute(db);
  return rows;
}

/** The caller's keys. */
export async function ownKeys({ ctx, user }: UserCall): Promise<HandlerResult<typeof c.apiKeyList>> {
  const rows = await loadRows(ctx.db, user.id);
  return { list: rows.map(itemOf), canCreate: user.authStatus === AuthStatus.Verified };
}

const newPublicId = (): string =>
  `yk_${Array.from({ length: 20 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;

/** Notifies a key's owner of its change, so that an owner who did not make the change can end the key. */
async function tell(trx: Trx, { user }: UserCall, ref: string, what: string, text: string): Promise<void> {
  const values = { what, text: `${text}不是本人操作请立即到「开放接口」停用，并修改登录密码和支付密码。` };
  await emit(trx, 'notice', { kind: 'security.api_key', userId: user.id, ref, distId: user.distId, values });
}

/** Creates a key for a verified seller, after a step-up. Throws STEP_UP_REQUIRED, REAL_NAME_*, KEY_COUNT. */
export async function createKey(
  call: UserCall,
  input: Parsed<typeof c.apiKeyCreate>,
): Promise<HandlerResult<typeof c.apiKeyCreate>> {
  const { ctx, user } = call;
  await requireSeller(call);
  await requireStepUp(call, 'apiKey');
  const secret = randomToken();
  return await inTransaction(ctx.db, async (trx) => {
    await sql`select from app_user where id = ${user.id} for no key update`.execute(trx);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from api_key where user_id = ${user.id} and revoked_at is null and expires_at > now()`.execute(
      trx,
    );
    if ((rows[0]?.n ?? 0) >= API_KEYS_MAX) throw new AppError('KEY_COUNT');
    const key = { ...input, scopes: [...new Set(input.scopes)], publicId: newPublicId(), secret, userId: user.id };
    const id = await addApiKey(trx, ctx.keys, key);
    await tell(trx, call, `apiKey:${id}`, '新建了开放接口密钥', `您新建了密钥「${input.name}」。`);
    return { key: await oneKey(trx, user.id, id), secret };
  });
}

async function oneKey(trx: Trx, userId: number, keyId: number): Promise<Item> {
  const [row] = await loadRows(trx, userId, keyId);
  if (!row) throw errorOf('NOT_FOUND', 'apiKey');
  return itemOf(row);
}

/** Gives a key a new secret, after a step-up. Throws STEP_UP_REQUIRED, NOT_FOUND, KEY_ENDED. */
export async function rotateKey(
  call: UserCall,
  { keyId, overlapHours }: Parsed<typeof c.apiKeyRotate>,
): Promise<HandlerResult<typeof c.apiKeyRotate>> {
  const { ctx, user } = call;
  await requireStepUp(call, 'apiKey');
  const secret = randomToken();
  return await inTransaction(ctx.db, async (trx) => {
    const { name } = await oneKey(trx, user.id, keyId);
    if (!(await rotateApiKey(trx, ctx.keys, { keyId, userId: user.id, secret, overlapHours })))
      throw new AppError('KEY_ENDED');
    const ref = `apiKey:${keyId}:${Date.now()}`;
    await tell(trx, call, ref, '更换了开放接口密钥的签名密码', `您更换了密钥「${name}」的签名密码。`);
    return { key: await oneKey(trx, user.id, keyId), secret };
  });
}

/** Ends a key; one that has ended stays so. Throws NOT_FOUND. */
export async function revokeKey(call: UserCall, keyId: number): Promise<void> {
  const { ctx, user } = call;
  await inTransaction(ctx.db, async (trx) => {
    const { name } = await oneKey(trx, user.id, keyId);
    const ended = await revokeApiKeys(trx, user.id, keyId);
    if (ended.length > 0)
      await tell(trx, call, `apiKey:${keyId}:end`, '停用了开放接口密钥', `密钥「${name}」已停用，不能再调用。`);
  });
}

/** The calls of one of the caller's keys. Throws NOT_FOUND. */
export async function keyCalls(
  { ctx, user }: UserCall,
  { keyId, cursor, pageSize = PAGE }: Parsed<typeof c.apiKeyCalls>,
): Promise<HandlerResult<typeof c.apiKeyCalls>> {
  await oneKey(ctx.db, user.id, keyId);
  const after = decodeId(cursor);
  const { rows } = await sql<{
    id: number;
    at: Date;
    method: string;
    path: string;
    code: number;
    ms: number;
    network: string;
  }>`
    select id, at, method, path, code, ms, network from api_call
    where key_id = ${keyId} ${after === undefined ? sql`` : sql`and id < ${after}`} order by id desc limit ${pageSize + 1}`.execute(
    ctx.db,
  );
  const page = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? page.at(-1) : undefined;
  return {
    list: page.map(({ id, at, path, code, ...row }) => ({
      callId: id,
      callTime: at,
      path,
      summary: SUMMARIES.get(path) ?? '',
      code,
      failure: code === 0 ? null : (TEXTS.get(code) ?? '其他错误'),
      ...row,
    })),
    next: last ? encodeCursor([last.id]) : null,
  };
}

/** Returns the details of the calling key. */
export async function keySelf({ ctx, caller, user }: UserCall): Promise<HandlerResult<typeof open.openSelf>> {
  const { scopes, expireTime, maxDropPercent } = await oneKey(ctx.db, user.id, caller.key?.id ?? 0);
  return { sellerId: String(user.id), scopes, expireTime, serverTime: new Date(), maxDropPercent };
}
