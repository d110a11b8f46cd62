import { Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useRevalidator } from 'react-router';
import { handoverDone } from '#contract/order.ts';
import { handoverName } from '#contract/rules/order-status.ts';
import { call } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { toast } from '#web/ui/toast-store.ts';
import { type Evidence, EvidenceBox } from './evidence-box.tsx';
import { asFailure, failureWords } from './failures.ts';
import { doneWords } from './handover-words.ts';
import { Proof } from './proof.tsx';
import { SealedBox, type Sealed } from './sealed-box.tsx';
import { fullAt, minutesWords, shortAt } from './times.ts';

export interface HandoverStep {
  step: number;
  title: string;
  actorName: string;
  minutes: number;
  required: boolean;
  needsEvidence: boolean;
  secret: boolean;
  explain: string;
  state: 'done' | 'current' | 'waiting';
  mine: boolean;
  doneTime: string | null;
  doneBy: string | null;
  pictures: readonly { url: string; thumb: string }[];
  sealed: Sealed | null;
}

/** What the one whose turn it is has to do: fill the sealed form, add the proof, say that it is done. */
function Turn({ orderId, step }: { orderId: number; step: HandoverStep }) {
  const { revalidate } = useRevalidator();
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const done = async () => {
    if (step.needsEvidence && pictures.length === 0) return setError('请先上传这一步的截图');
    if (step.sealed?.canSend && !step.sealed.sent) return setError('请先提交密封信息');
    setBusy(true);
    setError(null);
    try {
      await call(handoverDone, { orderId, step: step.step, pictures: pictures.map(({ key }) => key) }, { quiet: true });
      toast(`${step.title}已完成`, 'ok');
      await revalidate();
    } catch (thrown) {
      setError(failureWords(asFailure(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <div className="grid gap-3 @min-[560px]:grid-cols-2">
        {step.sealed && <SealedBox orderId={orderId} step={step.step} sealed={step.sealed} />}
        {step.needsEvidence && <EvidenceBox pictures={pictures} onChange={setPictures} />}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button kind="primary" busy={busy} onClick={() => void done()}>
          这一步我已完成
        </Button>
        {error ? (
          <p className="field-error" role="alert">
            {error}
          </p>
        ) : (
          <p className="text-12 text-ink-3">超时不会自动判责，客服会先联系双方。</p>
        )}
      </div>
    </>
  );
}

function Mark({ step }: { step: HandoverStep }) {
  return (
    <span
      className={cx(
        'grid size-5 place-items-center rounded-full border text-12',
        step.state === 'done' && 'border-safe-line bg-safe-bg text-safe',
        step.state === 'current' && 'border-act bg-act text-ink-on',
        step.state === 'waiting' && 'border-line-strong text-ink-3',
      )}
      aria-hidden="true"
    >
      {step.state === 'done' ? <Check className="icon size-3" strokeWidth={2.5} /> : step.step}
    </span>
  );
}

const STATE_WORDS = { done: '已完成', current: '进行中', waiting: '未开始' } as const;

function StepRow({ orderId, step }: { orderId: number; step: HandoverStep }) {
  const current = step.state === 'current';
  const optional = !step.required && (
    <span className="ml-1.5 text-12 font-normal whitespace-nowrap text-ink-3">可跳过</span>
  );
  const sealedOpen = step.sealed && (step.sealed.canReveal || step.sealed.canSend || step.sealed.sent);
  return (
    <li
      className={cx(
        'grid grid-cols-[20px_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 border-b border-line-soft px-4 text-13 last:border-b-0 @min-[560px]:grid-cols-[20px_172px_minmax(0,1fr)_auto]',
        current ? 'bg-brand-25 py-3.5' : 'min-h-11 py-2',
      )}
      aria-current={current ? 'step' : undefined}
    >
      <Mark step={step} />
      <b className={cx('font-medium', current && 'text-14 font-semibold', step.state === 'waiting' && 'text-ink-2')}>
        {step.title}
        {optional}
        <span className="sr-only">，{STATE_WORDS[step.state]}</span>
      </b>
      <span className="row-start-2 col-span-2 col-start-2 text-ink-2 @min-[560px]:row-start-1 @min-[560px]:col-span-1 @min-[560px]:col-start-3">
        {current ? `${step.mine ? '轮到您' : `等待${step.actorName}`}：${step.explain}` : step.actorName}
      </span>
      <span className="text-12 whitespace-nowrap text-ink-3">
        {step.doneTime ? (
          <time dateTime={step.doneTime} title={`${fullAt(step.doneTime)} ${step.doneBy ?? ''}`}>
            {shortAt(step.doneTime)} 完成
          </time>
        ) : (
          minutesWords(step.minutes)
        )}
      </span>
      {(current && step.mine) || sealedOpen || step.pictures.length > 0 ? (
        <div className="col-span-full grid gap-3 @min-[560px]:col-start-2">
          {current && step.mine ? (
            <Turn orderId={orderId} step={step} />
          ) : (
            <>
              {step.sealed && sealedOpen && <SealedBox orderId={orderId} step={step.step} sealed={step.sealed} />}
              <Proof pictures={step.pictures} />
            </>
          )}
        </div>
      ) : null}
    </li>
  );
}

/** The hand-over of an order: each step, who acts, how long, and for the one whose turn it is what to do now. */
export function HandoverCard({
  orderId,
  typeId,
  steps,
  isOver = false,
  aside,
}: {
  orderId: number;
  /** The order's type: what is handed over is called by it. */
  typeId: number;
  steps: readonly HandoverStep[];
  /** The order was cancelled: nothing more is handed over, and only what was done is told. */
  isOver?: boolean;
  /** What stands at the right of the head: the limit. */
  aside?: ReactNode;
}) {
  if (steps.length === 0) return null;
  const shown = isOver ? steps.filter(({ state }) => state === 'done') : steps;
  return (
    <section className="panel @container overflow-hidden" aria-label={handoverName(typeId)}>
      <div className={cx('panel-head', shown.length === 0 && 'border-b-0')}>
        <h2>{handoverName(typeId)}</h2>
        <p className="min-w-0 truncate" aria-live="polite">
          {isOver ? `订单已取消，交付终止${shown.length > 0 ? `，此前完成 ${shown.length} 步` : ''}` : doneWords(steps)}
        </p>
        {aside && <span className="ml-auto flex-none text-12 text-ink-3">{aside}</span>}
      </div>
      <ol>
        {shown.map((step) => (
          <StepRow key={step.step} orderId={orderId} step={step} />
        ))}
      </ol>
    </section>
  );
}
