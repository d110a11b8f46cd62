import { UserRound } from 'lucide-react';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { handoverDone } from '#contract/order.ts';
import { call } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { toast } from '#web/ui/toast-store.ts';
import { type Evidence, EvidenceBox } from './evidence-box.tsx';
import { asFailure, failureWords } from './failures.ts';
import type { HandoverStep } from './handover-card.tsx';
import { ClockNote, HandoverClock } from './handover-clock.tsx';
import { headline } from './handover-words.ts';
import { SealedBox, SealedFrame } from './sealed-box.tsx';
import { hasOnlyCodes, missingFields, SealedFields, type SealedValues } from './sealed-fields.tsx';

/** What the button says: it names what is done with it. */
function doneLabel(step: HandoverStep, seals: boolean): string {
  if (seals) return '封存并完成这一步';
  if (step.key === 'accept') return '我已验收';
  return '这一步我已完成';
}

/** What the one whose turn it is has to do: fill the sealed form, add the proof, and finish with one press. */
function Turn({ orderId, step }: { orderId: number; step: HandoverStep }) {
  const { revalidate } = useRevalidator();
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const [values, setValues] = useState<SealedValues>({});
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { sealed } = step;
  // Codes come while the step goes on and are sealed one by one; all else is sealed as the step is finished.
  const seals = sealed !== null && sealed.canSend && !sealed.sent && !hasOnlyCodes(sealed.fields);
  const done = async () => {
    const missing = seals ? missingFields(sealed.fields, values) : {};
    setErrors(missing);
    setError(null);
    if (Object.keys(missing).length > 0) return;
    if (step.needsEvidence && pictures.length === 0) return setError('请先上传这一步的截图');
    setBusy(true);
    try {
      const given = { orderId, step: step.step, pictures: pictures.map(({ key }) => key) };
      await call(handoverDone, { ...given, ...(seals && { fields: values }) }, { quiet: true });
      setValues({});
      toast(`${step.title}已完成`, 'ok');
      await revalidate();
    } catch (thrown) {
      setError(failureWords(asFailure(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="grid gap-3 px-4 py-3.5">
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
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-md:sticky max-md:bottom-0 max-md:z-2 max-md:-mx-4 max-md:border-t max-md:border-line-soft max-md:bg-panel max-md:px-4 max-md:py-2.5">
        <Button kind="primary" busy={busy} className="max-md:w-full" onClick={() => void done()}>
          {doneLabel(step, seals)}
        </Button>
        {error && (
          <p className="field-error" role="alert">
            {error}
          </p>
        )}
      </div>
    </div>
  );
}

/** The due act of a hand-over on top of its card: amber when it is the viewer's turn, white with a brand ring when it is not. */
export function DueAct({
  orderId,
  step,
  staffName,
}: {
  orderId: number;
  step: HandoverStep;
  staffName: string | null;
}) {
  return (
    <div className={cx('border-b', step.mine ? 'border-attn-line' : 'border-line')} role="group" aria-label="这一步">
      <div
        className={cx(
          'flex items-start gap-4 px-4 py-3.5',
          step.mine ? 'border-b border-attn-line bg-attn-bg' : 'bg-panel',
        )}
      >
        <div className="grid min-w-0 flex-1 gap-1">
          <h3 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-20 font-semibold">
            {headline(step)}
            <span
              className={cx(
                'inline-flex items-center gap-1 rounded-full border px-2 py-0.5 text-12 font-medium',
                step.mine ? 'border-attn-line bg-panel text-attn' : 'border-brand-200 bg-brand-25 text-brand-700',
              )}
            >
              <UserRound className="icon size-3.5" aria-hidden="true" />
              {step.mine ? '轮到您' : `轮到${step.actorName}`}
            </span>
          </h3>
          <p className="text-13 text-ink-2">
            {step.explain}
            {!step.mine && '。您现在不用做什么。'}
          </p>
          <p className="text-12 text-ink-3">
            <ClockNote due={step.dueTime} staffName={staffName} />
          </p>
        </div>
        {step.dueTime && <HandoverClock due={step.dueTime} minutes={step.minutes} />}
      </div>
      {step.mine && step.isReceipt ? (
        <p className="px-4 py-3.5 text-13 text-ink-2">
          核对无误后按「确认收货」，这一步随之完成，货款转给卖家；有问题请先申诉，不要确认。
        </p>
      ) : step.mine ? (
        <Turn orderId={orderId} step={step} />
      ) : (
        step.sealed &&
        (step.sealed.canOpen || step.sealed.canSend || step.sealed.sent) && (
          <div className="px-4 pb-3.5">
            <SealedBox orderId={orderId} step={step.step} sealed={step.sealed} />
          </div>
        )
      )}
    </div>
  );
}
