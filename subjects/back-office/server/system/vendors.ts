import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import {
  tryMail as tryMailCall,
  tryOfficialAccount as tryOfficialAccountCall,
  tryPay as tryPayCall,
  tryPush as tryPushCall,
  tryRealName as tryRealNameCall,
  trySms as trySmsCall,
  tryWechatLogin as tryWechatLoginCall,
  vendorList,
  type VendorTrial,
} from '#subjects/back-office/contract/vendors.ts';
import { trialMessages } from '#subjects/back-office/contract/trial.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { parseIdCard } from '#subjects/verification/rules/id-card.ts';
import { maskPhone } from '#contract/rules/contacts/phone.ts';
import type { StaffPermission } from '../../rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { sharedHit } from '#server/access/limits.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import type { Binding } from '#server/binding.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, UnknownResult, VendorRejected, VendorUnavailable } from '#server/kernel/errors.ts';
import type { Delivery } from '#server/ports/delivery.ts';
import { phoneSearchIndex } from '#subjects/accounts/server/service.ts';
import { sendTrial } from '#subjects/notices/server/service.ts';
import { trialMessagesOf } from './trial.ts';
import { countVendors, type VendorFigures } from '#server/kernel/vendor-figures.ts';

/** Maximum number of tests by all staff per hour: each costs money and reaches a person. */
const TRIALS_AN_HOUR = 20;
const HOUR_SECONDS = 3600;

/** The tests by the first part of a vendor's key. */
const TRIAL_OF: Readonly<Record<string, VendorTrial>> = {
  sms: 'sms',
  mail: 'mail',
  'real-name': 'realName',
  pay: 'pay',
  push: 'push',
  'official-account': 'officialAccount',
  'wechat-login': 'wechatLogin',
};

type Trial = HandlerResult<typeof trySmsCall>;

/** All vendors with their figures. Throws FORBIDDEN for staff of a distributor. */
function listVendors({ ctx, staff }: StaffCall, figures: (key: string) => VendorFigures) {
  requirePlatform(staff, 'vendor.read');
  return {
    list: ctx.vendors.list().map((vendor) => ({
      key: vendor.key,
      label: vendor.label,
      subject: vendor.subject,
      state: vendor.state,
      circuit: vendor.circuit(),
      ...figures(vendor.key),
      trial: vendor.state === 'off' ? null : (TRIAL_OF[vendor.key.split('.')[0] ?? ''] ?? null),
    })),
  };
}

/** The result of a test, for the staff who ran it; the vendor's own error code helps to find the wrong setting. */
function failureText(error: unknown): string {
  if (error instanceof VendorRejected) return `服务商拒绝了请求：${error.vendorCode}`;
  if (error instanceof VendorUnavailable) return '连不上服务商，或它正在熔断，没有发出请求';
  if (error instanceof UnknownResult) return '服务商没有及时回应，结果未知';
  throw error;
}

/**
 * Runs one test and records its result. Permission, limit and audit entry come first, so that a test that hangs is also
 * recorded. Throws FORBIDDEN, RATE_LIMITED, VENDOR_OFF.
 */
export async function trial(
  { ctx, staff, ip }: StaffCall,
  { kind, target, permission = 'vendor.try' }: { kind: VendorTrial; target: string; permission?: StaffPermission },
  work: (() => Promise<string>) | undefined,
): Promise<Trial> {
  requirePlatform(staff, permission);
  if (!work) throw new AppError('VENDOR_OFF', { text: '这个服务商已关闭，不能试用' });
  if (!(await sharedHit(ctx.db, 'vendor-trials', TRIALS_AN_HOUR, HOUR_SECONDS)))
    throw new AppError('RATE_LIMITED', { text: '一小时内试用次数已满，请稍后再试', retryAfterSeconds: HOUR_SECONDS });
  await inTransaction(ctx.db, (trx) => audit(trx, staff, 'vendor.try', `vendor:${kind}`, { target }, ip));
  const finish = async (outcome: Trial): Promise<Trial> => {
    await inTransaction(ctx.db, (trx) =>
      audit(trx, staff, 'vendor.tried', `vendor:${kind}`, { target, ok: outcome.ok }, ip),
    );
    return outcome;
  };
  let text: string;
  try {
    text = await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    return await finish({ ok: false, text: failureText(error) });
  }
  return await finish({ ok: true, text });
}

/** The result of a vendor's newest test. */
export interface TrialResult {
  ok: boolean;
  at: Date;
}

/** The newest result of each test, by kind, and for payment channels by kind and channel: 'sms', 'pay.alipay'. */
export async function trialResults(ctx: Pick<StaffCall['ctx'], 'db'>): Promise<ReadonlyMap<string, TrialResult>> {
  const { rows } = await sql<{ key: string; ok: boolean; at: Date }>`
    select distinct on (1) substr(target, 8) || case when target = 'vendor:pay' then '.' || (detail->>'target') else '' end as key,
      (detail->>'ok')::boolean as ok, created_at as at
    from audit_log where act = 'vendor.tried' order by 1, id desc`.execute(ctx.db);
  return new Map(rows.map(({ key, ...result }) => [key, result]));
}

/** The key of `trialResults` for a vendor: 'sms.aliyun' is tested as 'sms'. Undefined for a vendor without a test. */
export function trialKeyOf(vendorKey: string): string | undefined {
  const kind = TRIAL_OF[vendorKey.split('.')[0] ?? ''];
  return kind === 'pay' ? vendorKey : kind;
}

/**
 * The result text for a sent message. Throws UnknownResult when sending is not confirmed: a test proves only confirmed
 * results.
 */
export function sentText(delivery: Delivery): string {
  if (delivery === 'unknown') throw new UnknownResult('the vendor did not confirm the message');
  return '已发出，请在对方设备上查看';
}

/** Sends an unusable code, with the template of log-in codes. */
async function trySms(call: StaffCall, { phone }: Parsed<typeof trySmsCall>): Promise<Trial> {
  const { sms } = call.ctx;
  const { name: site, code: siteCode } = call.ctx.dir.platform();
  const code = String(randomInt(100_000, 1_000_000));
  const work = sms && (async () => sentText(await sms.send({ phone, code, purpose: 'login', site, siteCode })));
  return await trial(call, { kind: 'sms', target: maskPhone(phone) }, work);
}

async function tryMail(call: StaffCall, { email }: Parsed<typeof tryMailCall>): Promise<Trial> {
  const { mail } = call.ctx;
  const site = call.ctx.dir.platform().name;
  const message = {
    to: email,
    subject: `${site}：邮件测试`,
    text: '这是后台发出的测试邮件，无需处理。',
    code: '',
    site,
  };
  const target = email.replace(/^(.).*(?=@)/, '$1***');
  return await trial(call, { kind: 'mail', target }, mail && (async () => sentText(await mail.send(message))));
}

const VERDICTS = { match: '信息一致', mismatch: '信息不一致', unknown: '没有这个人的登记' } as const;

/** Neither name nor number is recorded: the audit entry says only that a check was made. */
async function tryRealName(call: StaffCall, input: Parsed<typeof tryRealNameCall>): Promise<Trial> {
  const { realName: source } = call.ctx;
  const card = parseIdCard(input.idCard, Date.now());
  if (!card) throw new AppError('BAD_INPUT', { text: '身份证号错误', field: 'idCard' });
  if (source?.needsPhone === true && input.phone === undefined)
    throw new AppError('BAD_INPUT', { text: '三要素核验还需要手机号', field: 'phone' });
  const person = { name: input.realName, idNo: card.number, ...(input.phone !== undefined && { phone: input.phone }) };
  const work = source && (async () => VERDICTS[(await source.verify(person)).outcome]);
  return await trial(call, { kind: 'realName', target: '' }, work);
}

/** A number that no payment has, in the format required by the channels. */
const NO_PAYMENT = 'TRIAL00000000000000000000';

/** Queries a channel for a payment that does not exist. */
async function tryPay(call: StaffCall, { channel: name }: Parsed<typeof tryPayCall>): Promise<Trial> {
  const channel = call.ctx.pay.get(name);
  const work =
    channel &&
    (async () => {
      await channel.query({ interSn: NO_PAYMENT });
      return '渠道应答正常，密钥和签名都对；没有动钱';
    });
  return await trial(call, { kind: 'pay', target: name }, work);
}

/** The user of a phone, for a test that reaches their devices. Throws BAD_INPUT. */
async function loadUser({ ctx }: StaffCall, phone: string, field: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from app_user where phone_hash = ${phoneSearchIndex(ctx.keys, phone)}`.execute(ctx.db);
  const id = rows[0]?.id;
  if (id === undefined) throw new AppError('BAD_INPUT', { text: '没有这个手机号的用户', field });
  return id;
}

/** The text to test; the outlet's default when absent. */
interface OutletTrial {
  permission?: StaffPermission;
  text?: { title: string; body: string };
}

/** Sends a message by one outlet to a user; an error that prevents it names `field`. */
export async function tryOutlet(
  call: StaffCall,
  { kind, phone, field }: { kind: 'push' | 'officialAccount'; phone: string; field: string },
  { permission = 'vendor.try', text }: OutletTrial = {},
): Promise<Trial> {
  requirePlatform(call.staff, permission);
  const { ctx } = call;
  const isOff = kind === 'officialAccount' && !ctx.officialAccount;
  const userId = isOff ? 0 : await loadUser(call, phone, field);
  const work = async (): Promise<string> => {
    const delivered = await sendTrial(ctx, kind === 'push' ? 'push' : 'wechat', userId, text);
    if (typeof delivered === 'object')
      throw new AppError('BAD_INPUT', { text: `没有发出：${delivered.dropped}`, field });
    return sentText(delivered);
  };
  return await trial(call, { kind, target: maskPhone(phone), permission }, isOff ? undefined : work);
}

/** Redeems a code that does not exist. */
async function tryWechatLogin(call: StaffCall): Promise<Trial> {
  const { wechatLogin } = call.ctx;
  const work =
    wechatLogin &&
    (async () => {
      await wechatLogin.exchange('trial');
      return '微信应答正常，应用编号和密钥都对';
    });
  return await trial(call, { kind: 'wechatLogin', target: '' }, work);
}

/** The vendors and their tests. */
export function bindVendors({ ctx, server }: Pick<Binding, 'ctx' | 'server'>): void {
  const figures = countVendors(ctx.vendors);
  server.serve(trialMessages, trialMessagesOf);
  server.serve(vendorList, (call) => Promise.resolve(listVendors(call, figures)));
  server.serve(trySmsCall, trySms);
  server.serve(tryMailCall, tryMail);
  server.serve(tryRealNameCall, tryRealName);
  server.serve(tryPayCall, tryPay);
  server.serve(tryPushCall, (call, { phone }) => tryOutlet(call, { kind: 'push', phone, field: 'phone' }));
  server.serve(tryOfficialAccountCall, (call, { phone }) =>
    tryOutlet(call, { kind: 'officialAccount', phone, field: 'phone' }),
  );
  server.serve(tryWechatLoginCall, tryWechatLogin);
}
