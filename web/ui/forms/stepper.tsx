import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../class-names.ts';

export interface Step {
  title: ReactNode;
  /** `plan` is a step of something that has not started yet. */
  state: 'done' | 'now' | 'todo' | 'plan';
  /** When it happened or is due, and other details. */
  note?: ReactNode;
}

/** A line of steps with their times; vertical on phones, unless it stays a `line` there. */
export function Stepper({ steps, label, line = false }: { steps: readonly Step[]; label: string; line?: boolean }) {
  return (
    <ol className={cx('steps', line ? 'steps-line' : 'steps-upright')} aria-label={label}>
      {steps.map((step, index) => (
        <li
          key={index}
          className={cx('step', step.state !== 'todo' && `step-${step.state}`)}
          aria-current={step.state === 'now' ? 'step' : undefined}
        >
          <span className="step-mark" aria-hidden="true">
            {step.state === 'done' ? <Check className="icon size-3" strokeWidth={3} /> : index + 1}
          </span>
          <b>{step.title}</b>
          {step.note}
        </li>
      ))}
    </ol>
  );
}
