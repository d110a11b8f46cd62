import { useState } from 'react';
import { useLoaderData, useNavigate } from 'react-router';
import { secretProblem } from '#contract/rules/secret.ts';
import { changeUserPassword } from '#contract/user.ts';
import { call } from '#web/lib/api.ts';
import { pageMeta } from '#web/lib/site.ts';
import { CodeField } from '#web/parts/account/code-field.tsx';
import { typed } from '#web/parts/account/form-errors.ts';
import { PasswordField, SubmitButton } from '#web/parts/account/form-parts.tsx';
import { DemoCodes } from '#web/parts/account/frame.tsx';
import { codeProblem, sendOwnCode, useForm } from '#web/parts/account/use-form.ts';
import { FormError } from '#web/ui/field.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { Proof, type ProofKind } from './proof.tsx';
import type { loader } from './self-loader.ts';
import { ChangePanel, SECURITY, underSecurity } from './self-tabs.tsx';

export { loader } from './self-loader.ts';

export const handle = underSecurity('修改登录密码');

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '修改登录密码', noindex: true });
}

/** A new log-in password, on the old one or on a code sent to the own number. */
export default function PasswordPage() {
  const { user, demoCodes } = useLoaderData<typeof loader>();
  const navigate = useNavigate();
  const [proof, setProof] = useState<ProofKind>(user.isHadPassWord ? 'old' : 'sms');
  const state = useForm({
    fields: ['oldPassWord', 'smsCode', 'passWord'],
    check: (form) => ({
      oldPassWord: proof === 'old' && !typed(form, 'oldPassWord') ? '请输入原密码' : undefined,
      smsCode: proof === 'sms' ? codeProblem(form) : undefined,
      passWord: secretProblem(typed(form, 'passWord')) ?? undefined,
    }),
    send: (form) =>
      call(
        changeUserPassword,
        {
          kind: 'login',
          passWord: typed(form, 'passWord'),
          ...(proof === 'old' ? { oldPassWord: typed(form, 'oldPassWord') } : { smsCode: typed(form, 'smsCode') }),
        },
        { quiet: true },
      ),
    done: () => {
      toast('登录密码已修改，其他设备已退出登录', 'ok');
      void navigate(SECURITY);
      return true;
    },
  });
  const { form, errors, busy, submit } = state;
  return (
    <ChangePanel title="修改登录密码">
      <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
        {user.isHadPassWord && <Proof kind={proof} oldName="用原密码" onChoose={setProof} />}
        {proof === 'old' ? (
          <PasswordField label="原密码" name="oldPassWord" autoComplete="current-password" error={errors.oldPassWord} />
        ) : (
          <CodeField
            error={errors.smsCode}
            help={`发送到 ${user.phoneMask}`}
            send={() => sendOwnCode(state, 'forget')}
          />
        )}
        <PasswordField
          label="新密码"
          name="passWord"
          autoComplete="new-password"
          placeholder="6-18 个字符"
          error={errors.passWord}
          help="修改后，除本机外的设备都会退出登录。"
        />
        <FormError>{errors.send}</FormError>
        <SubmitButton busy={busy}>保存新密码</SubmitButton>
        <DemoCodes shown={demoCodes && proof === 'sms'} />
      </form>
    </ChangePanel>
  );
}
