import { type FormEvent, useEffect, useState } from 'react';
import { Link, useLoaderData, useSearchParams } from 'react-router';
import { clientSms } from '#contract/common.ts';
import { phoneProblem } from '#contract/rules/phone.ts';
import { secretProblem } from '#contract/rules/secret.ts';
import { register } from '#contract/user.ts';
import { call } from '#web/lib/api.ts';
import { writeCookie } from '#web/lib/cookies.ts';
import { goOn, keepSignedIn } from '#web/lib/signed-in.ts';
import { pageMeta } from '#web/lib/site.ts';
import { CodeField } from '#web/parts/account/code-field.tsx';
import { errorsOf, type FormErrors, isRefused, typed } from '#web/parts/account/form-errors.ts';
import { FormError, PasswordField, SubmitButton, TextField } from '#web/parts/account/form-parts.tsx';
import { AccountFrame } from '#web/parts/account/frame.tsx';
import { useFocusFirstError } from '#web/ui/field.tsx';
import { Checkbox } from '#web/ui/input.tsx';
import { besideReturn } from './return-link.ts';
import type { loader } from './signed-in-loader.ts';

export { loader } from './signed-in-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '注册', noindex: true });
}

const FIELDS = ['phone', 'smsCode', 'passWord', 'inviteCode'];
/** How long an invitation that somebody followed is remembered. */
const INVITE_HOURS = 7 * 24;

function missing(form: HTMLFormElement): FormErrors {
  return {
    phone: phoneProblem(typed(form, 'phone')) ?? undefined,
    smsCode: /^\d{6}$/.test(typed(form, 'smsCode')) ? undefined : '请输入 6 位数字验证码',
    passWord: secretProblem(typed(form, 'passWord')) ?? undefined,
    agree: typed(form, 'agree') ? undefined : '请先阅读并同意用户协议和隐私政策',
  };
}

/** The code of an invitation: of this address, else of one that was followed before; an address with one is remembered. */
function useInviteCode(remembered: string): string {
  const [query] = useSearchParams();
  const given = query.get('inviteCode') ?? query.get('invitecode') ?? '';
  useEffect(() => {
    if (/^[\w-]{1,16}$/.test(given)) writeCookie('invitecode', given, INVITE_HOURS);
  }, [given]);
  return given || remembered;
}

function Texts({ exist }: { exist: boolean }) {
  if (!exist) return <>我已阅读并同意用户协议和隐私政策，并声明已满 18 周岁</>;
  return (
    <>
      我已阅读并同意
      <Link to="/news/agreement" target="_blank" className="link">
        《用户协议》
      </Link>
      和
      <Link to="/news/privacy" target="_blank" className="link">
        《隐私政策》
      </Link>
      ，并声明已满 18 周岁
    </>
  );
}

/** Registration by SMS code, with a password and the consent that the law asks for. */
export default function RegisterPage() {
  const { inviteCode: remembered, texts } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const inviteCode = useInviteCode(remembered);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FormErrors>({});
  const form = useFocusFirstError(errors);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const target = event.currentTarget;
    const wrong = missing(target);
    setErrors(wrong);
    if (isRefused(wrong)) return;
    setBusy(true);
    try {
      const input = {
        phone: typed(target, 'phone'),
        smsCode: typed(target, 'smsCode'),
        passWord: typed(target, 'passWord'),
        inviteCode: typed(target, 'inviteCode').trim(),
        agree: true,
      };
      keepSignedIn(await call(register, input, { quiet: true }));
      writeCookie('invitecode', '', 0);
      goOn(query.get('returnUrl'));
    } catch (thrown) {
      setErrors(errorsOf(thrown, FIELDS));
      setBusy(false);
    }
  };

  const sendCode = async () => {
    const phone = typed(form.current, 'phone');
    const problem = phoneProblem(phone) ?? undefined;
    setErrors({ phone: problem });
    if (problem) return null;
    try {
      return (await call(clientSms, { phone, type: 'register' }, { quiet: true })).waitSeconds;
    } catch (thrown) {
      setErrors(errorsOf(thrown, FIELDS));
      return null;
    }
  };

  return (
    <AccountFrame
      title="注册"
      aside={
        <>
          已有账号？
          <Link to={besideReturn('/login', query)} className="link">
            去登录
          </Link>
        </>
      }
    >
      <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
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
        <CodeField error={errors.smsCode} send={sendCode} />
        <PasswordField
          label="设置密码"
          name="passWord"
          autoComplete="new-password"
          placeholder="6-18 个字符"
          error={errors.passWord}
        />
        <TextField
          label="邀请码"
          name="inviteCode"
          isOptional
          autoComplete="off"
          maxLength={16}
          defaultValue={inviteCode}
          placeholder="没有可不填"
          error={errors.inviteCode}
        />
        <div className="grid gap-1">
          <Checkbox name="agree" value="1" aria-invalid={errors.agree ? true : undefined}>
            <Texts exist={texts} />
          </Checkbox>
          <FormError>{errors.agree}</FormError>
        </div>
        <FormError>{errors.send}</FormError>
        <SubmitButton busy={busy}>注册并登录</SubmitButton>
      </form>
    </AccountFrame>
  );
}
