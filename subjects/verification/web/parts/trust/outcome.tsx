import { CircleCheck, CircleHelp, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '#web/ui/class-names.ts';

const STYLES = {
  good: ['border-safe-line bg-safe-bg', 'text-safe', CircleCheck],
  bad: ['border-danger-line bg-danger-bg', 'text-danger', CircleX],
  unknown: ['border-attn-line bg-attn-bg', 'text-attn', CircleHelp],
} as const;

/** The result of a check, also announced to screen readers; `children` explain the consequences. */
export function Outcome({ tone, text, children }: { tone: keyof typeof STYLES; text: string; children?: ReactNode }) {
  const [background, ink, Icon] = STYLES[tone];
  return (
    <div className={cx('grid gap-2 rounded-control border px-3 py-2.5', background)}>
      <p className={cx('flex items-start gap-2 font-semibold', ink)}>
        <Icon className="icon mt-0.5 size-5" strokeWidth={1.75} aria-hidden="true" />
        {text}
      </p>
      {children && <div className="grid gap-1.5 pl-7 text-13 text-ink-2">{children}</div>}
    </div>
  );
}
