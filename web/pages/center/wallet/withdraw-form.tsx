import { type FormEvent, useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { smsBindPhone } from '#contract/common.ts';
import { cashAdvance } from '#contract/pay.ts';
import { call, newIdempotencyKey } from '#web/lib/api.ts';
import { CodeField } from '#web/parts/account/code-field.tsx';
import { asFailure, failureWords, isRefusal } from '#web/parts/order/failures.ts';
import { intentDone, intentKey, isOutcomeOpen } from '#web/parts/order/intent-key.ts';
import { PayPasswordField } from '#web/parts/order/pay-password-field.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Field, FormError, useFocusFirstError } from '#web/ui/field.tsx';
import { Input, Radio } from '#web/ui/input.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast-store.ts';
import type { WithdrawData } from './withdraw-loader.ts';
import { type PayeeType, withdrawRefusal } from './withdraw-rules.ts';

const INTENT = 'cashAdvance';

interface Errors {
  amount?: string | undefined;
  password?: string | undefined;
  code?: string | undefined;
  send?: string | undefined;
}

/** Sends a withdrawal once; the key survives a lost answer. */
async function ask(
  body: { amount: string; accountType: PayeeType },
  proof: { payPassword: string | undefined; smsCode: string | undefined },
): Promise<void> {
  const idempotencyKey = intentKey(INTENT, body, newIdempotencyKey);
  try {
    await call(cashAdvance, { ...body, ...proof }, { idempotencyKey, quiet: true });
    intentDone(INTENT);
  } catch (thrown) {
    if (!isOutcomeOpen(asFailure(thrown))) intentDone(INTENT);
    throw thrown;
  }
}

function errorsOf(thrown: unknown): Errors {
  const failure = asFailure(thrown);
  const words = failureWords(failure);
  if (isRefusal(failure, 'PAY_PASSWORD_REQUIRED', 'PAY_PASSWORD_WRONG', 'PAY_PASSWORD_LOCKED'))
    return { password: words };
  if (isRefusal(failure, 'SMS_REQUIRED', 'SMS_CODE_WRONG')) return { code: words };
  return isRefusal(failure, 'BALANCE_LOW') ? { amount: words } : { send: words };
}

/** Sends a code to the owner's own phone; answers when the next may be asked for, null when it has said why none was sent. */
async function sendCode(): Promise<number | null> {
  try {
    return (await call(smsBindPhone, { type: 'payout' }, { quiet: true })).waitSeconds;
  } catch (thrown) {
    toast(failureWords(asFailure(thrown)), 'warn');
    return null;
  }
}

/** Who cannot withdraw yet, and the step before it. */
export function BeforeWithdraw({ data }: { data: WithdrawData }) {
  if (!data.isVerified) {
    return (
      <EmptyState
        title="先完成实名认证"
        action={
          <ButtonLink
            kind="primary"
            to="/center/myself/identityAuthentication?returnUrl=%2Fcenter%2Fmywallets%2Fwithdrawal"
          >
            去实名认证
          </ButtonLink>
        }
      >
        提现只能打到实名本人的账户，认证约 1 分钟。
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="先绑定收款账户"
      action={
        <ButtonLink kind="primary" to="/center/myself/changeAliAccount">
          去绑定
        </ButtonLink>
      }
    >
      收款人必须与实名认证姓名 {data.realNameMask ?? ''} 一致。
    </EmptyState>
  );
}

/** Asking for a withdrawal: how much, to which account, and when it arrives. */
export function WithdrawForm({ data }: { data: WithdrawData }) {
  const { coin, minimum, payees, hasPayPassword, realNameMask, feeText, limitText } = data;
  const { revalidate } = useRevalidator();
  const [amount, setAmount] = useState('');
  const [accountType, setType] = useState<PayeeType>(payees[0]?.type ?? 'alipay');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  // A large sum or a changed payee: the server asks for a code, and from then on the form has its field.
  const [needsCode, setNeedsCode] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const form = useFocusFirstError(errors as Record<string, unknown>);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('smsCode');
    const smsCode = typeof typed === 'string' ? typed.trim() || undefined : undefined;
    const wrong: Errors = {
      amount: withdrawRefusal(amount, { minimum, coin }) ?? undefined,
      password: hasPayPassword && !password ? '请输入支付密码' : undefined,
    };
    if (needsCode && smsCode === undefined) wrong.code = '请输入短信验证码';
    setErrors(wrong);
    if (wrong.amount || wrong.password || wrong.code) return;
    setBusy(true);
    try {
      await ask(
        { amount: amount.trim(), accountType },
        { payPassword: hasPayPassword ? password : undefined, smsCode },
      );
      toast('提现申请已提交', 'ok');
      setAmount('');
      setPassword('');
      setNeedsCode(false);
      await revalidate();
    } catch (thrown) {
      const shown = errorsOf(thrown);
      if (shown.code !== undefined) setNeedsCode(true);
      setErrors(shown);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form ref={form} className="grid max-w-120 gap-4 p-4" onSubmit={(event) => void submit(event)}>
      <Field
        label="提现金额"
        required
        error={errors.amount}
        help={`最低 ${minimum} 元，不超过可用余额；${limitText}；${feeText}。`}
      >
        {(control) => (
          <span className="flex gap-2">
            <Input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              value={amount}
              onChange={(event) => setAmount(event.target.value)}
            />
            <Button className="h-auto!" onClick={() => setAmount(coin)}>
              全部
            </Button>
          </span>
        )}
      </Field>
      <fieldset className="field">
        <legend>收款账户</legend>
        <div className="grid gap-2">
          {payees.map(({ type, name, mask }) => (
            <Radio key={type} name="accountType" checked={type === accountType} onChange={() => setType(type)}>
              {name} {mask}
            </Radio>
          ))}
        </div>
        <p className="field-help">
          收款人须为实名本人 {realNameMask}。
          <Link to="/center/myself/changeAliAccount" className="link">
            更换收款账户
          </Link>
        </p>
      </fieldset>
      {hasPayPassword && <PayPasswordField value={password} onChange={setPassword} error={errors.password} />}
      {needsCode && (
        <CodeField
          error={errors.code}
          help="金额较大，或收款账户刚更换过：验证码发送到你绑定的手机。"
          send={sendCode}
        />
      )}
      <FormError>{errors.send}</FormError>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" kind="primary" size="lg" busy={busy} className="max-md:w-full">
          提交提现申请
        </Button>
        <p className="text-12 text-ink-3">提交后这笔钱先冻结，财务审核后打款；没有打出去会自动退回可用余额。</p>
      </div>
    </form>
  );
}
