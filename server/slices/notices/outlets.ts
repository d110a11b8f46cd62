import { sql } from 'kysely';
import { sharedHit } from '#server/access/limits.ts';
import type { Context } from '#server/context.ts';
import { emailOf, phoneOf } from '#server/slices/accounts/service.ts';
import { pushTo } from './browsers.ts';
import { type Outlet, SMS_OF_KIND, SMS_PER_DAY } from './rules.ts';

/** A message to one user by one outlet. */
export interface OutletMessage {
  channel: Outlet;
  userId: number;
  kind: string;
  title: string;
  body: string;
  link: string | null;
  distId: number;
  /** Our number at the vendor; a repeated number is the same message. */
  ref: string;
}

const DAY_SECONDS = 86_400;

/** Returns 'sent', or the reason why the user cannot be reached. Throws when it should be retried. */
type Deliver = (ctx: Context, p: OutletMessage, site: { name: string; origin: string }) => Promise<string>;

const within = async (ctx: Context, key: string, max: number): Promise<boolean> =>
  await sharedHit(ctx.db, key, max, DAY_SECONDS);

const bySms: Deliver = async (ctx, p, site) => {
  const ofKind = SMS_OF_KIND[p.kind];
  if (ofKind !== undefined && !(await within(ctx, `notice-sms:${p.userId}:${p.kind}`, ofKind)))
    return '今日同类短信已达上限';
  if (!(await within(ctx, `notice-sms:${p.userId}`, SMS_PER_DAY))) return '今日短信已达上限';
  const phone = await phoneOf(ctx, p.userId);
  const text = `【${site.name}】${p.title}：${p.body}`;
  await ctx.sms.send({ phone, code: '', purpose: p.kind, site: site.name, text, ref: p.ref });
  return 'sent';
};

const byMail: Deliver = async (ctx, p, site) => {
  const to = await emailOf(ctx, p.userId);
  if (to === undefined) return '没有绑定邮箱';
  const where = p.link === null ? '' : `\n\n查看：${site.origin}${p.link}`;
  const text = `${p.body}${where}\n\n这封邮件由${site.name}自动发送。不想再收到，可在“消息 - 提醒设置”中关闭。`;
  await ctx.mail.send({ to, subject: `${site.name}：${p.title}`, text, code: '', ref: p.ref });
  return 'sent';
};

const byWechat: Deliver = async (ctx, p, site) => {
  const { rows } = await sql<{ open_id: string }>`
    select open_id from third_party_binding where user_id = ${p.userId} and provider = 'wechat_push'`.execute(ctx.db);
  const openId = rows[0]?.open_id;
  if (openId === undefined) return '没有绑定公众号';
  const url = `${site.origin}${p.link ?? '/center/notices'}`;
  const outcome = await ctx.officialAccount.send({ openId, title: p.title, body: p.body, url, ref: p.ref });
  if (outcome === 'sent') return outcome;
  await sql`delete from third_party_binding where user_id = ${p.userId} and provider = 'wechat_push' and open_id = ${openId}`.execute(
    ctx.db,
  );
  return '已取消关注公众号';
};

const byPush: Deliver = async (ctx, p) =>
  (await pushTo(ctx, p.userId, {
    title: p.title,
    body: p.body,
    url: p.link ?? '/center/notices',
    tag: p.ref,
  }))
    ? 'sent'
    : '没有可推送的浏览器';

const outlets: Readonly<Record<Outlet, Deliver>> = { sms: bySms, email: byMail, wechat: byWechat, push: byPush };

/** Passes a message to its vendor. Returns 'sent', or the reason why the user cannot be reached; throws when it should be retried. */
export async function deliverTo(ctx: Context, parcel: OutletMessage): Promise<string> {
  const dist = ctx.dir.byId(parcel.distId) ?? ctx.dir.platform();
  return await outlets[parcel.channel](ctx, parcel, { name: dist.name, origin: ctx.dir.originOf(dist.id) });
}
