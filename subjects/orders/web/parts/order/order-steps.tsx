import { cx } from '#web/ui/class-names.ts';
import { type Step, Stepper } from '#web/ui/forms/stepper.tsx';
import { fullAt, shortAt } from '#web/lib/format/times.ts';

interface OrderStep {
  title: string;
  time: string | null;
  text: string;
  state: 'done' | 'current' | 'waiting' | 'failed';
}

const STATES = { done: 'done', current: 'now', waiting: 'todo', failed: 'now' } as const;

function stepOf({ title, time, text, state }: OrderStep): Step {
  const failed = state === 'failed';
  return {
    title: failed ? <span className="text-danger">{title}</span> : title,
    state: STATES[state],
    note: (
      <span className={cx('block', !failed && 'max-md:hidden')}>
        {time && (
          <time dateTime={time} title={fullAt(time)} className="block">
            {shortAt(time)}
          </time>
        )}
        {text && <span className={state === 'current' ? 'text-brand-700' : undefined}>{text}</span>}
      </span>
    ),
  };
}

/** The stages of an order from placing to release, with the time of each; on phones in one line without the times. */
export function OrderSteps({ steps }: { steps: readonly OrderStep[] }) {
  return <Stepper steps={steps.map(stepOf)} label="订单进度" line />;
}
