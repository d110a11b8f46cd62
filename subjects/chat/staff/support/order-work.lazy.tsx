import { Check, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { staffOrderDetail } from '#subjects/orders/contract/staff-orders.ts';
import type { Data } from '#contract/endpoint.ts';
import { isInProgress } from '#subjects/orders/rules/order-status.ts';
import { Button } from '#web/ui/button.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { AdminHandover } from '#subjects/orders/staff/order/handover.tsx';
import { OrderReload } from '#subjects/orders/staff/order/reload.ts';
import { usePanel } from '#subjects/back-office/staff/parts/use-panel.ts';
import { insertInto } from './forms/inserters.ts';
import { checkText, readingState } from './forms/reading-check.ts';

type Order = Data<typeof staffOrderDetail>;

/**
 * Compares the listing's values with the agent's readings from the account. The readings stay on this screen; the
 * result is posted into the conversation, visible to both parties and in a later dispute.
 */
function ReadingCheck({ groupId, attrs }: { groupId: string; attrs: Order['attrs'] }) {
  const [found, setFound] = useState<Readonly<Record<string, string>>>({});
  /** The readings included in the message. */
  const [written, setWritten] = useState(found);
  const read = (label: string, text: string) => setFound((now) => ({ ...now, [label]: text }));
  const done = attrs.filter(({ label }) => found[label]?.trim()).length;
  return (
    <section className="work-check" aria-label="核对">
      <h3>
        核对
        <span>
          商品页与实际，{done} / {attrs.length}
        </span>
      </h3>
      <ul>
        {attrs.map(({ label, value }) => {
          const state = readingState(value, found[label] ?? '');
          return (
            <li key={label}>
              <span>{label}</span>
              <button type="button" title="与商品页一致" onClick={() => read(label, value)}>
                {value}
              </button>
              <Input
                small
                aria-label={`${label}的实际内容`}
                placeholder="实际"
                maxLength={40}
                data-kept={found === written}
                value={found[label] ?? ''}
                onChange={(event) => read(label, event.target.value)}
              />
              {state === 'same' && <Check className="icon size-3.5 text-safe" aria-label="一致" />}
              {state === 'other' && <TriangleAlert className="icon size-3.5 text-danger" aria-label="不一致" />}
            </li>
          );
        })}
      </ul>
      <p className="flex gap-2">
        <Button
          size="sm"
          disabled={done === 0}
          onClick={() => {
            insertInto(groupId, checkText(attrs, found));
            setWritten(found);
          }}
        >
          结果写进回复
        </Button>
        {done > 0 && (
          <Button size="sm" kind="ghost" onClick={() => setFound({})}>
            清空
          </Button>
        )}
      </p>
    </section>
  );
}

/** The steps of the order with the sealed forms, and the checklist, next to the conversation about it. */
export default function OrderWork({ groupId, orderSn }: { groupId: string; orderSn: string }) {
  const { data: order, failure, reload } = usePanel(staffOrderDetail, { orderSn });
  if (!order)
    return failure === null ? <Skeleton className="m-3 h-40" /> : <ErrorState message={failure} onRetry={reload} />;
  return (
    <OrderReload value={reload}>
      <div className="work-steps">
        <AdminHandover order={order} isBeside />
      </div>
      {order.isAssigned && order.attrs.length > 0 && isInProgress(order.status) && (
        <ReadingCheck groupId={groupId} attrs={order.attrs} />
      )}
    </OrderReload>
  );
}
