import { StaffStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { selfCheck } from '#subjects/back-office/contract/self-check.ts';
import { DEMO_PASSWORD, DEMO_PAY_PASSWORD, DEMO_STAFF, DEMO_USERS } from '#server/demo/logins.ts';
import { demoTotpSecret } from '#server/demo/staff-secret.ts';
import type { Call } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { trialBalance } from '#subjects/ledger/server/service.ts';
import { nextTotp } from '#server/kernel/secrets/totp.ts';

type Check = HandlerResult<typeof selfCheck>;

/** An outbox row pending for longer than this means that the relay has stopped. */
const SLOW_SECONDS = 30;

const purposeNames: Readonly<Record<string, string>> = {
  register: '注册',
  login: '登录',
  forget: '找回密码',
  bind: '绑定新手机',
  payout: '提现',
  payee: '绑定收款账户',
  payPassword: '支付密码',
  changePhone: '更换手机',
  email: '绑定邮箱',
  thirdParty: '第三方登录',
  close: '注销账号',
  export: '导出个人数据',
};

const OFF = 'off';

const adapterNames: Readonly<Record<string, string>> = {
  [OFF]: '已关闭',
  local: '本机实现，不接外部服务',
  aliyun: '阿里云',
  tencent: '腾讯云',
  smtp: '邮件服务器',
  sandbox: '沙箱渠道，不产生真实扣款',
  web: '浏览器各自的推送服务',
};

async function health(ctx: Context): Promise<Check['health']> {
  const began = performance.now();
  const { rows } = await sql<{ waiting: number; oldest: number; late: number }>`
    select (select count(*) from outbox) as waiting,
      coalesce((select extract(epoch from now() - min(created_at))::int from outbox), 0) as oldest,
      (select count(*) from timer where due_at < now() - make_interval(secs => ${SLOW_SECONDS})) as late`.execute(
    ctx.db,
  );
  const tookMs = Math.max(1, Math.round(performance.now() - began));
  const { waiting, oldest, late } = rows[0] ?? { waiting: 0, oldest: 0, late: 0 };
  const { totalFen } = await trialBalance(ctx.db);
  return [
    { name: '数据库', ok: true, text: `应答 ${tookMs} 毫秒` },
    { name: '事件', ok: oldest < SLOW_SECONDS, text: waiting === 0 ? '没有积压' : `待处理 ${waiting} 条` },
    { name: '定时任务', ok: late === 0, text: late === 0 ? '按时执行' : `超时未执行 ${late} 项` },
    { name: '账目', ok: totalFen === 0, text: totalFen === 0 ? '所有账户合计为零' : '合计不为零' },
  ];
}

function adapters(ctx: Context): Check['adapters'] {
  const of = (port: string, name: string) => ({ port, name, text: adapterNames[name] ?? '' });
  return [
    of('短信', ctx.sms?.name ?? OFF),
    of('邮件', ctx.mail?.name ?? OFF),
    of('公众号', ctx.officialAccount?.name ?? OFF),
    of('浏览器推送', ctx.push.name),
    of('实名认证', ctx.realName?.name ?? OFF),
    of('图片存储', ctx.storage.name ?? ''),
    of('进程间消息', ctx.bus.name ?? ''),
    ...[...ctx.pay.keys()].map((name) => of('支付', name)),
  ];
}

/**
 * The second-factor codes of the demo staff, computed from this installation's secret; none for staff with another
 * second factor.
 */
async function staffCodes(ctx: Context): Promise<Check['staff']> {
  const { rows } = await sql<{ login: string; last: number }>`
    select login, totp_last_step as last from staff where status = ${sql.lit(StaffStatus.Active)} and login = any(${DEMO_STAFF.map((s) => s.login)})`.execute(
    ctx.db,
  );
  const last = new Map(rows.map((r) => [r.login, r.last]));
  return DEMO_STAFF.flatMap(({ login, name, about }) => {
    const used = last.get(login);
    if (used === undefined) return [];
    return [{ login, name, about, ...nextTotp(demoTotpSecret(ctx.keys, login), used, Date.now()) }];
  });
}

const isCode = ({ code }: { code: string }): boolean => code !== '';
const MAX_SHOWN = 20;

/** Notices sent by the local adapters, newest first. */
export function noticesSent(ctx: Context): Check['notices'] {
  const sent = [
    ...(ctx.sms?.recent?.() ?? [])
      .filter((m) => !isCode(m))
      .map((m) => ({ way: '短信', to: m.phone, text: m.text, time: m.at })),
    ...(ctx.mail?.recent?.() ?? [])
      .filter((m) => !isCode(m))
      .map((m) => ({ way: '邮件', to: m.to, text: m.subject, time: m.at })),
    ...(ctx.officialAccount?.recent?.() ?? []).map((m) => ({ way: '微信', to: m.to, text: m.text, time: m.at })),
  ];
  return sent.toSorted((a, b) => b.time.getTime() - a.time.getTime()).slice(0, MAX_SHOWN);
}

/** Codes sent to phones and mailboxes, newest first. */
export function codesSent(ctx: Context): Check['sms'] {
  const texts = (ctx.sms?.recent?.() ?? []).filter(isCode).map(({ phone, code, purpose, at }) => ({
    phone,
    code,
    purposeName: purposeNames[purpose] ?? purpose,
    time: at,
  }));
  const mails = (ctx.mail?.recent?.() ?? []).filter(isCode).map(({ to, code, at }) => ({
    phone: to,
    code,
    purposeName: '绑定邮箱（邮件）',
    time: at,
  }));
  return [...texts, ...mails].toSorted((a, b) => b.time.getTime() - a.time.getTime());
}

/** The self-check of the demo market, for local callers only. Throws NOT_FOUND for others, exactly as an unknown URL. */
export async function checkSelf({ ctx, isOwn }: Pick<Call, 'ctx' | 'isOwn'>): Promise<Check> {
  if (!ctx.config.demo || !isOwn) throw new AppError('NOT_FOUND');
  return {
    version: ctx.version,
    time: new Date(),
    backstage: ctx.config.backstageHost,
    password: DEMO_PASSWORD,
    payPassword: DEMO_PAY_PASSWORD,
    health: await health(ctx),
    adapters: adapters(ctx),
    sms: codesSent(ctx),
    notices: noticesSent(ctx),
    staff: await staffCodes(ctx),
    users: DEMO_USERS.map(({ phone, nickName, about }) => ({ phone, nickName, about })),
  };
}
