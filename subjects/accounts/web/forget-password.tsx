import { Link, type LoaderFunctionArgs, useLoaderData, useNavigate, useSearchParams } from 'react-router';
import { phoneProblem } from '#contract/rules/contacts/phone.ts';
import { secretProblem } from '../rules/secret.ts';
import { forgetUserPassWord } from '#subjects/accounts/contract/user.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { clearHints } from '#web/lib/session/cookies.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { CodeField } from './parts/account/code-field.tsx';
import { typed } from '#web/lib/forms/form-errors.ts';
import { PasswordField, PhoneField, SubmitButton } from './parts/account/form-parts.tsx';
import { AccountLayout, DemoCodes } from './parts/account/account-layout.tsx';
import { codeProblem, sendCode } from './parts/account/sms-codes.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { besideReturn } from './return-link.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '找回密码', noindex: true });
}

export function loader(args: LoaderFunctionArgs) {
  return { demo: market(args).demo };
}

/** Sets a new log-in password by SMS code; every session ends, so the next step is to log in. */
export default function ForgetPasswordPage() {
  const { demo } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const state = useMutation(
    (form: HTMLFormElement, options) =>
      call(
        forgetUserPassWord,
        { phone: typed(form, 'phone'), smsCode: typed(form, 'smsCode'), passWord: typed(form, 'passWord') },
        options,
      ),
    {
      fields: ['phone', 'smsCode', 'passWord'],
      check: (form) => ({
        phone: phoneProblem(typed(form, 'phone')) ?? undefined,
        smsCode: codeProblem(form),
        passWord: secretProblem(typed(form, 'passWord')) ?? undefined,
      }),
      done: () => {
        clearHints();
        toast('密码已重置，请用新密码登录', 'ok');
        void navigate(besideReturn('/login', query));
        return true;
      },
    },
  );
  const { form, errors, busy, submit } = state;

  return (
    <AccountLayout
      title="找回密码"
      aside={
        <Link to={besideReturn('/login', query)} className="link hit">
          返回登录
        </Link>
      }
    >
      <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
        <PhoneField label="注册时的手机号" error={errors.phone} />
        <CodeField error={errors.smsCode} send={() => sendCode(state, 'forget')} />
        <PasswordField
          label="新密码"
          name="passWord"
          autoComplete="new-password"
          placeholder="6-18 个字符"
          error={errors.passWord}
          help="重置后所有设备都会退出登录"
        />
        <FormError>{errors.send}</FormError>
        <SubmitButton busy={busy}>重置密码</SubmitButton>
        <DemoCodes visible={demo} />
      </form>
    </AccountLayout>
  );
}
