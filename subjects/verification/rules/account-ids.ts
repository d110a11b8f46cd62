import { isPhone } from '#contract/rules/contacts/phone.ts';

/** Messages of the specification (product.md 5 and 8). */
export const accountIdMessages = {
  qq: 'QQ号格式错误',
  serviceQq: '请输入正确的客服QQ',
  wechat: '微信号格式错误',
  serviceWechat: '请输入正确的客服微信',
  black: '请输入要查询的账号',
} as const;

/** QQ number: 5 to 10 digits, no leading 0. */
export function isQq(text: string): boolean {
  return /^[1-9]\d{4,9}$/.test(text);
}

/** WeChat id: 6 to 20 characters starting with a letter (letters, digits, _ and -), or the phone number bound to it. */
export function isWechatId(text: string): boolean {
  return /^[A-Za-z][\w-]{5,19}$/.test(text) || isPhone(text);
}

/** Why a text is not a valid QQ number (product.md 5); null when it is. */
export function qqProblem(text: string): string | null {
  return isQq(text) ? null : accountIdMessages.qq;
}

/** Why a text is not a valid WeChat id (product.md 5); null when it is. */
export function wechatProblem(text: string): string | null {
  return isWechatId(text) ? null : accountIdMessages.wechat;
}

/** The kinds of number that can be verified; 1 and 2 are the specification's, the others come from domain.md 7. */
export const serviceKinds = [
  { queryType: 1, kind: 'qq', name: 'QQ号' },
  { queryType: 2, kind: 'wechat', name: '微信号' },
  { queryType: 3, kind: 'phone', name: '手机号' },
  { queryType: 4, kind: 'payee', name: '收款账户' },
  { queryType: 5, kind: 'group', name: '群号' },
] as const;

/** A company's line: 400 or 800 numbers and those with an area code. */
const SERVICE_LINE = /^(?:[48]00|0\d{2,3})-?\d{3,4}-?\d{3,4}$/;

/**
 * Why a number cannot be checked on the verification page; null when it can. A WeChat id needs only 6 characters here.
 */
export function serviceQueryProblem(queryType: number, value: string): string | null {
  if (queryType === 1) return isQq(value) ? null : accountIdMessages.serviceQq;
  if (queryType === 2) return value.length >= 6 ? null : accountIdMessages.serviceWechat;
  if (queryType === 3) return isPhone(value) || SERVICE_LINE.test(value) ? null : '请输入正确的手机号或客服电话';
  return value.length >= 4 ? null : '请输入完整的账号';
}

/**
 * The page's message for a result (product.md 8). `id` is what the viewer typed; the server never returns it in `msg`.
 */
export function serviceOutcomeText(id: string, real: boolean): string {
  return `经验证：${id}为${real ? '真' : '假'}客服！`;
}

/** Blacklist results: 1 listed, 2 clean, 0 unknown (product.md 4). */
export type BlacklistOutcome = 0 | 1 | 2;

/** The message for the result of a blacklist lookup (product.md 8). */
export function blacklistOutcomeText(outcome: BlacklistOutcome): string {
  if (outcome === 1) return '该账号是黑号';
  return outcome === 2 ? '该账号无不良记录' : '暂时无法查询，请稍后再试';
}
