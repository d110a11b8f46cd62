import { isNetworkFailure } from '#web/lib/api-failure.ts';
import { asFailure, failureMessage } from '#web/parts/order/failures.ts';

/** Sentences beside the fields of a form, by the field's name; `send` stands for the whole form. */
export type FormErrors = Readonly<Partial<Record<string, string | undefined>>>;

/** Words of a refusal that name a field, in the order in which they are looked for. */
const NAMED: readonly (readonly [word: string, field: string])[] = [
  ['邀请码', 'inviteCode'],
  ['动态码', 'code'],
  ['新手机验证码', 'newSmsCode'],
  ['邮箱验证码', 'emailCode'],
  ['验证码', 'smsCode'],
  ['原密码', 'oldPassWord'],
  ['支付密码', 'passWord'],
  ['密码', 'passWord'],
  ['手机号', 'phone'],
  ['身份证', 'idCard'],
  ['收款人', 'realName'],
  ['姓名', 'realName'],
  ['昵称', 'nickName'],
  ['账号', 'account'],
  ['微信号', 'account'],
  ['卡号', 'account'],
  ['邮箱', 'email'],
];

/** Whether any field is refused. */
export function isRefused(errors: FormErrors): boolean {
  return Object.values(errors).some(Boolean);
}

/**
 * A refused call as sentences beside the fields: the refusal's own words say which field it is about; a form without that field, and
 * a refusal that names none, show it beside the button.
 */
export function errorsOf(thrown: unknown, fields: readonly string[]): FormErrors {
  const failure = asFailure(thrown);
  const words = isNetworkFailure(failure) ? '网络超时，请检查网络后重试' : failureMessage(failure);
  const field =
    failure.status === 422 ? NAMED.find(([word, name]) => words.includes(word) && fields.includes(name)) : undefined;
  return { [field?.[1] ?? 'send']: words };
}

/** The text of a form's field as it was typed. */
export function typed(form: HTMLFormElement | null, name: string): string {
  const value = form ? new FormData(form).get(name) : null;
  return typeof value === 'string' ? value : '';
}
