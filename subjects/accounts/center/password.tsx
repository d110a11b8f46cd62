import { useLoaderData, useNavigate } from 'react-router';
import { secretProblem } from '../rules/secret.ts';
import { changeUserPassword } from '#subjects/accounts/contract/user.ts';
import { call } from '#web/lib/api/api.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import { PasswordField, SubmitButton } from '../web/parts/account/form-parts.tsx';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { loader } from './self-loader.ts';
import { ChangePanel, SECURITY, underSecurity } from './self-tabs.tsx';

export { loader } from './self-loader.ts';

export const handle = underSecurity('修改登录密码');

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '修改登录密码', noindex: true });
}

/** Sets a new log-in password; the owner is verified by the pay password or a code, not by the old password. */
export default function PasswordPage() {
  const { user } = useLoaderData<typeof loader>();
  const navigate = useNavigate();
  const state = useMutation(
    (form: HTMLFormElement, options) =>
      withStepUp('forget', () =>
        call(changeUserPassword, { kind: 'login', passWord: typed(form, 'passWord') }, options),
      ),
    {
      fields: ['passWord'],
      check: (form) => {
        const passWord = secretProblem(typed(form, 'passWord')) ?? undefined;
        return {
          passWord,
          again: passWord || typed(form, 'again') === typed(form, 'passWord') ? undefined : '两次输入的密码不一致',
        };
      },
      done: () => {
        toast('登录密码已修改，其他设备已退出登录', 'ok');
        void navigate(SECURITY);
        return true;
      },
    },
  );
  const { form, errors, busy, submit } = state;
  return (
    <ChangePanel
      title={user.isHadPassWord ? '修改登录密码' : '设置登录密码'}
      note="提交时先验证身份：支付密码，或发到您手机的验证码。修改后，除本机外的设备都会退出登录。"
    >
      <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
        <PasswordField
          label="新密码"
          name="passWord"
          autoComplete="new-password"
          placeholder="6-18 个字符"
          error={errors.passWord}
        />
        <PasswordField label="再输一次" name="again" autoComplete="new-password" error={errors.again} />
        <FormError>{errors.send}</FormError>
        <SubmitButton busy={busy}>保存新密码</SubmitButton>
      </form>
    </ChangePanel>
  );
}
