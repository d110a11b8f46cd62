import { Check, ShieldCheck, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { confirmRecGoods } from '#subjects/orders/contract/order.ts';
import { sellerNoun } from '../../../rules/order-types.ts';
import { protectionText } from '../../../rules/protection.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { HandoverStep } from '../handover/handover-step.ts';
import type { ActionOrder } from './action-kinds.ts';
import { hintEnd } from '../handover/exchange-text.ts';

/** The state of a step, below its name. */
function stepState(step: HandoverStep, isNeeded: boolean): string {
  if (step.skipped) return '您已跳过';
  if (step.doneTime) {
    const hint = step.exchange?.targetHint ? `，${hintEnd(step.exchange.targetHint)}` : '';
    return `${shortAt(step.doneTime)} 完成${hint}`;
  }
  return isNeeded ? `${step.actorName}还没有做` : `${step.actorName}还没有做，您选了不需要`;
}

function StepLine({
  step,
  isNeeded,
  onChoose,
}: {
  step: HandoverStep;
  isNeeded: boolean;
  onChoose: (needs: boolean) => void;
}) {
  const isDone = step.state === 'done' && !step.skipped;
  const isLeftOut = step.skipped || (step.state !== 'done' && !isNeeded);
  return (
    <li className="grid grid-cols-[22px_minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line-soft py-2.5">
      <span
        className={cx(
          'grid size-5.5 place-items-center rounded-full border-2 text-12',
          isDone && 'border-safe bg-safe text-panel',
          isLeftOut && 'border-dashed border-line-strong text-ink-4',
          !isDone && !isLeftOut && 'border-attn-dot',
        )}
        aria-hidden="true"
      >
        {isDone ? <Check className="icon size-3" strokeWidth={3} /> : isLeftOut && '–'}
      </span>
      <span className="grid min-w-0">
        <b className="font-semibold">{step.title}</b>
        <span className="text-12 text-ink-3">{stepState(step, isNeeded)}</span>
      </span>
      {step.state !== 'done' && (
        <span className="segments" role="group" aria-label={step.title}>
          <button type="button" aria-pressed={isNeeded} onClick={() => onChoose(true)}>
            等{step.mine ? '我' : step.actorName}做
          </button>
          <button type="button" aria-pressed={!isNeeded} onClick={() => onChoose(false)}>
            我不需要
          </button>
        </span>
      )}
    </li>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[72px_minmax(0,1fr)] gap-x-3">
      <dt className="text-ink-3">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/**
 * The confirmation of a receipt: the state of each step, the money with the end of its freeze, and the buyer's
 * remaining options. The buyer must wait for an open optional step or declare it unnecessary.
 */
export default function ReceiptDialog({
  order: { id: orderId, tradedTypeId, handover = [], fixEnsureId = 0, protection = null },
  receipt,
  label,
  question,
  onClose,
  onDone,
}: {
  order: ActionOrder;
  receipt: NonNullable<ActionOrder['receipt']>;
  /** The name of the action. */
  label: string;
  question: string;
  onClose: () => void;
  onDone: () => void;
}) {
  const [unneeded, setUnneeded] = useState<ReadonlySet<number>>(new Set());
  const { busy, error, send } = useMutation(confirmRecGoods, {
    // The key survives a reload: confirming again after a lost response gives the same result.
    intent: `confirm:${orderId}`,
    done: () => {
      toast('交易成功', 'ok');
      onDone();
    },
  });
  const steps = handover.filter(({ isReceipt }) => isReceipt !== true);
  const waited = steps.filter(({ state, step }) => state !== 'done' && !unneeded.has(step));
  const hasOpen = steps.some(({ state }) => state !== 'done');
  const choose = (step: number, needs: boolean) => {
    const next = new Set(unneeded);
    if (needs) next.delete(step);
    else next.add(step);
    setUnneeded(next);
  };
  const first = waited[0];
  const seller = sellerNoun(tradedTypeId);
  return (
    <Dialog
      title={label}
      onClose={onClose}
      footer={
        <>
          {first ? (
            <Button kind="primary" onClick={onClose}>
              先不收，等{first.title}
            </Button>
          ) : (
            <Button onClick={onClose}>再看看</Button>
          )}
          <Button
            kind={first ? 'plain' : 'primary'}
            busy={busy}
            disabled={first !== undefined}
            onClick={() => void send({ orderId })}
          >
            {label}
          </Button>
        </>
      }
    >
      <div className="grid gap-3 text-13">
        <p className="text-14 font-medium text-ink">{question}</p>
        {steps.length > 0 && (
          <ul aria-label="交付步骤">
            {steps.map((step) => (
              <StepLine
                key={step.step}
                step={step}
                isNeeded={!unneeded.has(step.step)}
                onChoose={(needs) => choose(step.step, needs)}
              />
            ))}
          </ul>
        )}
        <p
          className={cx(
            'flex items-start gap-2 rounded-control px-3 py-2',
            first ? 'bg-attn-bg text-attn' : 'bg-safe-bg text-safe',
          )}
          role="status"
        >
          {first ? (
            <TriangleAlert className="icon mt-0.5" aria-hidden="true" />
          ) : (
            <ShieldCheck className="icon mt-0.5" aria-hidden="true" />
          )}
          {first
            ? `还有 ${waited.length} 步没做也没跳过。确认后对方没有义务再做，建议等它完成。`
            : hasOpen || steps.length > 0
              ? '每一步都有了结果。确认不等于放款，钱还在平台。'
              : '确认不等于放款，钱还在平台。'}
        </p>
        <dl className="grid gap-1.5">
          <Line label="商品款">
            <Amount yuan={receipt.amount} /> 继续冻结到 <b>{fullAt(receipt.frozenUntil).slice(5)}</b>
          </Line>
          <Line label="期间">{protectionText(protection)}，申诉时冻结自动延长</Line>
          <Line label="期满">
            没有申诉才放款给{seller}
            {receipt.hasStages && `；${seller}有保证金的，部分会提前放出，不影响您的可退金额`}
          </Line>
          {fixEnsureId > 0 && <Line label="找回包赔">从现在起生效</Line>}
        </dl>
        <FormError>{error}</FormError>
      </div>
    </Dialog>
  );
}
