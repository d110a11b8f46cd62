import { CircleAlert, CircleCheck, ExternalLink } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { Price } from '#web/ui/price.tsx';
import { payPage } from './pay-page.ts';
import type { Payment, PaymentState } from './use-payment.ts';

const TEXTS: Readonly<Record<PaymentState, string>> = {
  waiting: '等待付款，付款后本页自动更新',
  timedOut: '还没有收到付款结果',
  paid: '付款成功',
  closed: '这笔付款没有成功，没有扣款',
  late: '付款到账时订单已关闭，金额会自动退回，可在账单里查到',
};

/** The code to scan; the outcome covers it once known. */
function Code({ payment, channelName, isOver, isPaid }: CodeProps) {
  return (
    <div className="relative size-50 rounded-control border border-line bg-white p-2">
      {/* The server renders the code; as an image it cannot run scripts. */}
      <img
        src={`data:image/svg+xml;utf8,${encodeURIComponent(payment.qrSvg)}`}
        width={182}
        height={182}
        alt={`${channelName}付款二维码`}
        className={isOver || isPaid ? 'opacity-10' : undefined}
      />
      {(isOver || isPaid) && (
        <span className="absolute inset-0 grid place-items-center" aria-hidden="true">
          <Outcome isPaid={isPaid} />
        </span>
      )}
    </div>
  );
}

interface CodeProps {
  payment: Payment;
  channelName: string;
  isOver: boolean;
  isPaid: boolean;
}

const Outcome = ({ isPaid }: { isPaid: boolean }) =>
  isPaid ? (
    <CircleCheck className="icon size-12 text-safe" strokeWidth={1.5} />
  ) : (
    <CircleAlert className="icon size-12 text-attn" strokeWidth={1.5} />
  );

/** A pending payment: the code to scan, or on a phone the link to the channel; the amount, the time left, and the automatically updated state. */
export function PayCode({
  payment,
  state,
  looking,
  serverNow,
  back,
  channelName,
  onRecheck,
  onAgain,
}: {
  payment: Payment;
  state: PaymentState;
  looking: boolean;
  /** Returns the server's time. */
  serverNow: () => string;
  /** This page's own URL. */
  back: string;
  channelName: string;
  onRecheck: () => void;
  /** Returns to the choice of a payment method. */
  onAgain: () => void;
}) {
  const [expired, setExpired] = useState(false);
  // The countdown needs the server's time at which it was first rendered.
  const [since] = useState(serverNow);
  const onEnd = useCallback(() => setExpired(true), []);
  const isScanned = payment.goUrl === null;
  const page = payment.goUrl ?? payPage(payment.qrText, back);
  const ended = state === 'closed' || state === 'late';
  const isPaid = state === 'paid';
  const over = ended || (expired && !isPaid);
  return (
    <div className="grid justify-items-center gap-3 px-4 py-6 text-center">
      <p className="text-13 text-ink-2">
        {channelName}
        {isScanned && '扫码支付'}
      </p>
      <Price yuan={payment.amount} size="xl" />
      {isScanned ? (
        <Code payment={payment} channelName={channelName} isOver={over} isPaid={isPaid} />
      ) : (
        (over || isPaid) && (
          <span aria-hidden="true">
            <Outcome isPaid={isPaid} />
          </span>
        )
      )}
      <p className="text-13 font-medium" role="status">
        {over && !ended ? (isScanned ? '二维码已过期' : '这笔付款已过期') : TEXTS[state]}
        {state === 'waiting' && !over && <span className="spinner ml-2 align-[-2px] text-ink-3" aria-hidden="true" />}
      </p>
      {!over && !isPaid && (
        <p className="text-12 text-ink-3">
          {isScanned ? '二维码将在' : '请在'} <Countdown until={payment.expireTime} now={since} onEnd={onEnd} />{' '}
          {isScanned ? '后失效' : '内付款'}
        </p>
      )}
      <div className="flex flex-wrap justify-center gap-2">
        {page && !over && !isPaid && (
          <a href={page} className={buttonClass({ kind: isScanned || state === 'timedOut' ? 'tonal' : 'primary' })}>
            <ExternalLink className="icon" aria-hidden="true" />
            {isScanned ? '在本机支付' : '去付款'}
          </a>
        )}
        {state === 'timedOut' && (
          <Button kind="primary" busy={looking} onClick={onRecheck}>
            我已付款，重新查询
          </Button>
        )}
        {!isPaid && <Button onClick={onAgain}>{over ? '重新付款' : '更换支付方式'}</Button>}
      </div>
    </div>
  );
}
