import type * as c from '#subjects/notices/contract/staff-texts.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { fillBody, fillText, sampleValues, placeholdersOf } from '#subjects/notices/rules/notice-text.ts';
import { isPhone, maskPhone } from '#contract/rules/contacts/phone.ts';
import { typedMail, typedPhone } from '#contract/rules/texts/typed.ts';
import { staffCan } from '../../rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  noticeKinds,
  noticeTextVersions,
  readText,
  restoreText,
  saveKind,
  saveText,
} from '#subjects/notices/server/service.ts';
import { sentText, trial, tryOutlet } from '../system/vendors.ts';

/** All kinds of notices with their texts. Throws FORBIDDEN. */
export async function listNoticeTexts({ ctx, staff }: StaffCall): Promise<HandlerResult<typeof c.noticeTexts>> {
  requirePlatform(staff, 'text.read');
  return { list: await noticeKinds(ctx.db), canEdit: staffCan(staff, 'text.write'), site: ctx.dir.platform().name };
}

/** The versions of a text, newest first. Throws FORBIDDEN. */
export async function noticeHistory(
  { ctx, staff }: StaffCall,
  { kind, channel }: Parsed<typeof c.noticeTextHistory>,
): Promise<HandlerResult<typeof c.noticeTextHistory>> {
  requirePlatform(staff, 'text.read');
  return { list: await noticeTextVersions(ctx.db, kind, channel) };
}

/** Saves a new version of a text. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT with the field, TEXT_CHANGED. */
export async function saveNotice(
  { ctx, staff, ip }: StaffCall,
  { reason, ...text }: Parsed<typeof c.saveNoticeText>,
): Promise<{ version: number }> {
  requirePlatform(staff, 'text.write');
  return await inTransaction(ctx.db, async (trx) => ({
    version: await saveText(trx, text, { staffId: staff.id, ip, reason }),
  }));
}

/** Restores the shipped text. Throws FORBIDDEN, NOT_FOUND, TEXT_CHANGED. */
export async function restoreNotice(
  { ctx, staff, ip }: StaffCall,
  { reason, ...text }: Parsed<typeof c.restoreNoticeText>,
): Promise<{ version: number }> {
  requirePlatform(staff, 'text.write');
  return await inTransaction(ctx.db, async (trx) => ({
    version: await restoreText(trx, text, { staffId: staff.id, ip, reason }),
  }));
}

/** Sets the default channels of a kind. Throws FORBIDDEN, NOT_FOUND, TEXT_CHANGED. */
export async function saveNoticeChannels(
  { ctx, staff, ip }: StaffCall,
  { reason, ...kind }: Parsed<typeof c.saveNoticeKind>,
): Promise<Record<string, never>> {
  requirePlatform(staff, 'text.write');
  await inTransaction(ctx.db, async (trx) => await saveKind(trx, kind, { staffId: staff.id, ip, reason }));
  return {};
}

const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/;

/**
 * Sends a text with example values, saved or not, to a chosen recipient. Throws FORBIDDEN, BAD_INPUT, RATE_LIMITED,
 * VENDOR_OFF.
 */
export async function tryNotice(
  call: StaffCall,
  { to: typedTo, ...text }: Parsed<typeof c.tryNoticeText>,
): Promise<HandlerResult<typeof c.tryNoticeText>> {
  const { ctx, staff } = call;
  requirePlatform(staff, 'text.write');
  const isMail = text.channel === 'email';
  const to = isMail ? typedMail(typedTo) : typedPhone(typedTo);
  if (isMail ? !EMAIL.test(to) : !isPhone(to))
    throw new AppError('BAD_INPUT', { text: isMail ? '邮箱格式错误' : '手机号格式错误', field: 'to' });
  const { template, ...wording } = await readText(ctx.db, text);
  const values = sampleValues(placeholdersOf(wording.title + wording.body));
  const filled = { title: fillText(wording.title, values), body: fillBody(wording.body, values) };
  if (text.channel === 'wechat' || text.channel === 'push') {
    const kind = text.channel === 'push' ? 'push' : 'officialAccount';
    return await tryOutlet(call, { kind, phone: to, field: 'to' }, { permission: 'text.write', text: filled });
  }
  return await (isMail ? tryMail(call, to, filled) : trySms(call, to, { ...filled, purpose: text.kind, template }));
}

async function trySms(
  call: StaffCall,
  phone: string,
  { title, body, purpose, template }: { title: string; body: string; purpose: string; template: string | null },
): Promise<HandlerResult<typeof c.tryNoticeText>> {
  const { sms, dir } = call.ctx;
  const { name: site, code: siteCode } = dir.platform();
  const message = { phone, code: '', purpose, site, siteCode, title, text: `【${site}】${title}：${body}` };
  const work = sms && (async () => sentText(await sms.send({ ...message, ...(template !== null && { template }) })));
  return await trial(call, { kind: 'sms', target: maskPhone(phone), permission: 'text.write' }, work);
}

async function tryMail(
  call: StaffCall,
  to: string,
  { title, body }: { title: string; body: string },
): Promise<HandlerResult<typeof c.tryNoticeText>> {
  const { mail, dir } = call.ctx;
  const site = dir.platform().name;
  const message = { to, subject: `${site}：${title}`, text: body, code: '', site };
  const work = mail && (async () => sentText(await mail.send(message)));
  const target = to.replace(/^(.).*(?=@)/, '$1***');
  return await trial(call, { kind: 'mail', target, permission: 'text.write' }, work);
}
