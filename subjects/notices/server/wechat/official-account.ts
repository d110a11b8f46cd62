import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import QRCode from 'qrcode';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { bindWeChatOfficialAccountPush, followAccount } from '#subjects/notices/contract/wechat-push.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { sha256 } from '#server/kernel/secrets/crypto.ts';
import type { OfficialAccount } from '#server/ports/official-account.ts';
import { AppError } from '#server/kernel/errors.ts';
import { bindFollower, removeFollower } from '#subjects/accounts/server/service.ts';

const LIFE_SECONDS = 600;
const PROVIDER = 'wechat_push';

const drawn = (text: string): Promise<string> =>
  QRCode.toString(text, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' });

/** The official account. Throws VENDOR_OFF where it is switched off. */
function accountOf({ officialAccount }: Context): OfficialAccount {
  if (!officialAccount) throw new AppError('VENDOR_OFF', { text: '本站没有开通微信公众号提醒' });
  return officialAccount;
}

/** The public QR code to follow the official account. */
export async function publicQr({ ctx, origin }: Call) {
  const account = accountOf(ctx);
  const url = account.followUrl(origin);
  return { url, qrSvg: await drawn(url), name: account.title, text: '微信扫码关注，订单和资金变动及时知道' };
}

/** Whether the user's notices are sent to WeChat, and since when. */
export async function bindStatus({
  ctx,
  user,
}: UserCall): Promise<{ status: number; bindTime: Date | null; isOpen: boolean }> {
  const { rows } = await sql<{ at: Date }>`
    select created_at as at from third_party_binding where user_id = ${user.id} and provider = ${PROVIDER}`.execute(
    ctx.db,
  );
  return { status: rows.length, bindTime: rows[0]?.at ?? null, isOpen: ctx.officialAccount !== undefined };
}

/** Creates a QR code that binds its follower to the caller and invalidates earlier ones, or removes the binding. */
export async function bind(
  call: UserCall,
  action: 'bind' | 'unbind',
): Promise<HandlerResult<typeof bindWeChatOfficialAccountPush>> {
  const { ctx, user, origin } = call;
  if (action === 'unbind') {
    await removeFollower(ctx.db, { userId: user.id });
    return { bound: false, url: null, qrSvg: null, expireTime: null };
  }
  const account = accountOf(ctx);
  if ((await bindStatus(call)).bindTime !== null) return { bound: true, url: null, qrSvg: null, expireTime: null };
  const scene = randomBytes(16).toString('hex');
  const { rows } = await sql<{ at: Date }>`
    with old as (delete from wechat_push_ticket where user_id = ${user.id} or expires_at < now() - interval '1 day')
    insert into wechat_push_ticket (scene_hash, user_id, expires_at)
    values (${sha256(scene)}, ${user.id}, now() + make_interval(secs => ${LIFE_SECONDS})) returning expires_at as at`.execute(
    ctx.db,
  );
  const url = await account.sceneUrl({ scene, origin, lifeSeconds: LIFE_SECONDS });
  return { bound: false, url, qrSvg: await drawn(url), expireTime: rows[0]?.at ?? null };
}

/**
 * Binds the follower of a QR code to the user who requested it, once. A WeChat account bound to another user is rebound. Returns whether
 * the QR code was still valid.
 */
export async function followed(ctx: Context, scene: string, openId: string): Promise<boolean> {
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ user_id: number }>`
      update wechat_push_ticket set used_at = now() where scene_hash = ${sha256(scene)} and used_at is null and expires_at > now()
      returning user_id`.execute(trx);
    const userId = rows[0]?.user_id;
    if (userId === undefined) return false;
    await bindFollower(trx, userId, openId);
    return true;
  });
}

/** Simulates following in the demo market. Throws NOT_FOUND where the real WeChat is connected. */
export async function playFollow({ ctx }: Call, scene: string): Promise<HandlerResult<typeof followAccount>> {
  if (ctx.officialAccount?.played !== true) throw new AppError('NOT_FOUND');
  return { bound: await followed(ctx, scene, `played-${randomBytes(9).toString('base64url')}`) };
}
