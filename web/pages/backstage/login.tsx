import { ShieldCheck } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type LoaderFunctionArgs, redirect, useLoaderData, useSearchParams } from 'react-router';
import { staffLogin } from '#contract/backstage.ts';
import { call } from '#web/lib/api.ts';
import { market } from '#web/lib/context.ts';
import { readCookie } from '#web/lib/cookies.ts';
import { safeReturn } from '#web/lib/paths.ts';
import { goOn, saveStaffSignIn } from '#web/lib/signed-in.ts';
import { pageMeta } from '#web/lib/site.ts';
import { errorsOf, type FormErrors, hasErrors, typed } from '#web/lib/form-errors.ts';
import { PasswordField, SubmitButton, TextField } from '#web/parts/account/form-parts.tsx';
import { FormError, useFocusFirstError } from '#web/ui/field.tsx';

const HOME = '/backstage';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '登录', noindex: true });
}

/** Redirects signed-in staff, unless the browser has lost the readable part of the session that calls need. */
export function loader(args: LoaderFunctionArgs) {
  const { staff, demo } = market(args);
  const cookies = args.request.headers.get('cookie') ?? '';
  if (staff && readCookie(cookies, 'token')) return redirect(safeReturn(args.url.searchParams.get('returnUrl'), HOME));
  return { demo };
}

function missing(form: HTMLFormElement): FormErrors {
  return {
    login: typed(form, 'login').trim() ? undefined : '请输入账号',
    password: typed(form, 'password') ? undefined : '请输入密码',
    code: /^\d{6}$/.test(typed(form, 'code')) ? undefined : '请输入 6 位动态码',
  };
}

/** Staff log-in: account, password and second-factor code. */
export default function StaffLoginPage() {
  const { demo } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FormErrors>({});
  const form = useFocusFirstError(errors);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const target = event.currentTarget;
    const wrong = missing(target);
    setErrors(wrong);
    if (hasErrors(wrong)) return;
    setBusy(true);
    try {
      const input = {
        login: typed(target, 'login').trim(),
        password: typed(target, 'password'),
        code: typed(target, 'code'),
      };
      saveStaffSignIn(await call(staffLogin, input, { quiet: true }));
      goOn(query.get('returnUrl'), HOME);
    } catch (thrown) {
      setErrors(errorsOf(thrown, ['code']));
      setBusy(false);
    }
  };

  return (
    <section className="panel w-90 max-w-full p-8 max-md:p-5" aria-labelledby="staff-login">
      <h1 id="staff-login" className="mb-5 flex items-center gap-2 text-16 font-semibold">
        <ShieldCheck className="icon size-5 text-brand-600" aria-hidden="true" />
        登录后台
      </h1>
      <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
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
          help={demo ? '演示市场的动态码在前台的自检页 /test' : '身份验证器里的 6 位数字，每个只能用一次'}
        />
        <FormError>{errors.send}</FormError>
        <SubmitButton busy={busy}>登录</SubmitButton>
      </form>
    </section>
  );
}
