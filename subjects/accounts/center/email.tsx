import { useLoaderData, useNavigate } from 'react-router';
import { changeEmail, sendEmailCode } from '#subjects/accounts/contract/email-and-closing.ts';
import { call } from '#web/lib/api/api.ts';
import { pageMeta, useSite } from '#web/lib/pages/site.ts';
import { CodeField } from '../web/parts/account/code-field.tsx';
import { typed } from '#web/lib/forms/form-errors.ts';
import { SubmitButton, TextField } from '../web/parts/account/form-parts.tsx';
import { DemoCodes } from '../web/parts/account/account-layout.tsx';
import { askCode, codeProblem, type CodeForm } from '../web/parts/account/sms-codes.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { loader } from './self-loader.ts';
import { ChangePanel, SECURITY, underSecurity } from './self-tabs.tsx';

export { loader } from './self-loader.ts';

export const handle = underSecurity('绑定邮箱');

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '绑定邮箱', noindex: true });
}

function emailProblem(form: HTMLFormElement | null): string | undefined {
  const email = typed(form, 'email').trim();
  if (!email) return '邮箱不能为空';
  return /^[\w.+-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(email) ? undefined : '邮箱格式错误';
}

/** Requests a code to the e-mail address in the form. */
async function sendMail(state: CodeForm): Promise<number | null> {
  const problem = emailProblem(state.form.current);
  if (problem) {
    state.setErrors({ email: problem });
    return null;
  }
  const email = typed(state.form.current, 'email').trim();
  const to = { fields: ['email'], codeField: 'emailCode' };
  return await askCode(state, () => call(sendEmailCode, { email }, { quiet: true }), to);
}

/** Binds or replaces the e-mail address; both the owner and the address are verified. Shows a message when the site sends no mail. */
export default function EmailPage() {
  const { user } = useLoaderData<typeof loader>();
  if (useSite()?.services.mail !== false) return <EmailForm />;
  return (
    <ChangePanel title={user.isHadEmail ? '更换邮箱' : '绑定邮箱'} isForm={false}>
      <EmptyState
        title="本站没有开通邮件"
        action={<ButtonLink to="/center/notices?tab=settings">设置其他提醒</ButtonLink>}
      >
        {user.isHadEmail
          ? '已绑定的邮箱保留，暂时不能更换，也不会收到邮件。'
          : '暂时不能绑定邮箱，不影响登录和交易；提醒可以用其他方式。'}
      </EmptyState>
    </ChangePanel>
  );
}

/** The form; its code is sent to the address. */
function EmailForm() {
  const { user, demoCodes } = useLoaderData<typeof loader>();
  const navigate = useNavigate();
  const state = useMutation(
    (form: HTMLFormElement, options) =>
      withStepUp('email', () =>
        call(changeEmail, { email: typed(form, 'email').trim(), emailCode: typed(form, 'emailCode') }, options),
      ),
    {
      fields: ['emailCode', 'email'],
      check: (form) => ({
        email: emailProblem(form),
        emailCode: codeProblem(form, 'emailCode'),
      }),
      done: ({ emailMask }) => {
        toast(`已绑定 ${emailMask}`, 'ok');
        void navigate(SECURITY);
        return true;
      },
    },
  );
  const { form, errors, busy, submit } = state;
  return (
    <ChangePanel
      title={user.isHadEmail ? '更换邮箱' : '绑定邮箱'}
      note="绑定后账户安全加 1 分。提交时先验证身份：支付密码，或发到您手机的验证码。"
    >
      <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
        <TextField
          label={user.isHadEmail ? '新邮箱' : '邮箱'}
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={120}
          placeholder="name@example.com"
          error={errors.email}
        />
        <CodeField name="emailCode" label="邮箱验证码" error={errors.emailCode} send={() => sendMail(state)} />
        <FormError>{errors.send}</FormError>
        <SubmitButton busy={busy}>{user.isHadEmail ? '更换邮箱' : '绑定邮箱'}</SubmitButton>
        <DemoCodes visible={demoCodes} />
      </form>
    </ChangePanel>
  );
}
