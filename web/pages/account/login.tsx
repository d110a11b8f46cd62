import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { clientSms } from '#contract/common.ts';
import { phoneProblem } from '#contract/rules/phone.ts';
import { login, loginBySmCode } from '#contract/user.ts';
import { call } from '#web/lib/api.ts';
import { goOn, keepSignedIn } from '#web/lib/signed-in.ts';
import { pageMeta } from '#web/lib/site.ts';
import { CodeField } from '#web/parts/account/code-field.tsx';
import { errorsOf, type FormErrors, isRefused, typed } from '#web/parts/account/form-errors.ts';
import { FormError, PasswordField, SubmitButton, TextField } from '#web/parts/account/form-parts.tsx';
import { AccountFrame } from '#web/parts/account/frame.tsx';
import { useFocusFirstError } from '#web/ui/field.tsx';
import { besideReturn } from './return-link.ts';

export { loader } from './signed-in-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '登录', noindex: true });
}

const WAYS = [
  ['code', '验证码登录'],
  ['password', '密码登录'],
] as const;

type Way = (typeof WAYS)[number][0];

/** What is missing, found before anything is sent. */
function missing(way: Way, form: HTMLFormElement): FormErrors {
  return {
    phone: phoneProblem(typed(form, 'phone')) ?? undefined,
    smsCode: way === 'code' && !/^\d{6}$/.test(typed(form, 'smsCode')) ? '请输入 6 位数字验证码' : undefined,
    passWord: way === 'password' && typed(form, 'passWord') === '' ? '请输入密码' : undefined,
  };
}

function logIn(way: Way, form: HTMLFormElement) {
  const phone = typed(form, 'phone');
  return way === 'code'
    ? call(loginBySmCode, { phone, smsCode: typed(form, 'smsCode') }, { quiet: true })
    : call(login, { username: phone, password: typed(form, 'passWord') }, { quiet: true });
}

/** Log-in by SMS code or by password; both ways share the number that was typed. */
export default function LoginPage() {
  const [query] = useSearchParams();
  const [way, setWay] = useState<Way>('code');
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FormErrors>({});
  const form = useFocusFirstError(errors);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const target = event.currentTarget;
    const wrong = missing(way, target);
    setErrors(wrong);
    if (isRefused(wrong)) return;
    setBusy(true);
    try {
      keepSignedIn(await logIn(way, target));
      goOn(query.get('returnUrl'));
    } catch (thrown) {
      setErrors(errorsOf(thrown, way === 'code' ? ['phone', 'smsCode'] : ['passWord', 'phone']));
      setBusy(false);
    }
  };

  const sendCode = async () => {
    const phone = typed(form.current, 'phone');
    const problem = phoneProblem(phone) ?? undefined;
    setErrors({ phone: problem });
    if (problem) return null;
    try {
      return (await call(clientSms, { phone, type: 'login' }, { quiet: true })).waitSeconds;
    } catch (thrown) {
      setErrors(errorsOf(thrown, ['phone', 'smsCode']));
      return null;
    }
  };

  return (
    <AccountFrame
      title="登录"
      aside={
        <>
          没有账号？
          <Link to={besideReturn('/register', query)} className="link">
            免费注册
          </Link>
        </>
      }
    >
      <div className="tabs -mt-3 mb-5 px-0" role="tablist" aria-label="登录方式">
        {WAYS.map(([key, label]) => (
          <button
            key={key}
            type="button"
            role="tab"
            className="tab"
            aria-selected={key === way}
            aria-controls="login-form"
            onClick={() => {
              setWay(key);
              setErrors({});
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <form
        ref={form}
        id="login-form"
        role="tabpanel"
        aria-label="登录"
        method="post"
        noValidate
        className="grid gap-4"
        onSubmit={(event) => void submit(event)}
      >
        <TextField
          label="手机号"
          name="phone"
          type="tel"
          inputMode="numeric"
          autoComplete="username"
          maxLength={11}
          placeholder="11 位手机号"
          error={errors.phone}
        />
        {way === 'code' ? (
          <CodeField error={errors.smsCode} send={sendCode} />
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
          <span>{way === 'code' ? '未注册的手机号请先注册' : '密码连续输错 10 次需等待 10 分钟'}</span>
          <Link to={besideReturn('/forgetPassword', query)} className="link flex-none">
            忘记密码
          </Link>
        </p>
      </form>
    </AccountFrame>
  );
}
