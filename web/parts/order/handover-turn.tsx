import { UserRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { handoverDone } from '#contract/order.ts';
import { type OrderParty, stepHeadline, turnLabel } from '#contract/rules/order-text.ts';
import { useMutation } from '#web/lib/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { toast } from '#web/ui/toast-store.ts';
import { type Evidence, EvidenceBox } from './evidence-box.tsx';
import type { HandoverStep } from './handover-step.ts';
import { ClockNote, HandoverClock } from './handover-clock.tsx';
import { SealedBox, SealedFrame } from './sealed-box.tsx';
import { hasOnlyCodes, missingFields, SealedFields, type SealedValues } from './sealed-fields.tsx';

/** The label of the button, which names its effect. */
function doneLabel(step: HandoverStep, seals: boolean): string {
  if (seals) return '封存并完成这一步';
  if (step.key === 'accept') return '我已验收';
  return '这一步我已完成';
}

/** The form of the due step: the sealed fields, the evidence, and one button to finish. */
function Turn({ orderId, step }: { orderId: number; step: HandoverStep }) {
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const [values, setValues] = useState<SealedValues>({});
  const { sealed } = step;
  // One-time codes arrive during the step and are sealed one by one; everything else is sealed when the step is
  // finished.
  const seals = sealed !== null && sealed.canSend && !sealed.sent && !hasOnlyCodes(sealed.fields);
  const { busy, errors, error, send } = useMutation(handoverDone, {
    fields: (path) => (path.startsWith('fields.') ? path.slice('fields.'.length) : null),
    check: () => {
      const missing = seals ? missingFields(sealed.fields, values) : {};
      const needsPicture = Object.keys(missing).length === 0 && step.needsEvidence && pictures.length === 0;
      return needsPicture ? { send: '请先上传这一步的截图' } : missing;
    },
    revalidates: true,
    done: () => {
      setValues({});
      toast(`${step.title}已完成`, 'ok');
    },
  });
  const body = () => ({
    orderId,
    step: step.step,
    pictures: pictures.map(({ key }) => key),
    ...(seals && { fields: values }),
  });
  return (
    <div className="due-work grid gap-3 px-4 py-3.5">
      {seals && (
        <SealedFrame>
          <SealedFields
            fields={sealed.fields}
            values={values}
            errors={errors}
            onChange={(key, value) => setValues((before) => ({ ...before, [key]: value }))}
          />
        </SealedFrame>
      )}
      {sealed && !seals && <SealedBox orderId={orderId} step={step.step} sealed={sealed} />}
      {step.needsEvidence && <EvidenceBox pictures={pictures} onChange={setPictures} />}
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <div className="due-act">
        <Button kind="primary" busy={busy} className="max-md:w-full" onClick={() => void send(body())}>
          {doneLabel(step, seals)}
        </Button>
      </div>
    </div>
  );
}

/**
 * The due step as a headline, with whose turn it is and its clock: amber when it is the viewer's turn, white otherwise.
 */
export function DueHead({
  title,
  turn,
  mine,
  as: Heading,
  clock,
  children,
}: {
  title: string;
  /** Whose turn it is; absent when it is no party's. */
  turn?: string | undefined;
  mine: boolean;
  as: 'h1' | 'h3';
  clock?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div
      className={cx('flex items-start gap-4 px-4 py-3.5', mine ? 'border-b border-attn-line bg-attn-bg' : 'bg-panel')}
    >
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Heading className="text-20 font-semibold" aria-live={Heading === 'h1' ? 'polite' : undefined}>
            {title}
          </Heading>
          {turn && (
            <span
              className={cx(
                'inline-flex items-center gap-1 rounded-full border px-2 py-0.5 text-12 font-medium',
                mine ? 'border-attn-line bg-panel text-attn' : 'border-brand-200 bg-brand-25 text-brand-700',
              )}
            >
              <UserRound className="icon size-3.5" aria-hidden="true" />
              {turn}
            </span>
          )}
        </div>
        {children}
      </div>
      {clock}
    </div>
  );
}

/** What a step requires, and what happens when its time is over. */
export function StepNote({ step, staffName }: { step: HandoverStep; staffName: string | null }) {
  return (
    <>
      <p className="text-13 text-ink-2">
        {step.explain}
        {!step.mine && '。您现在不用做什么。'}
      </p>
      <p className="text-12 text-ink-3">
        <ClockNote due={step.dueTime} staffName={staffName} />
      </p>
    </>
  );
}

/** The form of the due step, or what was sealed in it. */
export function StepWork({ orderId, step }: { orderId: number; step: HandoverStep }) {
  const { sealed } = step;
  if (step.mine && step.isReceipt)
    return (
      <p className="px-4 py-3.5 text-13 text-ink-2">
        核对无误后按「确认收货」，这一步随之完成，货款转给卖家；有问题请先申诉，不要确认。
      </p>
    );
  if (step.mine) return <Turn orderId={orderId} step={step} />;
  if (!sealed || !(sealed.canOpen || sealed.canSend || sealed.sent)) return null;
  return (
    <div className="px-4 pb-3.5">
      <SealedBox orderId={orderId} step={step.step} sealed={sealed} />
    </div>
  );
}

/** The due action of a hand-over, at the top of its card. */
export function DueAction({
  orderId,
  typeId,
  step,
  viewer,
  staffName,
}: {
  orderId: number;
  typeId: number;
  step: HandoverStep;
  viewer: OrderParty;
  staffName: string | null;
}) {
  const { title, turn } = stepHeadline(step, typeId, viewer);
  return (
    <div className={cx('border-b', step.mine ? 'border-attn-line' : 'border-line')} role="group" aria-label="这一步">
      <DueHead
        title={title}
        turn={turn ? turnLabel(turn, viewer) : undefined}
        mine={step.mine}
        as="h3"
        clock={step.dueTime && <HandoverClock due={step.dueTime} minutes={step.minutes} />}
      >
        <StepNote step={step} staffName={staffName} />
      </DueHead>
      <StepWork orderId={orderId} step={step} />
    </div>
  );
}
