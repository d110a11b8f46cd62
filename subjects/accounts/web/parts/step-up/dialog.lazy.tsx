import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { payPasswordProblem } from '../../../rules/secret.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { stepUp, type stepUpState } from '#subjects/accounts/contract/step-up.ts';
import { changeUserPassword } from '#subjects/accounts/contract/user.ts';
import { isDemoHost } from '#web/lib/pages/demo-host.ts';
import { call } from '#web/lib/api/api.ts';
import { CodeField } from '../account/code-field.tsx';
import { typed } from '#web/lib/forms/form-errors.ts';
import { PasswordField, SubmitButton } from '../account/form-parts.tsx';
import { DemoCodes } from '../account/account-layout.tsx';
import { codeProblem, sendOwnCode } from '../account/sms-codes.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { asFailure, readFailureMessage } from '#web/lib/api/call-errors.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Radio } from '#web/ui/forms/input.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { StepUpPurpose } from '#web/lib/session/prompt.ts';
import { loadStepUpState } from '#web/lib/session/step-up.ts';

type State = Data<typeof stepUpState>;
type Method = State['methods'][number];

const TEXTS: Readonly<Record<StepUpPurpose, { title: string; action: string; why: string }>> = {
  pay: { title: '输入支付密码', action: '确认', why: '动用余额需要支付密码。' },
  changePhone: { title: '验证身份', action: '验证并更换手机', why: '更换手机号前，先确认是您本人。' },
  forget: { title: '验证身份', action: '验证并修改密码', why: '修改登录密码前，先确认是您本人。' },
  payee: { title: '验证身份', action: '验证并绑定', why: '更换收款账户前，先确认是您本人。' },
  email: { title: '验证身份', action: '验证并绑定', why: '绑定邮箱前，先确认是您本人。' },
  thirdParty: { title: '验证身份', action: '验证', why: '绑定或解除第三方登录前，先确认是您本人。' },
  close: { title: '验证身份', action: '验证并注销', why: '注销账号前，先确认是您本人。' },
  export: { title: '验证身份', action: '验证并导出', why: '导出个人数据前，先确认是您本人。' },
  apiKey: { title: '验证身份', action: '验证并生成', why: '生成开放接口密钥前，先确认是您本人。' },
};

const PIN = { inputMode: 'numeric', autoComplete: 'off', maxLength: 6, placeholder: '6 位数字' } as const;
const PAY_PASSWORD_PAGE = '/center/myself/changePayPassword';

interface Part {
  purpose: StepUpPurpose;
  state: State;
  onDone: () => void;
}

/** Sets the first pay password within the dialog; doing so also steps up the session. */
function FirstPayPassword({ state: { phoneMask }, onDone }: Part) {
  const own = useMutation(
    (element: HTMLFormElement, options) =>
      call(
        changeUserPassword,
        { kind: 'pay', passWord: typed(element, 'passWord'), smsCode: typed(element, 'smsCode') },
        options,
      ),
    {
      fields: ['smsCode', 'passWord'],
      check: (element) => {
        const passWord = payPasswordProblem(typed(element, 'passWord')) ?? undefined;
        return {
          smsCode: codeProblem(element),
          passWord,
          again:
            passWord || typed(element, 'again') === typed(element, 'passWord') ? undefined : '两次输入的支付密码不一致',
        };
      },
      done: () => {
        toast('支付密码已设置', 'ok');
        onDone();
        return true;
      },
    },
  );
  const { form, errors, busy, submit } = own;
  return (
    <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
      <p className="text-13 text-ink-2">
        您还没有支付密码。它与登录密码分开，付款和提现时使用；设好后继续刚才的操作，已填的内容都在。
      </p>
      <CodeField error={errors.smsCode} help={`发送到 ${phoneMask}`} send={() => sendOwnCode(own, 'payPassword')} />
      <PasswordField label="支付密码" name="passWord" {...PIN} error={errors.passWord} />
      <PasswordField label="再输一次" name="again" {...PIN} error={errors.again} />
      <FormError>{errors.send}</FormError>
      <SubmitButton busy={busy}>设置并继续</SubmitButton>
      <DemoCodes visible={isDemoHost()} />
    </form>
  );
}

function Methods({ methods, method, onChoose }: { methods: Method[]; method: Method; onChoose: (m: Method) => void }) {
  if (methods.length < 2) return null;
  return (
    <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
      <legend className="sr-only">验证方式</legend>
      <Radio name="method" checked={method === 'payPassword'} onChange={() => onChoose('payPassword')}>
        支付密码
      </Radio>
      <Radio name="method" checked={method === 'sms'} onChange={() => onChoose('sms')}>
        短信验证码
      </Radio>
    </fieldset>
  );
}

/** Asks for the pay password, or for a code sent for this purpose only. */
function Prove({ purpose, state, onDone }: Part) {
  const { pathname, search } = useLocation();
  const { methods, lockedUntil } = state;
  const [method, setMethod] = useState<Method>(lockedUntil && methods.includes('sms') ? 'sms' : (methods[0] ?? 'sms'));
  const own = useMutation(
    (element: HTMLFormElement, options) =>
      call(
        stepUp,
        method === 'sms'
          ? { purpose, smsCode: typed(element, 'smsCode') }
          : { purpose, payPassword: typed(element, 'passWord') },
        options,
      ),
    {
      fields: { payPassword: 'passWord', smsCode: 'smsCode' },
      check: (element) =>
        method === 'sms'
          ? { smsCode: codeProblem(element) }
          : { passWord: typed(element, 'passWord') ? undefined : '请输入支付密码' },
      done: () => {
        onDone();
        return true;
      },
    },
  );
  const { form, errors, busy, submit } = own;
  const back = `${PAY_PASSWORD_PAGE}?returnUrl=${encodeURIComponent(`${pathname}${search}`)}`;
  return (
    <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
      <p className="text-13 text-ink-2">{TEXTS[purpose].why}</p>
      <Methods methods={methods} method={method} onChoose={setMethod} />
      {method === 'sms' ? (
        <CodeField
          error={errors.smsCode}
          help={`发送到 ${state.phoneMask}，只用于这一次操作，请勿告诉任何人。`}
          send={() => sendOwnCode(own, purpose === 'pay' ? 'payPassword' : purpose)}
        />
      ) : (
        <PasswordField
          label="支付密码"
          name="passWord"
          {...PIN}
          error={errors.passWord}
          help={
            <Link to={back} className="link hit">
              忘记支付密码
            </Link>
          }
        />
      )}
      {lockedUntil && method === 'payPassword' && (
        <p className="text-13 text-attn">
          支付密码连续输错 5 次，已锁定到 {fullTime(Date.parse(lockedUntil))}，可以重置后立即使用。
        </p>
      )}
      <FormError>{errors.send}</FormError>
      <SubmitButton busy={busy}>{TEXTS[purpose].action}</SubmitButton>
      <DemoCodes visible={method === 'sms' && isDemoHost()} />
    </form>
  );
}

/** Asks the owner to prove their identity before money or security settings change; the form under it is kept. */
export default function StepUpDialog({
  about: purpose,
  onDone,
  onClose,
}: {
  about: StepUpPurpose;
  onDone: () => void;
  onClose: () => void;
}) {
  const [state, setState] = useState<State | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    loadStepUpState(purpose).then(setState, (thrown: unknown) => setProblem(readFailureMessage(asFailure(thrown))));
  }, [purpose, round]);
  const again = () => {
    setProblem(null);
    setRound(round + 1);
  };
  const isFirst = purpose === 'pay' && state?.hasPayPassword === false;
  const Body = isFirst ? FirstPayPassword : Prove;
  return (
    <Dialog
      title={isFirst ? '设置支付密码' : TEXTS[purpose].title}
      onClose={onClose}
      closeOnBackdrop={false}
      asksFirst={false}
    >
      {problem ? (
        <ErrorState message={problem} onRetry={again} />
      ) : state ? (
        <Body purpose={purpose} state={state} onDone={onDone} />
      ) : (
        // Reserves the height of the content, so that the dialog does not shift: every purpose except payment offers two methods.
        <Skeleton className={purpose === 'pay' ? 'h-49' : 'h-59'} />
      )}
    </Dialog>
  );
}
