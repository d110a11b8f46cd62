import { AuthStatus } from '#contract/rules/statuses.ts';
import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator, useSearchParams } from 'react-router';
import { withdrawTerms } from '#subjects/payments/contract/pay.ts';
import { bindAccountNum } from '#subjects/verification/contract/payee.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import { SubmitButton, TextField } from '#subjects/accounts/web/parts/account/form-parts.tsx';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Radio } from '#web/ui/forms/input.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { loader as selfLoader } from '#subjects/accounts/center/self-loader.ts';
import { ChangePanel, underSecurity } from '#subjects/accounts/center/self-tabs.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const [self, { ways }] = await Promise.all([selfLoader(args), market(args).call(withdrawTerms, {})]);
  return { ...self, ways };
}

export const handle = underSecurity('收款账户');

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '收款账户', noindex: true });
}

const KINDS = [
  { type: 'alipay', name: '支付宝', field: 'aliAccount', label: '支付宝账号', hint: '手机号或邮箱' },
  { type: 'wechat', name: '微信', field: 'wxAccount', label: '微信号', hint: '微信号或绑定的手机号' },
  { type: 'bank', name: '银行卡', field: 'bankAccount', label: '银行卡号', hint: '本人的借记卡卡号' },
] as const;

type Kind = (typeof KINDS)[number];
type PayoutData = Awaited<ReturnType<typeof loader>>;
type Way = PayoutData['ways'][number];

function BoundAccounts({ user }: { user: PayoutData['user'] }) {
  return (
    <dl className="grid grid-cols-[96px_minmax(0,1fr)] gap-y-2 rounded-control bg-sunken px-4 py-3 text-13">
      {KINDS.map(({ type, name, field }) => (
        <div key={type} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className={user[field] ? '' : 'text-ink-3'}>{user[field] ?? '未绑定'}</dd>
        </div>
      ))}
    </dl>
  );
}

interface KindChoiceProps {
  kind: Kind;
  wayOf: (kind: Kind) => Way | undefined;
  onChoose: (kind: Kind) => void;
}

function KindChoice({ kind, wayOf, onChoose }: KindChoiceProps) {
  const closed = KINDS.filter((item) => wayOf(item)?.isOpen !== true);
  return (
    <fieldset className="field">
      <legend>账户类型</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {KINDS.map((item) => (
          <Radio
            key={item.type}
            name="accountType"
            value={item.type}
            checked={item === kind}
            disabled={closed.includes(item)}
            onChange={() => onChoose(item)}
          >
            {item.name}
          </Radio>
        ))}
      </div>
      <p className="field-help">
        {wayOf(kind)?.arrival}。
        {closed.length > 0 && `本站暂不支持提现到${closed.map(({ name }) => name).join('、')}。`}
      </p>
    </fieldset>
  );
}

/** Payouts go to the WeChat account bound for log-in, so the form has no field for it. */
function BoundWechat() {
  return (
    <p className="rounded-control bg-sunken px-4 py-3 text-13">
      打到您绑定的微信，在微信里确认收款。还没有绑定的，请先
      <Link to="/center/myself/security" className="link">
        绑定微信
      </Link>
      。
    </p>
  );
}

function PayoutForm({ data }: { data: PayoutData }) {
  const { user, ways } = data;
  const wayOf = (item: Kind) => ways.find(({ accountType }) => accountType === item.type);
  const open = KINDS.filter((item) => wayOf(item)?.isOpen === true);
  const { revalidate } = useRevalidator();
  const [query] = useSearchParams();
  const [kind, setKind] = useState<Kind>(open.find(({ type }) => type === query.get('type')) ?? open[0] ?? KINDS[0]);
  const isBound = wayOf(kind)?.isBoundAccount === true;
  const [usableFrom, setUsableFrom] = useState<string>();
  const state = useMutation(
    (form: HTMLFormElement, options) =>
      withStepUp('payee', () =>
        call(
          bindAccountNum,
          {
            accountType: kind.type,
            account: isBound ? undefined : typed(form, 'account').trim(),
            realName: typed(form, 'realName').trim(),
          },
          options,
        ),
      ),
    {
      draft: 'payout',
      fields: ['account', 'realName'],
      check: (form) => ({
        account: isBound || typed(form, 'account').trim().length >= 4 ? undefined : `请输入${kind.label}`,
        realName: typed(form, 'realName').trim().length >= 2 ? undefined : '请输入收款人姓名',
      }),
      done: (result, form) => {
        toast('收款账户已绑定', 'ok');
        setUsableFrom(Date.parse(result.usableFrom) > Date.now() ? result.usableFrom : undefined);
        form.reset();
        void revalidate();
        return false;
      },
    },
  );
  const { form, errors, busy, submit } = state;
  return (
    <>
      <BoundAccounts user={user} />
      {usableFrom && (
        <p className="rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn" role="status">
          为防止账号被盗，新账户 {fullAt(usableFrom)} 起可用于提现。
        </p>
      )}
      <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
        <KindChoice kind={kind} wayOf={wayOf} onChoose={setKind} />
        {isBound ? (
          <>
            <BoundWechat />
            <FormError>{errors.account}</FormError>
          </>
        ) : (
          <TextField
            label={kind.label}
            name="account"
            holds="accountId"
            autoComplete="off"
            maxLength={64}
            placeholder={kind.hint}
            error={errors.account}
            help={user[kind.field] ? `将替换已绑定的 ${user[kind.field]}，24 小时后可用于提现。` : undefined}
          />
        )}
        <TextField
          label="收款人姓名"
          name="realName"
          autoComplete="name"
          maxLength={32}
          placeholder={user.realNameMask ?? ''}
          error={errors.realName}
          help={`须与实名认证姓名 ${user.realNameMask ?? ''} 一致。`}
        />
        <FormError>{errors.send}</FormError>
        <SubmitButton busy={busy}>绑定</SubmitButton>
        <p className="text-12 text-ink-3">提交时先验证身份：支付密码，或发到您手机的验证码。</p>
      </form>
    </>
  );
}

/** The payout accounts: one of each kind, all in the verified person's name. */
export default function PayoutPage() {
  const data = useLoaderData<typeof loader>();
  const isClosed = data.ways.every(({ isOpen }) => !isOpen);
  return (
    <ChangePanel title="收款账户" isForm={data.user.authStatus === AuthStatus.Verified && !isClosed}>
      {isClosed ? (
        <EmptyState title="本站暂未开通提现" action={<ButtonLink to="/center/mywallets">查看钱包</ButtonLink>}>
          开通后可在这里绑定收款账户，余额不受影响。
        </EmptyState>
      ) : data.user.authStatus === AuthStatus.Verified ? (
        <PayoutForm data={data} />
      ) : (
        <EmptyState
          title="先完成实名认证"
          action={
            <ButtonLink
              kind="primary"
              to="/center/myself/identityAuthentication?returnUrl=%2Fcenter%2Fmyself%2FchangeAliAccount"
            >
              去实名认证
            </ButtonLink>
          }
        >
          提现只能打到实名本人的账户，认证约 1 分钟。
        </EmptyState>
      )}
    </ChangePanel>
  );
}
