import { AuthStatus } from '#contract/rules/statuses.ts';
import { useState } from 'react';
import { useLoaderData, useNavigate, useSearchParams } from 'react-router';
import { payPasswordProblem } from '../rules/secret.ts';
import { changeUserPassword } from '#subjects/accounts/contract/user.ts';
import { call } from '#web/lib/api/api.ts';
import { safeReturn } from '#web/lib/pages/paths.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { CodeField } from '../web/parts/account/code-field.tsx';
import { typed } from '#web/lib/forms/form-errors.ts';
import { PasswordField, SubmitButton, TextField } from '../web/parts/account/form-parts.tsx';
import { DemoCodes } from '../web/parts/account/account-layout.tsx';
import { codeProblem, sendOwnCode } from '../web/parts/account/sms-codes.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { Proof, type ProofKind } from './proof.tsx';
import type { loader } from './self-loader.ts';
import { ChangePanel, SECURITY, underSecurity } from './self-tabs.tsx';

export { loader } from './self-loader.ts';

export const handle = underSecurity('支付密码');

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '支付密码', noindex: true });
}

const PIN = { inputMode: 'numeric', autoComplete: 'off', maxLength: 6, placeholder: '6 位数字' } as const;

/** Sets or changes the six-digit pay password, required for payments from the balance and for withdrawals. */
export default function PayPasswordPage() {
  const { user, demoCodes } = useLoaderData<typeof loader>();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const isSet = user.isPayPassWord;
  const [proof, setProof] = useState<ProofKind>(isSet ? 'old' : 'sms');
  // A forgotten pay password is reset by code and identity; the first one needs the code only.
  const needsIdentity = isSet && proof === 'sms' && user.authStatus === AuthStatus.Verified;
  const state = useMutation(
    (form: HTMLFormElement, options) =>
      call(
        changeUserPassword,
        {
          kind: 'pay',
          passWord: typed(form, 'passWord'),
          ...(proof === 'old'
            ? { oldPassWord: typed(form, 'oldPassWord') }
            : { smsCode: typed(form, 'smsCode'), ...(needsIdentity && { idCard: typed(form, 'idCard').trim() }) }),
        },
        options,
      ),
    {
      fields: ['oldPassWord', 'smsCode', 'idCard', 'passWord'],
      check: (form) => {
        const passWord = payPasswordProblem(typed(form, 'passWord')) ?? undefined;
        return {
          oldPassWord: proof === 'old' && !typed(form, 'oldPassWord') ? '请输入原支付密码' : undefined,
          smsCode: proof === 'sms' ? codeProblem(form) : undefined,
          idCard: needsIdentity && typed(form, 'idCard').trim().length < 15 ? '请输入实名认证的身份证号' : undefined,
          passWord,
          again: passWord || typed(form, 'again') === typed(form, 'passWord') ? undefined : '两次输入的支付密码不一致',
        };
      },
      done: () => {
        toast(isSet ? '支付密码已修改' : '支付密码已设置', 'ok');
        void navigate(safeReturn(query.get('returnUrl'), SECURITY));
        return true;
      },
    },
  );
  const { form, errors, busy, submit } = state;
  return (
    <ChangePanel
      title={isSet ? '修改支付密码' : '设置支付密码'}
      note="余额付款、提现时使用，与登录密码分开。连续输错 5 次会锁定 24 小时；忘记时用短信验证码和身份证号重置，重置后 24 小时内不能提现。"
    >
      <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
        {isSet && <Proof kind={proof} oldName="用原支付密码" onChoose={setProof} />}
        {proof === 'old' ? (
          <PasswordField label="原支付密码" name="oldPassWord" {...PIN} error={errors.oldPassWord} />
        ) : (
          <CodeField
            error={errors.smsCode}
            help={`发送到 ${user.phoneMask}`}
            send={() => sendOwnCode(state, 'payPassword')}
          />
        )}
        {needsIdentity && (
          <TextField
            label="身份证号"
            name="idCard"
            autoComplete="off"
            holds="idCard"
            error={errors.idCard}
            help={`实名认证 ${user.realNameMask ?? ''} 的身份证号，只用来核对，每天最多 5 次。`}
          />
        )}
        <PasswordField label="新支付密码" name="passWord" {...PIN} error={errors.passWord} />
        <PasswordField label="再输一次" name="again" {...PIN} error={errors.again} />
        <FormError>{errors.send}</FormError>
        <SubmitButton busy={busy}>保存支付密码</SubmitButton>
        <DemoCodes visible={demoCodes && proof === 'sms'} />
      </form>
    </ChangePanel>
  );
}
