import { CircleAlert, CircleCheck, Clock, MonitorSmartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import { PaymentStatus } from '#contract/rules/statuses.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { BrowserSteps } from '#web/parts/wechat/browser-steps.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Price } from '#web/ui/price.tsx';
import type { CashierData, loader as cashierLoader } from './cashier-loader.ts';
import { type CashierState, useCashier } from './use-cashier.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '收银台', noindex: true });
}

export { loader } from './cashier-loader.ts';

const APPS = { wechat: '微信', alipay: '支付宝', phone: '', desktop: '' } as const;

/** The next step on a phone, with an icon. */
function Note({ icon, title, children }: { icon: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-2 text-center">
      <span className="text-ink-3" aria-hidden="true">
        {icon}
      </span>
      <p className="text-14 font-medium" role="status">
        {title}
      </p>
      {children}
    </div>
  );
}

/** How to open this page in the phone's browser: the current app cannot reach the channel. */
function Leave({ payment, address }: Pick<CashierData, 'payment' | 'address'>) {
  const app = APPS[payment.place];
  return (
    <div className="grid gap-4">
      <p className="text-center text-14 font-medium" role="status">
        {app}里打不开{payment.channelName}，请换到手机浏览器付款
      </p>
      <BrowserSteps steps={['选“在浏览器打开”', `浏览器里会自动打开${payment.channelName}，不用再登录`]} />
      <Button kind="primary" size="lg" onClick={() => void copyText(address)}>
        复制付款链接
      </Button>
      <p className="text-center text-12 text-ink-3">也可以把链接粘贴到手机浏览器里打开</p>
    </div>
  );
}

const TEXTS: Readonly<Record<CashierState['stage'], string>> = {
  opening: '正在打开',
  asked: '付款后请回到这里，结果自动更新',
  confirming: '付款已提交，正在确认结果',
  cancelled: '您取消了付款，没有扣款',
  failed: '没有打开付款窗口，请重试',
  timedOut: '还没有收到付款结果',
};

/** Opens the channel and waits for the result. */
function Open({ payment, state }: { payment: CashierData['payment']; state: CashierState }) {
  const { stage, busy, error, open, recheck } = state;
  const isWaiting = stage === 'asked' || stage === 'confirming';
  return (
    <div className="grid gap-3">
      <p className="text-center text-13 font-medium" role="status">
        {stage === 'opening' ? `正在打开${payment.channelName}` : TEXTS[stage]}
        {(isWaiting || (stage === 'opening' && busy)) && (
          <span className="spinner ml-2 align-[-2px] text-ink-3" aria-hidden="true" />
        )}
      </p>
      <FormError className="justify-center">{error}</FormError>
      <Button kind={isWaiting ? 'plain' : 'primary'} size="lg" busy={busy} onClick={open}>
        {stage === 'opening' && !error ? `打开${payment.channelName}` : `重新打开${payment.channelName}`}
      </Button>
      {stage !== 'opening' && (
        <Button kind={isWaiting ? 'primary' : 'plain'} size="lg" onClick={recheck}>
          我已付款，查询结果
        </Button>
      )}
    </div>
  );
}

const ENDS: Readonly<Record<number, string>> = {
  [PaymentStatus.Paid]: '付款成功',
  [PaymentStatus.Closed]: '这笔付款已关闭，没有扣款',
  [PaymentStatus.PaidLate]: '付款到账较晚，金额会自动退回',
} satisfies Record<Exclude<PaymentStatus, typeof PaymentStatus.Pending>, string>;

/** The content for the current browser and the payment's state. */
function Body({ data, state }: { data: CashierData; state: CashierState }) {
  const { payment } = data;
  const end = ENDS[state.status];
  if (end !== undefined)
    return (
      <Note
        icon={
          state.status === PaymentStatus.Paid ? (
            <CircleCheck className="icon size-12 text-safe" strokeWidth={1.5} />
          ) : (
            <CircleAlert className="icon size-12 text-attn" strokeWidth={1.5} />
          )
        }
        title={end}
      />
    );
  if (state.isExpired)
    return <Note icon={<Clock className="icon size-12" strokeWidth={1.5} />} title="这笔付款已过期，请重新发起" />;
  if (payment.mustLeave) return <Leave payment={payment} address={data.address} />;
  const isHere = payment.way === 'jsapi' ? payment.place === 'wechat' : payment.place !== 'desktop';
  if (payment.way === 'qr' || !isHere)
    return (
      <Note
        icon={<MonitorSmartphone className="icon size-12" strokeWidth={1.25} />}
        title={payment.way === 'qr' ? '这笔付款请回到电脑上扫码完成' : '这笔付款请在手机上打开'}
      >
        <p className="text-12 text-ink-3">或返回原页面，更换支付方式</p>
      </Note>
    );
  return <Open payment={payment} state={state} />;
}

/** The page where a phone opens the payment channel. The URL is enough, so it also works in another browser without a log-in. */
export default function CashierPage() {
  const data = useLoaderData<typeof cashierLoader>();
  const state = useCashier(data);
  const { payment, now } = data;
  const isOver = ENDS[state.status] !== undefined;
  return (
    <section className="panel w-full max-w-100 overflow-hidden" aria-labelledby="cashier">
      <div className="grid justify-items-center gap-2 px-4 py-6 text-center">
        <h1 id="cashier" className="text-13 font-normal text-ink-2">
          {payment.subject}
        </h1>
        <Price yuan={payment.amount} size="xl" />
        {!isOver && !state.isExpired && (
          <p className="text-12 text-ink-3">
            请在 <Countdown until={payment.expireTime} now={now} onEnd={state.expire} /> 内付款
          </p>
        )}
      </div>
      <div className="grid gap-4 border-t border-line-soft px-4 py-5">
        <Body data={data} state={state} />
        <a href={payment.backUrl} className={buttonClass({ kind: isOver ? 'primary' : 'ghost', size: 'lg' })}>
          {isOver ? '返回查看' : '返回原页面'}
        </a>
      </div>
    </section>
  );
}
