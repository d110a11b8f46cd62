import { useState } from 'react';
import { codes } from '#contract/codes.ts';
import type { Data } from '#contract/endpoint.ts';
import { chooseRefundTarget, type refundInfo, refundToSource } from '#subjects/payments/contract/pay.ts';
import { RefundStatus } from '#contract/rules/statuses.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { isError } from '#web/lib/api/call-errors.ts';
import { fullAt } from '#web/lib/format/times.ts';

type Info = Data<typeof refundInfo>;

const INTENT = 'refundToSource';
/** Why a refund is on the balance. */
const STAYED = {
  none: '这部分退款在可用余额里。',
  chosen: '按您的选择，退款已到可用余额。',
  debt: '您有欠款，退款先到可用余额。',
  window: '',
} as const;
const WOULD_STAY = {
  chosen: '您已选择退到余额：取消或退款时马上到可用余额。',
  debt: '您有欠款未还清，退款先到余额；还清后可以原路退回。',
  window: '这笔付款已超过支付平台的退款期限，退款退到余额，可以提现。',
} as const;

const TONES = ['attn', 'safe', 'danger'] as const;

function SendOn({ orderSn, info, onDone }: { orderSn: string; info: Info; onDone: () => void }) {
  const [amount, setAmount] = useState(info.refundable);
  const { form, busy, errors, submit } = useMutation(refundToSource, {
    fields: ['amount'],
    intent: INTENT,
    failed: (failure) => (isError(failure, codes.PAY_AMOUNT, codes.BAD_INPUT) ? { amount: failure.msg } : undefined),
    done: () => {
      toast('已提交，将原路退回付款账户', 'ok');
      onDone();
    },
  });
  return (
    <form ref={form} className="grid gap-3 px-4 py-3" onSubmit={submit(() => ({ orderSn, amount: amount.trim() }))}>
      <p className="text-13 text-ink-2">
        {STAYED[info.stays ?? 'none']}可以退回付款时的{info.channelName}账户，最多 <Amount yuan={info.refundable} />，
        {info.arrival}。
      </p>
      <Field label="退回金额" required error={errors.amount}>
        {(control) => (
          <span className="flex gap-2">
            <Input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              value={amount}
              onChange={(event) => setAmount(event.target.value)}
            />
            <Button type="submit" className="h-auto! flex-none" busy={busy}>
              原路退回
            </Button>
          </span>
        )}
      </Field>
      <FormError>{errors.send}</FormError>
    </form>
  );
}

/** The destination of a refund, and the buyer's choice. */
function Target({ orderSn, info, total }: { orderSn: string; info: Info; total: string }) {
  const { send, busy } = useMutation(chooseRefundTarget, {
    toasts: true,
    revalidates: true,
    done: () => toast('已更改退款去向', 'ok'),
  });
  const isChosen = info.stays === 'chosen';
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <p className="min-w-0 flex-1 basis-72 text-13 text-ink-2">
        {info.stays === null ? (
          <>
            取消或退款时，{info.channelName}付的 <Amount yuan={info.channelPart} /> 原路退回，{info.arrival}
            {info.channelPart !== total && '；余额付的退到余额'}。
          </>
        ) : (
          WOULD_STAY[info.stays]
        )}
      </p>
      {info.canChoose && (
        <Button
          size="sm"
          className="flex-none"
          busy={busy}
          onClick={() => void send({ orderSn, toBalance: isChosen ? '0' : '1' })}
        >
          {isChosen ? '改为原路退回' : '改为退到余额'}
        </Button>
      )}
    </div>
  );
}

/**
 * Where the refund of an order goes: to the channel that paid it, or to the balance when the buyer chose that or the
 * channel is not available.
 */
export function RefundCard({
  orderSn,
  info,
  total,
  isOver,
  onDone,
}: {
  orderSn: string;
  info: Info;
  total: string;
  /** The order has ended: the only remaining choice is to forward a refund. */
  isOver: boolean;
  onDone: () => void;
}) {
  const isAhead = !isOver && info.channelPart !== '0.00' && info.list.length === 0;
  if (!isAhead && info.refundable === '0.00' && info.list.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="refund">
      <div className="panel-head">
        <h2 id="refund">退款去向</h2>
      </div>
      {isAhead && <Target orderSn={orderSn} info={info} total={total} />}
      {info.refundable !== '0.00' && <SendOn key={info.refundable} orderSn={orderSn} info={info} onDone={onDone} />}
      {info.list.length > 0 && (
        <ul aria-label="原路退回记录">
          {info.list.map((r) => (
            <li
              key={r.refundNo}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line-soft px-4 py-2.5 text-13 first:border-t-0"
            >
              <Amount yuan={r.amount} className="font-semibold" />
              <Tag tone={TONES[r.status as 0] ?? 'attn'}>{r.statusName}</Tag>
              <span className="text-12 text-ink-3">
                {r.status === RefundStatus.Failed
                  ? '支付平台没有接受（如付款账户已注销），钱在余额里，可以提现'
                  : r.status === RefundStatus.Pending
                    ? info.arrival
                    : r.reason}
              </span>
              <time dateTime={r.doneTime ?? r.createTime} className="ml-auto text-12 text-ink-3">
                {fullAt(r.doneTime ?? r.createTime)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
