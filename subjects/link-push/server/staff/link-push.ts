import { sql } from 'kysely';
import type * as c from '#subjects/link-push/contract/staff-link-push.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { sharedHit } from '#server/access/limits.ts';
import { requirePermission, requirePlatform } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction } from '#server/db/client.ts';
import { cancel, schedule } from '#server/jobs/effect-writer.ts';
import { decrypt, encrypt } from '#server/kernel/secrets/crypto.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { SEND } from '../queue.ts';
import { recordOutcome, TODAY } from '../send.ts';
import { failureText, pushTokenLocation, siteOrigin } from '../sites.ts';

const REFUSED_SHOWN = 5;
const TESTS_AN_HOUR = 5;
const HOUR_SECONDS = 3600;

type Push = HandlerResult<typeof c.staffLinkPush>;

/** The origin of a brand's site; null without a host. Throws NOT_FOUND, also for a brand other than the caller's. */
function ownOrigin({ ctx, staff }: StaffCall, distId: number): string | null {
  const isHidden = staff.distId !== null && staff.distId !== distId;
  if (isHidden || !ctx.dir.byId(distId)) throw errorOf('NOT_FOUND', 'brand');
  return siteOrigin(ctx, distId) ?? null;
}

/** How a brand's pages are submitted. The token is never part of it. Throws FORBIDDEN, NOT_FOUND. */
export async function loadPush(call: StaffCall, { distId }: Parsed<typeof c.staffLinkPush>): Promise<Push> {
  const { ctx, staff } = call;
  requirePermission(staff, 'brand.read');
  const site = ownOrigin(call, distId);
  const { kind } = ctx.config.vendors.linkPush;
  const { rows } = await sql<
    Pick<Push, 'accepted' | 'remaining' | 'waiting' | 'sentTime'> & {
      setTime: Date;
      setBy: string | null;
      failure: string | null;
      failedAt: Date | null;
      heldUntil: Date | null;
      refused: string[];
    }
  >`
    select p.set_at as "setTime", s.name as "setBy", case when p.day = ${TODAY} then p.accepted else 0 end as accepted,
      case when p.day = ${TODAY} then p.remaining end as remaining, p.sent_at as "sentTime", p.failure, p.failed_at as "failedAt",
      case when p.held_until > now() then p.held_until end as "heldUntil",
      (select count(*)::int from link_push l where l.dist_id = p.dist_id and l.sent_at is null) as waiting,
      array(select l.path from link_push l where l.dist_id = p.dist_id and l.sent_at is not null and l.outcome = 'refused' order by l.sent_at desc, l.path limit ${REFUSED_SHOWN}) as refused
    from link_push_site p left join staff s on s.id = p.set_by where p.dist_id = ${distId}`.execute(ctx.db);
  const row = rows[0];
  return {
    state: kind === 'baidu' ? 'on' : kind,
    site,
    token: row ? { setTime: row.setTime, setBy: row.setBy } : null,
    accepted: row?.accepted ?? 0,
    remaining: row?.remaining ?? null,
    waiting: row?.waiting ?? 0,
    sentTime: row?.sentTime ?? null,
    failure: row?.failure && row.failedAt ? { text: row.failure, time: row.failedAt, untilTime: row.heldUntil } : null,
    refused: row?.refused ?? [],
    maySet: staff.distId === null && staffCan(staff, 'brand.terms'),
  };
}

/** Stores a brand's token, encrypted, or removes it with what waits. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT. */
export async function setToken(call: StaffCall, input: Parsed<typeof c.setLinkPushToken>): Promise<void> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'brand.terms');
  const { distId, token, reason } = input;
  if (ownOrigin(call, distId) === null && token !== '')
    throw new AppError('BAD_INPUT', { text: '这个品牌还没有域名，请先添加并在百度验证', field: 'token' });
  await inTransaction(ctx.db, async (trx) => {
    if (token === '') {
      await sql`delete from link_push_site where dist_id = ${distId}`.execute(trx);
      await cancel(trx, SEND, distId);
    } else {
      await sql`
        insert into link_push_site (dist_id, token_enc, set_by) values (${distId}, ${encrypt(ctx.keys, pushTokenLocation(distId), token)}, ${staff.id})
        on conflict (dist_id) do update set token_enc = excluded.token_enc, set_by = excluded.set_by, set_at = now(),
          fails = 0, held_until = null, failure = null, failed_at = null`.execute(trx);
      await schedule(trx, SEND, distId, { seconds: 0 });
    }
    await audit(trx, staff, 'brand.pushToken', `brand:${distId}`, { isSet: token !== '', reason }, ip);
  });
}

/** Submits the home page. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT without a token, RATE_LIMITED, VENDOR_OFF, QUARANTINE. */
export async function tryPush(
  call: StaffCall,
  { distId }: Parsed<typeof c.testLinkPush>,
): Promise<HandlerResult<typeof c.testLinkPush>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'brand.terms');
  const origin = ownOrigin(call, distId);
  if (!ctx.linkPush) throw new AppError('BAD_INPUT', { text: '平台关闭了搜索引擎推送' });
  const { rows } = await sql<{
    token: Buffer;
  }>`select token_enc as token from link_push_site where dist_id = ${distId}`.execute(ctx.db);
  if (!rows[0] || origin === null) throw new AppError('BAD_INPUT', { text: '请先填写推送密钥', field: 'token' });
  if (!(await sharedHit(ctx.db, `linkPush:${distId}`, TESTS_AN_HOUR, HOUR_SECONDS)))
    throw new AppError('RATE_LIMITED', { text: '试推过于频繁，请一小时后再试', retryAfterSeconds: HOUR_SECONDS });
  const token = decrypt(ctx.keys, pushTokenLocation(distId), rows[0].token);
  await audit(ctx.db, staff, 'brand.pushTest', `brand:${distId}`, {}, ip);
  try {
    const outcome = await ctx.linkPush.submit({ origin, token, urls: [`${origin}/`] });
    await inTransaction(ctx.db, async (trx) => {
      await recordOutcome(trx, distId, outcome);
      if (outcome.remaining !== 0) await schedule(trx, SEND, distId, { seconds: 0 });
    });
    if (outcome.accepted === 0) return { ok: false, text: '百度没有接受首页：域名可能和站点不一致' };
    if (ctx.config.vendors.linkPush.kind === 'stand-in')
      return { ok: true, text: '演示市场：已在这里计数，没有提交给百度' };
    const rest = outcome.remaining === undefined ? '' : `，今天还可以推送 ${outcome.remaining} 个`;
    return { ok: true, text: `百度已接受首页${rest}` };
  } catch (error) {
    if (error instanceof AppError) throw error;
    return { ok: false, text: failureText(error) };
  }
}
