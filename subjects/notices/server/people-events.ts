import { UserStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Effects } from '#server/jobs/events.ts';
import { clockText } from './rules.ts';
import { notify } from './service.ts';

/** Texts for changes of an account. */
const ACCOUNT_EVENTS = {
  'account.phoneChanged': '登录手机号已更换',
  'account.passwordChanged': '登录密码已修改',
  'account.payPasswordChanged': '支付密码已修改',
  'account.emailChanged': '绑定邮箱已更换',
  'account.payeeBound': '收款账户已变更',
} as const;
const PROVIDERS: Readonly<Record<string, string>> = { wechat: '微信', qq: 'QQ' };

/** A ref that merges repeated notices of the same change within a minute. */
function minuteRef(topic: string, at: Date): string {
  return `${topic}:${Math.floor(at.getTime() / 60_000)}`;
}

async function changed(ctx: Context, topic: string, userId: number, what: string): Promise<void> {
  const now = new Date();
  const values = { what, time: clockText(now) };
  await notify(ctx, { kind: 'security.change', userIds: [userId], ref: minuteRef(topic, now), values });
}

function bindAccount(ctx: Context, effects: Effects): void {
  for (const topic of Object.keys(ACCOUNT_EVENTS) as (keyof typeof ACCOUNT_EVENTS)[])
    effects.on(topic, async (_ctx, { userId }) => await changed(ctx, topic, userId, ACCOUNT_EVENTS[topic]));
  for (const [topic, done] of [
    ['account.thirdPartyBound', '已绑定'],
    ['account.thirdPartyUnbound', '已解绑'],
  ] as const)
    effects.on(topic, async (_ctx, { userId, provider }) => {
      await changed(ctx, `${topic}:${provider}`, userId, `${PROVIDERS[provider] ?? '第三方'}登录${done}`);
    });
  effects.on('account.newDevice', async (_ctx, { userId, device, region, ref }) => {
    const filled = { device: region ? `${region}，${device}` : device, time: clockText(new Date()) };
    await notify(ctx, { kind: 'security.login', userIds: [userId], ref, values: filled });
  });
  effects.on('account.closed', async (_ctx, { userId }) => {
    const { rows } = await sql<{ closed: Date; erase: Date }>`
      select closed_at as closed, erase_at as erase from app_user where id = ${userId} and status = ${sql.lit(UserStatus.Closed)} and erase_at is not null and closed_at is not null`.execute(
      ctx.db,
    );
    const at = rows[0];
    if (!at) return;
    const values = { time: clockText(at.closed), erase: clockText(at.erase) };
    const ref = `closed:${at.closed.getTime()}`;
    await notify(ctx, { kind: 'security.closed', userIds: [userId], ref, values, toClosed: true });
  });
}

const DECIDED: Readonly<Record<string, { what: string; text: string }>> = {
  list: { what: '举报已核实', text: '已列入黑号名单公示' },
  reject: { what: '举报未采纳', text: '未列入黑号名单' },
  remove: { what: '黑号记录已撤下', text: '已从黑号名单撤下' },
};

interface Entry {
  note: string | null;
  distId: number;
}

function bindBlack(ctx: Context, effects: Effects): void {
  effects.on('black.decided', async (_ctx, e) => {
    const decision = DECIDED[e.act];
    const { rows } = await sql<Entry>`
      select review_note as note, dist_id as "distId" from black_entry where sn = ${e.blackSn}`.execute(ctx.db);
    const entry = rows[0];
    if (!decision || !entry) return;
    // The note on a listed entry is internal; the reason of a rejection is shown to the reporter.
    const reason = e.act !== 'list' && entry.note ? `：${entry.note}` : '';
    await notify(ctx, {
      kind: 'service.black',
      userIds: [e.userId],
      ref: `black:${e.blackSn}:${e.act}`,
      distId: entry.distId,
      values: { what: decision.what, text: `您举报的记录 ${e.blackSn} ${decision.text}${reason}。` },
      ...(e.act === 'list' && { link: `/black/${e.blackSn}` }),
    });
  });
  effects.on('black.appealDecided', async (_ctx, e) => {
    const { rows } = await sql<{ appealId: number; reply: string | null; distId: number }>`
      select a.id as "appealId", a.answer as reply, e.dist_id as "distId" from black_appeal a join black_entry e on e.id = a.entry_id
      where e.sn = ${e.blackSn} and a.user_id = ${e.userId} and a.status <> 'reviewing' order by a.decided_at desc limit 1`.execute(
      ctx.db,
    );
    const appeal = rows[0];
    if (!appeal) return;
    const granted = e.act === 'grant';
    const reply = appeal.reply ? `：${appeal.reply}` : '';
    await notify(ctx, {
      kind: 'service.black',
      userIds: [e.userId],
      ref: `appeal:${appeal.appealId}`,
      distId: appeal.distId,
      values: {
        what: granted ? '申诉成立' : '申诉未通过',
        text: `记录 ${e.blackSn} ${granted ? '已从黑号名单撤下' : '维持公示'}${reply}。`,
      },
      link: granted ? '/black/blackList' : `/black/${e.blackSn}`,
    });
  });
  effects.on('fakeService.decided', async (_ctx, e) => {
    const listed = e.act === 'list';
    await notify(ctx, {
      kind: 'service.black',
      userIds: [e.userId],
      ref: `fake:${e.reportId}`,
      values: {
        what: listed ? '举报已核实' : '举报已处理',
        text: listed ? '您举报的假客服号码已列入黑号名单，感谢您的提醒。' : '您举报的号码经核查未列入名单。',
      },
      link: '/black/blackList',
    });
  });
}

/** Notices about the user's account, reports and appeals. */
export function bindPeopleEvents(ctx: Context, effects: Effects): void {
  bindAccount(ctx, effects);
  bindBlack(ctx, effects);
}
