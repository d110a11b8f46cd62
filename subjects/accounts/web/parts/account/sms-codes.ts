import { clientSms, type ownSmsPurposes, smsBindPhone, type smsPurposes } from '#subjects/accounts/contract/sms.ts';
import { phoneProblem } from '#contract/rules/contacts/phone.ts';
import { typedPhone } from '#contract/rules/texts/typed.ts';
import { call, isSessionLost, showFailure } from '#web/lib/api/api.ts';
import { asFailure } from '#web/lib/api/call-errors.ts';
import type { Mutation } from '#web/lib/api/use-mutation.ts';
import { errorsOf, typed } from '#web/lib/forms/form-errors.ts';
import { toast } from '#web/ui/overlays/toast-store.ts';

/** The form with the button that requests a code. */
export type CodeForm = Pick<Mutation<never, unknown>, 'form' | 'setErrors'>;

/** Why the text of a code field is not a valid code; undefined when it is. */
export function codeProblem(form: HTMLFormElement, name = 'smsCode'): string | undefined {
  return /^\d{6}$/.test(typed(form, name)) ? undefined : '请输入 6 位数字验证码';
}

/** Shown when the vendor did not confirm in time that the code was sent. */
export const UNCONFIRMED = '发送方没有及时确认，验证码可能晚些到；没收到可稍后重新获取';

/**
 * Requests a code. Resolves to the seconds until the next request, or to null when the reason is shown: next to the field named by the error
 * if it is among `fields`, otherwise next to `codeField`.
 */
export async function askCode(
  { setErrors }: Pick<CodeForm, 'setErrors'>,
  ask: () => Promise<{ waitSeconds: number; unconfirmed: boolean }>,
  { fields, codeField }: { fields: readonly string[]; codeField: string },
): Promise<number | null> {
  setErrors({});
  try {
    const sent = await ask();
    if (sent.unconfirmed) toast(UNCONFIRMED, 'warn');
    return sent.waitSeconds;
  } catch (thrown) {
    const failure = asFailure(thrown);
    const { send, ...named } = errorsOf(failure, fields);
    if (isSessionLost(failure)) showFailure(failure);
    else setErrors(send ? { [codeField]: send } : named);
    return null;
  }
}

/** Requests a code for the number in the form's field `phone`. */
export async function sendCode(
  state: CodeForm,
  type: (typeof smsPurposes)[number],
  codeField = 'smsCode',
): Promise<number | null> {
  const phone = typedPhone(typed(state.form.current, 'phone'));
  const problem = phoneProblem(phone);
  if (problem) {
    state.setErrors({ phone: problem });
    return null;
  }
  return await askCode(state, () => call(clientSms, { phone, type }, { quiet: true }), {
    fields: ['phone'],
    codeField,
  });
}

/** Requests a code for the signed-in user's own number. */
export async function sendOwnCode(
  state: Pick<CodeForm, 'setErrors'>,
  type: (typeof ownSmsPurposes)[number],
): Promise<number | null> {
  return await askCode(state, () => call(smsBindPhone, { type }, { quiet: true }), {
    fields: [],
    codeField: 'smsCode',
  });
}
