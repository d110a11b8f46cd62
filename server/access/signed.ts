import { createHash, createHmac } from 'node:crypto';
import { BlockList, isIP, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { SIGNED_HEADERS, SIGNED_SECONDS, textToSign } from '#subjects/open-api/rules/api-keys.ts';
import { UserStatus } from '#contract/rules/statuses.ts';
import type { ErrorName } from '#contract/codes.ts';
import type { Context } from '#server/context.ts';
import { decrypt, sameText } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { plainAddress } from '#server/kernel/network.ts';
import { keySecretAad, takeNonce } from './api-key-store.ts';
import { sharedHit } from './limits.ts';
import type { Caller, KeyOfCaller } from './session.ts';

/** Wrong signatures logged per key and hour: otherwise anyone who knows the public half could fill the log. */
const FAULTS_AN_HOUR = 30;
/** No session has this hash, so a check that requires a proven session always fails. */
const NO_SESSION = Buffer.alloc(32);

const PUBLIC_ID = /^yk_[a-z0-9]{20}$/;
const TIMESTAMP = /^\d{10}$/;
const NONCE = /^[\w-]{16,64}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;

interface KeyRow {
  id: number;
  publicId: string;
  userId: number;
  scopes: string[];
  networks: string[];
  maxDrop: number;
  secret: Buffer;
  previous: Buffer | null;
  ended: boolean;
  nickName: string;
  authStatus: number;
  distId: number;
  inviterId: number | null;
  status: number;
}

/** A request that names a key: the caller, or why it is rejected. `logged` says whether the rejection appears in the log of the key's owner. */
export type Signed =
  | { caller: Caller & { key: KeyOfCaller }; failure: undefined }
  | { caller: undefined; keyId: number | undefined; failure: AppError };

const headerOf = (request: FastifyRequest, name: string, form: RegExp): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' && form.test(value) ? value : undefined;
};

async function keyRow(ctx: Context, publicId: string): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select k.id, k.public_id as "publicId", k.user_id as "userId", k.scopes, k.networks, k.max_drop as "maxDrop", k.secret_enc as secret,
      case when k.previous_until > now() then k.previous_enc end as previous, (k.revoked_at is not null or k.expires_at <= now()) as ended,
      u.nick_name as "nickName", u.auth_status as "authStatus", u.dist_id as "distId", u.inviter_id as "inviterId", u.status
    from api_key k join app_user u on u.id = k.user_id where k.public_id = ${publicId}`.execute(ctx.db);
  return rows[0];
}

/** The signature of a text by a secret, in hex. */
export const signatureOf = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

function isSignedBy(ctx: Context, row: KeyRow, text: string, signature: string): boolean {
  const secrets = [decrypt(ctx.keys, keySecretAad(row.publicId, 'secret'), row.secret)];
  if (row.previous) secrets.push(decrypt(ctx.keys, keySecretAad(row.publicId, 'previous'), row.previous));
  return secrets.some((secret) => sameText(signatureOf(secret, text), signature));
}

function isAllowedFrom(networks: readonly string[], ip: string): boolean {
  if (networks.length === 0) return true;
  const list = new BlockList();
  for (const one of networks) {
    const [address = '', prefix] = one.split('/');
    // Keys of earlier releases may hold what is no address (subjects/open-api/rules/networks.ts): nobody calls from it.
    if (isIP(address) === 0) continue;
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  const plain = plainAddress(ip);
  return list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}

const callerOf = (row: KeyRow): Caller & { key: KeyOfCaller } => ({
  user: {
    id: row.userId,
    nickName: row.nickName,
    authStatus: row.authStatus,
    distId: row.distId,
    inviterId: row.inviterId,
    status: row.status,
    sessionHash: NO_SESSION,
    payVerifiedAt: null,
    hasPayPassword: false,
  },
  staff: null,
  sid: undefined,
  key: { id: row.id, scopes: row.scopes, maxDropPercent: row.maxDrop },
});

const rejection = (error: ErrorName, keyId?: number): Signed => ({
  caller: undefined,
  keyId,
  failure: new AppError(error),
});

/**
 * The caller of a signed request: its key exists, is in use and allowed from this address, the signature covers method, path, query and
 * body, the time stamp is at most five minutes off, and the number was not used before. Does not reveal which of key and signature is wrong.
 */
export async function signedCaller(ctx: Context, request: FastifyRequest): Promise<Signed> {
  const publicId = headerOf(request, SIGNED_HEADERS.key, PUBLIC_ID);
  const timestamp = headerOf(request, SIGNED_HEADERS.time, TIMESTAMP);
  const nonce = headerOf(request, SIGNED_HEADERS.nonce, NONCE);
  const signature = headerOf(request, SIGNED_HEADERS.signature, SIGNATURE);
  if (publicId === undefined || timestamp === undefined || nonce === undefined || signature === undefined)
    return rejection('KEY_INVALID');
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > SIGNED_SECONDS) return rejection('KEY_TIME');
  const row = await keyRow(ctx, publicId);
  if (!row || row.status === UserStatus.Closed) return rejection('KEY_INVALID');
  const bodyHash = createHash('sha256')
    .update(request.rawBody ?? '')
    .digest('hex');
  const text = textToSign({ method: request.method, target: request.raw.url ?? '', timestamp, nonce, bodyHash });
  if (!isSignedBy(ctx, row, text, signature)) {
    const isTold = await sharedHit(ctx.db, `apiKeyFault:${row.id}`, FAULTS_AN_HOUR, 3600);
    return rejection('KEY_INVALID', isTold ? row.id : undefined);
  }
  if (row.ended) return rejection('KEY_ENDED', row.id);
  if (!isAllowedFrom(row.networks, request.ip)) return rejection('KEY_NETWORK', row.id);
  // Twice the window, since a time stamp may lie ahead.
  if (!(await takeNonce(ctx.db, row.id, nonce, 2 * SIGNED_SECONDS))) return rejection('KEY_REPLAY', row.id);
  return { caller: callerOf(row), failure: undefined };
}
