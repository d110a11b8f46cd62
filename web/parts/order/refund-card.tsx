import { useState } from 'react';
import { codes } from '#contract/codes.ts';
import type { Data } from '#contract/endpoint.ts';
import { type refundInfo, refundToSource } from '#contract/pay.ts';
import { useMutation } from '#web/lib/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { isError } from '#web/lib/call-errors.ts';
import { fullAt } from '#web/lib/times.ts';

type Info = Data<typeof refundInfo>;

const INTENT = 'refundToSource';
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
        退款已到可用余额。如需退回付款时的{info.channelName}账户，最多可退 <Amount yuan={info.refundable} />
        ，一般 1 至 3 个工作日到账。
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

/** Where a refund went: to the balance immediately, and from there to its source if the buyer requests it. */
export function RefundCard({ orderSn, info, onDone }: { orderSn: string; info: Info; onDone: () => void }) {
  if (info.refundable === '0.00' && info.list.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="refund">
      <div className="panel-head">
        <h2 id="refund">退款去向</h2>
      </div>
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
              <span className="text-12 text-ink-3">{r.reason}</span>
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
