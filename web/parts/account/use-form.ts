import { type FormEvent, type RefObject, useState } from 'react';
import { clientSms, type ownSmsPurposes, smsBindPhone, type smsPurposes } from '#contract/common.ts';
import { phoneProblem } from '#contract/rules/phone.ts';
import { call, isSessionLost, showFailure } from '#web/lib/api.ts';
import { asFailure } from '#web/lib/call-errors.ts';
import { useFocusFirstError } from '#web/ui/field.tsx';
import { errorsOf, type FieldNames, type FormErrors, hasErrors, typed } from '#web/lib/form-errors.ts';

interface Options<T> {
  /** The fields that an error may belong to. */
  fields: FieldNames;
  /** What is missing or wrong, found before anything is sent. */
  check: (form: HTMLFormElement) => FormErrors;
  send: (form: HTMLFormElement) => Promise<T>;
  /** Answers whether the page is being left; the button then stays busy, so that nothing is sent twice. */
  done: (answer: T, form: HTMLFormElement) => boolean;
}

export interface FormState {
  form: RefObject<HTMLFormElement | null>;
  errors: FormErrors;
  setErrors: (errors: FormErrors) => void;
  busy: boolean;
  submit: (event: FormEvent<HTMLFormElement>) => Promise<void>;
}

/** A form that keeps what was typed: checks, sends once, and puts the words of a refusal beside the field they are about. */
export function useForm<T>({ fields, check, send, done }: Options<T>): FormState {
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FormErrors>({});
  const form = useFocusFirstError(errors);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const target = event.currentTarget;
    const wrong = check(target);
    setErrors(wrong);
    if (hasErrors(wrong)) return;
    setBusy(true);
    try {
      const answer = await send(target);
      if (!done(answer, target)) setBusy(false);
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (isSessionLost(failure)) showFailure(failure);
      else setErrors(errorsOf(failure, fields));
      setBusy(false);
    }
  };
  return { form, errors, setErrors, busy, submit };
}

/** Why the text of a code field cannot be a code; undefined when it can. */
export function codeProblem(form: HTMLFormElement, name = 'smsCode'): string | undefined {
  return /^\d{6}$/.test(typed(form, name)) ? undefined : '请输入 6 位数字验证码';
}

/**
 * Asks for a code. Answers the seconds until the next one, null when the reason is shown: beside the field that the refusal names, if it
 * is among `fields`, else beside `codeField`.
 */
export async function askCode(
  { setErrors }: Pick<FormState, 'setErrors'>,
  ask: () => Promise<{ waitSeconds: number }>,
  { fields, codeField }: { fields: readonly string[]; codeField: string },
): Promise<number | null> {
  setErrors({});
  try {
    return (await ask()).waitSeconds;
  } catch (thrown) {
    const failure = asFailure(thrown);
    const { send, ...named } = errorsOf(failure, fields);
    if (isSessionLost(failure)) showFailure(failure);
    else setErrors(send ? { [codeField]: send } : named);
    return null;
  }
}

/** Asks for a code for the number in the form's field `phone`. */
export async function sendCode(
  state: FormState,
  type: (typeof smsPurposes)[number],
  codeField = 'smsCode',
): Promise<number | null> {
  const phone = typed(state.form.current, 'phone');
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

/** Asks for a code for the signed-in person's own number. */
export async function sendOwnCode(
  state: Pick<FormState, 'setErrors'>,
  type: (typeof ownSmsPurposes)[number],
): Promise<number | null> {
  return await askCode(state, () => call(smsBindPhone, { type }, { quiet: true }), {
    fields: [],
    codeField: 'smsCode',
  });
}
