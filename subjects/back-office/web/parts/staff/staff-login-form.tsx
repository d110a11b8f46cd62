import { passkeyLogin, passkeyLoginOptions } from '#subjects/back-office/contract/passkeys.ts';
import { staffLogin } from '#subjects/back-office/contract/sign-in.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { type FormErrors, typed } from '#web/lib/forms/form-errors.ts';
import { signWithPasskey } from '#web/lib/session/passkey.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { PasswordField, SubmitButton, TextField } from '#subjects/accounts/web/parts/account/form-parts.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';

function missing(form: HTMLFormElement): FormErrors {
  return {
    login: typed(form, 'login').trim() ? undefined : '请输入账号',
    password: typed(form, 'password') ? undefined : '请输入密码',
    code: /^\d{6}$/.test(typed(form, 'code')) ? undefined : '请输入 6 位动态码',
  };
}

/** Logs in by a passkey on this device. */
async function logInByPasskey(options: SendOptions): Promise<Data<typeof staffLogin>> {
  const { options: asked } = await call(passkeyLoginOptions, {}, options);
  return await call(passkeyLogin, { response: await signWithPasskey(asked) }, options);
}

/** Log-in of staff: by passkey, or account, password and the second factor's code. */
export function StaffLoginForm({
  onDone,
  codeHelp,
}: {
  /** Receives the session; the button stays busy. */
  onDone: (session: Data<typeof staffLogin>) => void;
  codeHelp: string;
}) {
  const { form, errors, busy, submit } = useMutation(
    (element: HTMLFormElement, options) =>
      call(
        staffLogin,
        { login: typed(element, 'login').trim(), password: typed(element, 'password'), code: typed(element, 'code') },
        options,
      ),
    {
      fields: ['code'],
      check: missing,
      done: (session) => {
        onDone(session);
        return true;
      },
    },
  );
  return (
    <div className="grid gap-4">
      <PasskeyButton label="用通行密钥登录" send={logInByPasskey} onDone={onDone} />
      <p className="text-center text-12 text-ink-3">或用密码和动态码</p>
      <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
        <TextField label="账号" name="login" autoComplete="username" maxLength={40} error={errors.login} />
        <PasswordField
          label="密码"
          name="password"
          autoComplete="current-password"
          maxLength={128}
          error={errors.password}
        />
        <TextField
          label="动态码"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          placeholder="6 位数字"
          error={errors.code}
          help={codeHelp}
        />
        <FormError>{errors.send}</FormError>
        <SubmitButton busy={busy}>登录</SubmitButton>
      </form>
    </div>
  );
}
