import { Check } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { handoverName, isService } from '../../../rules/order-types.ts';
import type { OrderParty } from '../../../rules/order-party.ts';
import type { Protection } from '../../../rules/protection.ts';
import { handoverSkip } from '#subjects/orders/contract/order.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { cx } from '#web/ui/class-names.ts';
import { DueAction } from './handover-turn.tsx';
import { doneText } from './handover-text.ts';
import { type Opening, OpeningsList } from './openings-list.tsx';
import { Proof } from './proof.tsx';
import type { HandoverStep } from './handover-step.ts';
import { SealedBox } from './sealed-box.tsx';
import { fullAt, minutesText, shortAt } from '#web/lib/format/times.ts';

/** A step that is unnecessary because of the listing's attributes. */
export interface RuledOutStep {
  afterStep: number;
  key: string;
  title: string;
  reason: string;
}

function StepIcon({ step }: { step: HandoverStep }) {
  return (
    <span
      className={cx(
        'grid size-5 place-items-center rounded-full border text-12',
        step.state === 'done' && !step.skipped && 'border-safe-line bg-safe-bg text-safe',
        step.skipped && 'border-dashed border-line-strong text-ink-4',
        step.state === 'current' && 'border-act bg-act text-ink-on',
        step.state === 'waiting' && 'border-line-strong text-ink-3',
      )}
      aria-hidden="true"
    >
      {step.skipped ? '–' : step.state === 'done' ? <Check className="icon size-3" strokeWidth={2.5} /> : step.step}
    </span>
  );
}

const STATE_LABELS = { done: '已完成', current: '进行中', waiting: '未开始' } as const;
const ROW =
  'grid min-h-11 grid-cols-[20px_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 border-b border-line-soft px-4 py-2 text-13 last:border-b-0 @min-[560px]:grid-cols-[20px_172px_minmax(0,1fr)_auto]';

/** The end of a row: when the step was done, that it is running, or how long it takes. */
function RowTime({ step }: { step: HandoverStep }) {
  if (step.skipped && step.doneTime) return <time dateTime={step.doneTime}>{shortAt(step.doneTime)} 跳过</time>;
  if (step.doneTime)
    return (
      <time dateTime={step.doneTime} title={`${fullAt(step.doneTime)} ${step.doneBy ?? ''}`}>
        {shortAt(step.doneTime)} 完成
      </time>
    );
  if (step.state === 'current') return <b className="font-medium text-attn">{step.mine ? '轮到您' : '进行中'}</b>;
  return step.minutes > 0 && <>{minutesText(step.minutes)}</>;
}

/** The buyer skips an optional step. */
function SkipButton({ orderId, step }: { orderId: number; step: HandoverStep }) {
  const { busy, send } = useMutation(handoverSkip, {
    toasts: true,
    revalidates: 'always',
    done: () => toast(`已跳过${step.title}`, 'ok'),
  });
  return (
    <Button size="sm" busy={busy} onClick={() => void send({ orderId, step: step.step })}>
      不需要，跳过
    </Button>
  );
}

function StepRow({ orderId, step }: { orderId: number; step: HandoverStep }) {
  const current = step.state === 'current';
  const { sealed } = step;
  // The due action is displayed above; a form sealed earlier stays accessible.
  const showSealed = !current && sealed !== null && (sealed.canOpen || sealed.sent);
  return (
    <li className={cx(ROW, current && 'bg-brand-25')} aria-current={current ? 'step' : undefined}>
      <StepIcon step={step} />
      <b className={cx('font-medium', current && 'font-semibold', step.state === 'waiting' && 'text-ink-2')}>
        <span className="mr-1.5">{step.title}</span>
        {!step.required && step.state !== 'done' && (
          <span className="text-12 font-normal whitespace-nowrap text-ink-3">可跳过</span>
        )}
        <span className="sr-only">，{STATE_LABELS[step.state]}</span>
      </b>
      <span className="col-span-2 col-start-2 row-start-2 text-ink-2 @min-[560px]:col-span-1 @min-[560px]:col-start-3 @min-[560px]:row-start-1">
        {step.mine ? '您' : step.actorName}
      </span>
      <span className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1 text-12 whitespace-nowrap text-ink-3">
        <RowTime step={step} />
        {step.canSkip && <SkipButton orderId={orderId} step={step} />}
      </span>
      {(showSealed || step.pictures.length > 0) && (
        <div className="col-span-full grid gap-3 @min-[560px]:col-start-2">
          {showSealed && <SealedBox orderId={orderId} step={step.step} sealed={sealed} />}
          <Proof pictures={step.pictures} />
        </div>
      )}
    </li>
  );
}

/**
 * The completed steps that are collapsed into one row: two or more, except forms that the viewer can still open or seal
 * again.
 */
function foldedSteps(steps: readonly HandoverStep[]): readonly HandoverStep[] {
  const done = steps.filter(
    ({ state, sealed }) => state === 'done' && !sealed?.canOpen && !sealed?.canSend && !sealed?.openReason,
  );
  return done.length > 1 ? done : [];
}

/** A step that is unnecessary for this listing: dashed, without a number, with the reason. */
function RuledOutRow({ step }: { step: RuledOutStep }) {
  return (
    <li className={ROW}>
      <span
        className="grid size-5 place-items-center rounded-full border border-dashed border-line-strong text-12 text-ink-4"
        aria-hidden="true"
      >
        –
      </span>
      <span className="text-ink-3">{step.title}</span>
      <span className="col-span-2 col-start-2 row-start-2 text-12 text-ink-3 @min-[560px]:col-span-1 @min-[560px]:col-start-3 @min-[560px]:row-start-1">
        {step.reason}
      </span>
      <span className="text-12 text-ink-3">不适用</span>
    </li>
  );
}

/**
 * The hand-over of an order: the due action with its clock at the top, each step, unnecessary steps, and the openings
 * of sealed forms.
 */
export function HandoverCard({
  orderId,
  typeId,
  steps,
  ruledOut = [],
  openings = [],
  due: withDue,
  isOver = false,
  aside,
  children,
}: {
  orderId: number;
  /** The goods type of what is traded; it determines the title of the hand-over. */
  typeId: number;
  steps: readonly HandoverStep[];
  ruledOut?: readonly RuledOutStep[];
  openings?: readonly Opening[];
  /** The due action at the top; absent where the page displays it elsewhere. */
  due?: { viewer: OrderParty; staffName: string | null; protection: Protection | null } | false;
  /** The order was cancelled: nothing more is handed over, and only completed steps are listed. */
  isOver?: boolean;
  /** Right end of the header: the limit. */
  aside?: ReactNode;
  /** Content between the header and the steps. */
  children?: ReactNode;
}) {
  if (steps.length === 0) return null;
  const visible = isOver ? steps.filter(({ state }) => state === 'done') : steps;
  const due = isOver ? undefined : steps.find(({ state }) => state === 'current');
  const folded = foldedSteps(visible);
  const behind = (step: number) => (isOver ? [] : ruledOut.filter(({ afterStep }) => afterStep === step));
  const rowOf = (step: HandoverStep) => (
    <Fragment key={step.step}>
      <StepRow orderId={orderId} step={step} />
      {behind(step.step).map((out) => (
        <RuledOutRow key={out.key} step={out} />
      ))}
    </Fragment>
  );
  return (
    <section
      className={cx('panel @container', withDue && due && (due.mine ? 'border-attn-line' : 'border-brand-200'))}
      aria-label={handoverName(typeId)}
    >
      <div className={cx('panel-head', visible.length === 0 && 'border-b-0')}>
        <h2>{handoverName(typeId)}</h2>
        <p className="min-w-0 truncate" aria-live="polite">
          {!isService(typeId) &&
            (isOver
              ? `订单已取消，交付终止${visible.length > 0 ? `，此前完成 ${visible.length} 步` : ''}`
              : doneText(steps))}
        </p>
        {aside && <span className="ml-auto flex-none text-12 text-ink-3">{aside}</span>}
      </div>
      {due && withDue && <DueAction key={due.step} orderId={orderId} typeId={typeId} step={due} {...withDue} />}
      {children}
      <ol aria-label="交付步骤">
        {behind(0).map((step) => (
          <RuledOutRow key={step.key} step={step} />
        ))}
        {folded.length > 0 && (
          <li className="border-b border-line-soft last:border-b-0">
            <details>
              <summary className="flex min-h-11 cursor-pointer items-center gap-3 px-4 text-13 text-ink-2">
                <Check className="icon text-safe" aria-hidden="true" />
                已完成的 {folded.length} 步<span className="link ml-auto text-12">查看</span>
              </summary>
              <ol className="border-t border-line-soft" aria-label="已完成的步骤">
                {folded.map(rowOf)}
              </ol>
            </details>
          </li>
        )}
        {visible.filter((step) => !folded.includes(step)).map(rowOf)}
      </ol>
      <OpeningsList openings={openings} />
    </section>
  );
}
