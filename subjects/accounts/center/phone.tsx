import { useLoaderData, useNavigate } from 'react-router';
import { phoneProblem } from '#contract/rules/contacts/phone.ts';
import { changeBindPhone } from '#subjects/accounts/contract/user.ts';
import { call } from '#web/lib/api/api.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { CodeField } from '../web/parts/account/code-field.tsx';
import { typed } from '#web/lib/forms/form-errors.ts';
import { PhoneField, SubmitButton } from '../web/parts/account/form-parts.tsx';
import { DemoCodes } from '../web/parts/account/account-layout.tsx';
import { codeProblem, sendCode } from '../web/parts/account/sms-codes.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { loader } from './self-loader.ts';
import { ChangePanel, SECURITY, underSecurity } from './self-tabs.tsx';

export { loader } from './self-loader.ts';

export const handle = underSecurity('更换手机');

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '更换手机', noindex: true });
}

/** Changes the account's phone number; both numbers are verified. */
export default function PhonePage() {
  const { user, demoCodes } = useLoaderData<typeof loader>();
  const navigate = useNavigate();
  const state = useMutation(
    (form: HTMLFormElement, options) =>
      withStepUp('changePhone', () =>
        call(changeBindPhone, { phone: typed(form, 'phone'), newSmsCode: typed(form, 'newSmsCode') }, options),
      ),
    {
      fields: ['phone', 'newSmsCode'],
      check: (form) => ({
        phone: phoneProblem(typed(form, 'phone')) ?? undefined,
        newSmsCode: codeProblem(form, 'newSmsCode'),
      }),
      done: ({ phoneMask }) => {
        toast(`已更换为 ${phoneMask}，其他设备已退出登录`, 'ok');
        void navigate(SECURITY);
        return true;
      },
    },
  );
  const { form, errors, busy, submit } = state;
  return (
    <ChangePanel
      title="更换手机"
      note={`当前手机号 ${user.phoneMask}。提交时先验证身份（支付密码，或发到原号码的验证码）；更换后用新号码登录，除本机外的设备都会退出登录，24 小时内不能提现。原号码已停用且没有支付密码，请联系客服。`}
    >
      <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
        <PhoneField label="新手机号" autoComplete="tel" error={errors.phone} />
        <CodeField
          name="newSmsCode"
          label="新手机验证码"
          error={errors.newSmsCode}
          send={() => sendCode(state, 'bind', 'newSmsCode')}
        />
        <FormError>{errors.send}</FormError>
        <SubmitButton busy={busy}>更换手机</SubmitButton>
        <DemoCodes visible={demoCodes} />
      </form>
    </ChangePanel>
  );
}
