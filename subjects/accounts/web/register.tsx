import { Link, useLoaderData, useSearchParams } from 'react-router';
import { phoneProblem } from '#contract/rules/contacts/phone.ts';
import { secretProblem } from '../rules/secret.ts';
import { register } from '#subjects/accounts/contract/user.ts';
import { call } from '#web/lib/api/api.ts';
import { forgetInvite } from '#web/lib/session/invite.ts';
import { finishSignIn } from '#web/lib/session/signed-in.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { CodeField } from './parts/account/code-field.tsx';
import { type FormErrors, typed } from '#web/lib/forms/form-errors.ts';
import { PasswordField, PhoneField, SubmitButton, TextField } from './parts/account/form-parts.tsx';
import { AccountLayout, DemoCodes } from './parts/account/account-layout.tsx';
import { codeProblem, sendCode } from './parts/account/sms-codes.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { OtherMethods } from './parts/login/other-methods.tsx';
import { FormError, useMessage } from '#web/ui/forms/field.tsx';
import { Checkbox } from '#web/ui/forms/input.tsx';
import { besideReturn } from './return-link.ts';
import type { loader } from './signed-in-loader.ts';

export { loader } from './signed-in-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '注册', noindex: true });
}

/** A new user starts on the page with the next steps and coupons. */
const WELCOME = '/center?welcome=1';

function missing(form: HTMLFormElement): FormErrors {
  return {
    phone: phoneProblem(typed(form, 'phone')) ?? undefined,
    smsCode: codeProblem(form),
    passWord: secretProblem(typed(form, 'passWord')) ?? undefined,
    agree: typed(form, 'agree') ? undefined : '请先阅读并同意用户协议和隐私政策',
  };
}

function Texts() {
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

/** Registration by SMS code, with a password and the consent required by law. */
export default function RegisterPage() {
  const { inviteCode: remembered, demo } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const inviteCode = query.get('inviteCode') ?? query.get('invitecode') ?? remembered;
  const state = useMutation(
    (form: HTMLFormElement, options) =>
      call(
        register,
        {
          phone: typed(form, 'phone'),
          smsCode: typed(form, 'smsCode'),
          passWord: typed(form, 'passWord'),
          inviteCode: typed(form, 'inviteCode'),
          agree: true,
        },
        options,
      ),
    {
      fields: ['phone', 'smsCode', 'passWord', 'inviteCode'],
      check: missing,
      done: (result) => {
        forgetInvite();
        void finishSignIn(result, query.get('returnUrl'), WELCOME);
        return true;
      },
    },
  );
  const { form, errors, busy, submit } = state;
  const [unagreed, onAgree] = useMessage(errors.agree);

  return (
    <AccountLayout
      title="注册"
      aside={
        <>
          已有账号？
          <Link to={besideReturn('/login', query)} className="link hit">
            去登录
          </Link>
        </>
      }
    >
      <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
        <PhoneField error={errors.phone} />
        <CodeField error={errors.smsCode} send={() => sendCode(state, 'register')} />
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
          holds="code"
          isOptional
          autoComplete="off"
          maxLength={16}
          defaultValue={inviteCode}
          placeholder="没有可不填"
          error={errors.inviteCode}
        />
        <div className="grid gap-1" onChange={onAgree}>
          <Checkbox name="agree" value="1" aria-invalid={unagreed ? true : undefined}>
            <Texts />
          </Checkbox>
          <FormError>{unagreed}</FormError>
        </div>
        <FormError>{errors.send}</FormError>
        <SubmitButton busy={busy}>注册并登录</SubmitButton>
        <DemoCodes visible={demo} />
      </form>
      <OtherMethods />
    </AccountLayout>
  );
}
