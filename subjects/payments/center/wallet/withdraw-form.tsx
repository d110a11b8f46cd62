import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { codes } from '#contract/codes.ts';
import { smsBindPhone } from '#subjects/accounts/contract/sms.ts';
import { cashAdvance } from '#subjects/payments/contract/pay.ts';
import { amountError } from '#contract/rules/amounts.ts';
import { call } from '#web/lib/api/api.ts';
import { type FormErrors, typed } from '#web/lib/forms/form-errors.ts';
import type { ApiFailure } from '#web/lib/api/api-failure.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { fenOf, grouped, yuanLabel } from '#web/lib/format/format.ts';
import { CodeField } from '#subjects/accounts/web/parts/account/code-field.tsx';
import { asFailure, failureMessage, isError } from '#web/lib/api/call-errors.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { servicePath } from '#subjects/orders/web/parts/order/order-links.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Radio } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { UNCONFIRMED } from '#subjects/accounts/web/parts/account/sms-codes.ts';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { WithdrawData } from './withdraw-loader.ts';
import { arrives, type PayeeType, withdrawError } from './withdraw-rules.ts';

const INTENT = 'cashAdvance';

/** A code that is missing or wrong is reported at the code, a balance that is too low at the amount. */
function errorsOf(failure: ApiFailure): FormErrors | undefined {
  if (isError(failure, codes.SMS_REQUIRED, codes.SMS_CODE_WRONG)) return { code: failure.msg };
  return isError(failure, codes.BALANCE_LOW) ? { amount: failure.msg } : undefined;
}

/**
 * Sends a code to the owner's phone. Returns the seconds until the next may be requested; null when the request failed and its message was
 * shown.
 */
async function sendCode(): Promise<number | null> {
  try {
    const sent = await call(smsBindPhone, { type: 'payout' }, { quiet: true });
    if (sent.unconfirmed) toast(UNCONFIRMED, 'warn');
    return sent.waitSeconds;
  } catch (thrown) {
    toast(failureMessage(asFailure(thrown)), 'warn');
    return null;
  }
}

/** Why the user cannot withdraw yet, with the step to complete first. */
export function BeforeWithdraw({ data }: { data: WithdrawData }) {
  const contact = <ButtonLink to={servicePath({ goodsSn: null })}>联系客服</ButtonLink>;
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
  if (!data.isAdult) {
    return (
      <EmptyState title="未满 18 周岁不能提现" action={contact}>
        根据国家规定，未成年人不能交易和充值。余额里的充值款可以原路退回当初付款的账户：请由监护人联系客服，财务核对后逐笔退回，不收手续费。
      </EmptyState>
    );
  }
  if (data.terms.ways.every(({ isOpen }) => !isOpen)) {
    return (
      <EmptyState title="本站暂未开通提现" action={contact}>
        开通后会在这里提交申请，余额不受影响；急用请联系客服。
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

type Terms = WithdrawData['terms'];

/** Why an SMS code is required for this amount and account; null when the pay password is enough. */
function codeReason(terms: Terms, accountType: PayeeType, amount: string): string | null {
  if (terms.payees.find((payee) => payee.accountType === accountType)?.isChanged)
    return '这个收款账户刚更换过，还没有打过款';
  if (amount.trim() === '' || amountError(amount.trim(), '提现金额') !== null) return null;
  return fenOf(amount.trim()) >= fenOf(terms.smsFrom)
    ? `24 小时内累计提现达到 ${yuanLabel(terms.smsFrom)} 及以上属于大额`
    : null;
}

/** The waiting period in effect, with its reason; null when there is none. */
function waitingPeriod(terms: Terms, accountType: PayeeType): { until: string; reason: string } | null {
  if (terms.wait) return terms.wait;
  const until = terms.payees.find((payee) => payee.accountType === accountType)?.usableFrom;
  return until ? { until, reason: '您刚更换过收款账户' } : null;
}

function useWithdrawal({ coin, minimum, payees, terms }: WithdrawData) {
  const [amount, setAmount] = useState('');
  const [accountType, setType] = useState<PayeeType>(payees.find(({ isOpen }) => isOpen)?.type ?? 'alipay');
  // The server may have a reason that the page did not know, such as another withdrawal requested meanwhile.
  const [isCodeRequired, setCodeRequired] = useState(false);
  const reason = codeReason(terms, accountType, amount) ?? (isCodeRequired ? '金额较大，或收款账户刚更换过' : null);

  // The intent that is saved across a reload contains no code.
  const smsCode = useRef<string | undefined>(undefined);
  const { form, busy, errors, send } = useMutation(
    (body: { amount: string; accountType: PayeeType }, options) =>
      withStepUp('pay', () => call(cashAdvance, { ...body, smsCode: smsCode.current }, options)),
    {
      fields: { amount: 'amount', smsCode: 'code' },
      intent: INTENT,
      revalidates: true,
      check: () => ({
        amount: withdrawError(amount, { minimum, coin }) ?? undefined,
        code: reason !== null && smsCode.current === undefined ? '请输入短信验证码' : undefined,
      }),
      failed: (failure) => {
        const own = errorsOf(failure);
        if (own?.code !== undefined) setCodeRequired(true);
        return own;
      },
      done: () => {
        toast('提现申请已提交', 'ok');
        setAmount('');
        setCodeRequired(false);
      },
    },
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    smsCode.current = typed(event.currentTarget, 'smsCode').trim() || undefined;
    void send({ amount: amount.trim(), accountType });
  };
  return { form, amount, setAmount, accountType, setType, busy, errors, reason, submit };
}

/** The fee, the arrival time and the required proof, before anything is submitted. */
interface TermsProps {
  terms: Terms;
  /** Of the chosen account. */
  arrival: string;
  amount: string;
  reason: string | null;
}

function TermsList({ terms, arrival, amount, reason }: TermsProps) {
  const isAmount = amount.trim() !== '' && amountError(amount.trim(), '提现金额') === null;
  return (
    <dl className="grid grid-cols-[72px_minmax(0,1fr)] gap-y-1.5 rounded-control bg-sunken px-4 py-3 text-13">
      <dt className="text-ink-3">手续费</dt>
      <dd>
        {terms.fee === '0.00' ? '免费' : <Amount yuan={terms.fee} />}
        {isAmount && (
          <>
            ，实际到账 <Amount yuan={arrives(amount.trim(), terms.fee)} className="font-semibold" />
          </>
        )}
      </dd>
      <dt className="text-ink-3">预计到账</dt>
      <dd>{arrival}</dd>
      <dt className="text-ink-3">需要验证</dt>
      <dd>{reason === null ? '支付密码' : `支付密码和短信验证码：${reason}`}</dd>
    </dl>
  );
}

/** The withdrawal form: amount, account, fee, required proof, and arrival time. */
export function WithdrawForm({ data }: { data: WithdrawData }) {
  const { coin, minimum, payees, realNameMask, feeText, limitText, terms } = data;
  const { form, amount, setAmount, accountType, setType, busy, errors, reason, submit } = useWithdrawal(data);
  const waiting = waitingPeriod(terms, accountType);
  const chosen = payees.find(({ type, isOpen }) => isOpen && type === accountType);

  return (
    <form ref={form} className="grid max-w-120 gap-4 p-4" onSubmit={submit}>
      <Field
        label="提现金额"
        required
        error={errors.amount}
        help={`最低 ${grouped(minimum)} 元，不超过可用余额；${limitText}；${feeText}。`}
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
          {payees.map(({ type, name, mask, isOpen }) => (
            <Radio
              key={type}
              name="accountType"
              checked={isOpen && type === accountType}
              disabled={!isOpen}
              onChange={() => setType(type)}
            >
              {name} {mask}
              {!isOpen && <span className="text-ink-3">（本站暂不支持提现到{name}）</span>}
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
      <TermsList terms={terms} arrival={chosen?.arrival ?? ''} amount={amount} reason={reason} />
      {reason !== null && (
        <CodeField error={errors.code} help={`${reason}，验证码发送到您绑定的手机。`} send={sendCode} />
      )}
      {waiting && (
        <p className="rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn" role="status">
          {waiting.reason}，为防止资金被盗，24 小时内暂不能提现，{fullAt(waiting.until)} 起可以提现。
        </p>
      )}
      <FormError>{errors.send}</FormError>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          type="submit"
          kind="primary"
          size="lg"
          busy={busy}
          disabled={waiting !== null}
          className="max-md:w-full"
        >
          提交提现申请
        </Button>
        <p className="text-12 text-ink-3">提交后这笔钱先冻结，财务审核后打款；打款失败将自动退回可用余额。</p>
      </div>
    </form>
  );
}
