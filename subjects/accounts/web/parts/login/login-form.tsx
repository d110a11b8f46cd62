import { type ReactNode, useState } from 'react';
import { phoneProblem } from '#contract/rules/contacts/phone.ts';
import type { Data } from '#contract/endpoint.ts';
import { login, loginBySmCode } from '#subjects/accounts/contract/user.ts';
import { call } from '#web/lib/api/api.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { CodeField } from '../account/code-field.tsx';
import { PasswordField, PhoneField, SubmitButton } from '../account/form-parts.tsx';
import { codeProblem, sendCode } from '../account/sms-codes.ts';
import { FormError } from '#web/ui/forms/field.tsx';

const METHODS = [
  ['code', '验证码登录'],
  ['password', '密码登录'],
] as const;

type LoginMethod = (typeof METHODS)[number][0];

function logIn(method: LoginMethod, form: HTMLFormElement, options: SendOptions) {
  const phone = typed(form, 'phone');
  return method === 'code'
    ? call(loginBySmCode, { phone, smsCode: typed(form, 'smsCode') }, options)
    : call(login, { username: phone, password: typed(form, 'passWord') }, options);
}

function MethodTabs({ method, onChoose }: { method: LoginMethod; onChoose: (method: LoginMethod) => void }) {
  return (
    <div className="tabs -mt-3 mb-5 px-0!" role="tablist" aria-label="登录方式">
      {METHODS.map(([key, label]) => (
        <button
          key={key}
          type="button"
          role="tab"
          id={`login-by-${key}`}
          className="tab"
          aria-selected={key === method}
          aria-controls="login-form"
          onClick={() => onChoose(key)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** Log-in by SMS code or by password; both methods share the typed number. `below` is displayed below the button. */
export function LoginForm({
  onDone,
  below,
}: {
  /** Receives the session; the button stays busy. */
  onDone: (session: Data<typeof login>) => void;
  below?: (method: LoginMethod) => ReactNode;
}) {
  const [method, setMethod] = useState<LoginMethod>('code');
  const state = useMutation((form: HTMLFormElement, options) => logIn(method, form, options), {
    fields: method === 'code' ? ['phone', 'smsCode'] : { username: 'phone', password: 'passWord' },
    check: (form) => ({
      phone: phoneProblem(typed(form, 'phone')) ?? undefined,
      smsCode: method === 'code' ? codeProblem(form) : undefined,
      passWord: method === 'password' && typed(form, 'passWord') === '' ? '请输入密码' : undefined,
    }),
    done: (session) => {
      onDone(session);
      return true;
    },
  });
  const { form, errors, setErrors, busy, submit } = state;
  return (
    <>
      <MethodTabs
        method={method}
        onChoose={(next) => {
          setMethod(next);
          setErrors({});
        }}
      />
      <div id="login-form" role="tabpanel" aria-labelledby={`login-by-${method}`}>
        <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
          <PhoneField error={errors.phone} />
          {method === 'code' ? (
            <CodeField error={errors.smsCode} send={() => sendCode(state, 'login')} />
          ) : (
            <PasswordField
              label="密码"
              name="passWord"
              autoComplete="current-password"
              placeholder="登录密码"
              error={errors.passWord}
            />
          )}
          <FormError>{errors.send}</FormError>
          <SubmitButton busy={busy}>登录</SubmitButton>
          {below?.(method)}
        </form>
      </div>
    </>
  );
}
