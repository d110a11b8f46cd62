import { sql } from 'kysely';
import { randomToken } from '#server/kernel/secrets/crypto.ts';
import { sharedHit } from '#server/access/limits.ts';
import type { Context } from '#server/context.ts';
import { VendorRejected } from '#server/kernel/errors.ts';
import type { Delivery } from '#server/ports/delivery.ts';
import { loadEmail, loadPhone, removeFollower } from '#subjects/accounts/server/service.ts';
import { pushTo } from './browsers.ts';
import { unsubscribeUrl } from './mail-unsubscribe.ts';
import { loadSmsTemplate } from './queries.ts';
import { type Outlet, SMS_OF_KIND, SMS_PER_DAY } from './rules.ts';

/** A message to one user through one outlet. */
export interface OutletMessage {
  channel: Outlet;
  userId: number;
  kind: string;
  /** The kinds of all notices of a digest. */
  kinds?: readonly string[];
  title: string;
  body: string;
  link: string | null;
  distId: number;
  /** Our number at the vendor; a repeated number is the same message. */
  ref: string;
}

const DAY_SECONDS = 86_400;

/** How a message ended: sent, not known, or the reason why the user cannot be reached. */
export type Delivered = Delivery | { dropped: string };

/** Throws when it should be retried. */
type Deliver = (
  ctx: Context,
  p: OutletMessage,
  site: { name: string; code: string; origin: string },
) => Promise<Delivered>;

const dropped = (reason: string): Delivered => ({ dropped: reason });

/** A vendor error about this receiver is permanent; other errors are rethrown. */
function rejectedFor(error: unknown, reason: string): Delivered {
  if (error instanceof VendorRejected && (error.kind === 'input' || error.kind === 'limit'))
    return dropped(`${reason}（${error.vendorCode}）`);
  throw error;
}

const within = async (ctx: Context, key: string, max: number): Promise<boolean> =>
  await sharedHit(ctx.relaxed, key, max, DAY_SECONDS);

const bySms: Deliver = async (ctx, p, site) => {
  if (!ctx.sms) return dropped('本站没有开通短信');
  const template = await loadSmsTemplate(ctx.db, p.kind);
  if (template === undefined && ctx.sms.carries?.(p.kind) === false) return dropped('没有这类通知的短信模板');
  const ofKind = SMS_OF_KIND[p.kind];
  if (ofKind !== undefined && !(await within(ctx, `notice-sms:${p.userId}:${p.kind}`, ofKind)))
    return dropped('今日同类短信已达上限');
  if (!(await within(ctx, `notice-sms:${p.userId}`, SMS_PER_DAY))) return dropped('今日短信已达上限');
  const phone = await loadPhone(ctx, p.userId);
  const text = `【${site.name}】${p.title}：${p.body}`;
  const message = { phone, code: '', purpose: p.kind, site: site.name, siteCode: site.code, title: p.title, text };
  return await ctx.sms
    .send({ ...message, ...(template !== undefined && { template }), ref: p.ref })
    .catch((error: unknown) => rejectedFor(error, '短信服务商拒绝了这个号码'));
};

const byMail: Deliver = async (ctx, p, site) => {
  if (!ctx.mail) return dropped('本站没有开通邮件');
  const to = await loadEmail(ctx, p.userId);
  if (to === undefined) return dropped('没有绑定邮箱');
  const where = p.link === null ? '' : `\n\n查看：${site.origin}${p.link}`;
  const text = `${p.body}${where}\n\n这封邮件由${site.name}自动发送。不想再收到，可在“消息 - 提醒设置”中关闭。`;
  const kinds = p.kinds ?? [p.kind];
  const unsubscribe = await unsubscribeUrl(ctx, { userId: p.userId, kinds, origin: site.origin });
  const mail = { to, subject: `${site.name}：${p.title}`, text, code: '', site: site.name, ref: p.ref, unsubscribe };
  return await ctx.mail.send(mail).catch((error: unknown) => rejectedFor(error, '邮件服务器拒绝了这个地址'));
};

const byWechat: Deliver = async (ctx, p, site) => {
  if (!ctx.officialAccount) return dropped('本站没有开通公众号');
  const { rows } = await sql<{ open_id: string }>`
    select open_id from third_party_binding where user_id = ${p.userId} and provider = 'wechat_push'`.execute(ctx.db);
  const openId = rows[0]?.open_id;
  if (openId === undefined) return dropped('没有绑定公众号');
  const url = `${site.origin}${p.link ?? '/center/notices'}`;
  const outcome = await ctx.officialAccount.send({ openId, title: p.title, body: p.body, url, ref: p.ref });
  if (outcome === 'sent') return outcome;
  if (outcome === 'refused') return dropped('没有允许公众号发这类提醒');
  await removeFollower(ctx.db, { userId: p.userId, openId });
  return dropped('已取消关注公众号');
};

const byPush: Deliver = async (ctx, p) =>
  (await pushTo(ctx, p.userId, {
    title: p.title,
    body: p.body,
    url: p.link ?? '/center/notices',
    tag: p.ref,
  }))
    ? 'sent'
    : dropped('没有可推送的浏览器');

const outlets: Readonly<Record<Outlet, Deliver>> = { sms: bySms, email: byMail, wechat: byWechat, push: byPush };

const TRIAL = { title: '测试消息', body: '这是后台发出的测试消息，无需处理' };

/** Sends a test message of staff through an outlet. Throws the vendor's error. */
export async function sendTrial(ctx: Context, channel: Outlet, userId: number, text = TRIAL): Promise<Delivered> {
  const { id: distId } = ctx.dir.platform();
  const ref = `trial:${randomToken(9)}`;
  return await deliverTo(ctx, { channel, userId, kind: 'trial', ...text, link: null, distId, ref });
}

/** Sends a message through its vendor. Throws when it should be retried. */
export async function deliverTo(ctx: Context, parcel: OutletMessage): Promise<Delivered> {
  const dist = ctx.dir.byId(parcel.distId) ?? ctx.dir.platform();
  return await outlets[parcel.channel](ctx, parcel, {
    name: dist.name,
    code: dist.code,
    origin: ctx.dir.originOf(dist.id),
  });
}
