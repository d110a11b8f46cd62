import { useState } from 'react';
import { Link, useLoaderData, useSearchParams } from 'react-router';
import { phoneProblem } from '#contract/rules/phone.ts';
import { login, loginBySmCode } from '#contract/user.ts';
import { call } from '#web/lib/api.ts';
import { finishSignIn } from '#web/lib/signed-in.ts';
import { pageMeta } from '#web/lib/site.ts';
import { CodeField } from '#web/parts/account/code-field.tsx';
import { typed } from '#web/lib/form-errors.ts';
import { PasswordField, PhoneField, SubmitButton } from '#web/parts/account/form-parts.tsx';
import { AccountLayout, DemoCodes } from '#web/parts/account/account-layout.tsx';
import { codeProblem, sendCode, useForm } from '#web/parts/account/use-form.ts';
import { OtherMethods } from '#web/parts/login/other-ways.tsx';
import { besideReturn } from './return-link.ts';
import type { loader } from './signed-in-loader.ts';
import { FormError } from '#web/ui/field.tsx';

export { loader } from './signed-in-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '登录', noindex: true });
}

const METHODS = [
  ['code', '验证码登录'],
  ['password', '密码登录'],
] as const;

type LoginMethod = (typeof METHODS)[number][0];

function logIn(method: LoginMethod, form: HTMLFormElement) {
  const phone = typed(form, 'phone');
  return method === 'code'
    ? call(loginBySmCode, { phone, smsCode: typed(form, 'smsCode') }, { quiet: true })
    : call(login, { username: phone, password: typed(form, 'passWord') }, { quiet: true });
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

/** Log-in by SMS code or by password; both methods share the entered number. */
export default function LoginPage() {
  const { demo } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const [method, setMethod] = useState<LoginMethod>('code');
  const state = useForm({
    fields: method === 'code' ? ['phone', 'smsCode'] : { username: 'phone', password: 'passWord' },
    check: (form) => ({
      phone: phoneProblem(typed(form, 'phone')) ?? undefined,
      smsCode: method === 'code' ? codeProblem(form) : undefined,
      passWord: method === 'password' && typed(form, 'passWord') === '' ? '请输入密码' : undefined,
    }),
    send: (form) => logIn(method, form),
    done: (result) => {
      void finishSignIn(result, query.get('returnUrl'));
      return true;
    },
  });
  const { form, errors, setErrors, busy, submit } = state;

  return (
    <AccountLayout
      title="登录"
      aside={
        <>
          没有账号？
          <Link to={besideReturn('/register', query)} className="link hit">
            免费注册
          </Link>
        </>
      }
    >
      <MethodTabs
        method={method}
        onChoose={(next) => {
          setMethod(next);
          setErrors({});
        }}
      />
      <div id="login-form" role="tabpanel" aria-labelledby={`login-by-${method}`}>
        <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
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
          <p className="flex justify-between gap-4 text-12 text-ink-3">
            <span>{method === 'code' ? '未注册的手机号请先注册' : '连续输错多次会多一步安全验证'}</span>
            <Link to={besideReturn('/forgetPassword', query)} className="link hit flex-none">
              忘记密码
            </Link>
          </p>
          <DemoCodes visible={demo && method === 'code'} />
        </form>
      </div>
      <OtherMethods />
    </AccountLayout>
  );
}
