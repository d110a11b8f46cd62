import { useEffect, useState } from 'react';
import { staffLabel } from '../../../rules/order-text.ts';
import { leftText } from '#web/ui/countdown.tsx';
import { cx } from '#web/ui/class-names.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';

const RADIUS = 26;
const ROUND = 2 * Math.PI * RADIUS;
/** The last minutes are displayed in red. */
const LAST_SECONDS = 180;
/** Below this a time is shown in seconds, above it in hours. */
const SHORT_SECONDS = 100 * 60;

/** Whole seconds until a moment, negative once it has passed; undefined until hydration. */
function useSecondsTo(due: string): number | undefined {
  const [seconds, setSeconds] = useState<number | undefined>(undefined);
  useEffect(() => {
    const tick = () => setSeconds(Math.floor((Date.parse(due) - Date.now()) / 1000));
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [due]);
  return seconds;
}

/**
 * The remaining time of the due step, as a ring; before hydration the time of day. Long times are displayed as text
 * next to it.
 */
export function HandoverClock({ due, minutes }: { due: string; minutes: number }) {
  const seconds = useSecondsTo(due);
  const isKnown = seconds !== undefined;
  const left = Math.max(0, seconds ?? minutes * 60);
  const over = isKnown && seconds <= 0;
  // The ring is empty until the clock runs: the server cannot know how long the page takes to arrive.
  const share = isKnown ? Math.min(1, left / (minutes * 60)) : 0;
  const isShort = left < SHORT_SECONDS;
  return (
    <span
      className="relative grid size-16 flex-none place-items-center"
      title={`${fullAt(due)} 前完成`}
      role="timer"
      aria-label={over ? '已超时' : isKnown ? `剩余 ${leftText(left)}` : `${fullAt(due)} 前完成`}
    >
      <svg viewBox="0 0 60 60" className="absolute inset-0 size-full -rotate-90" aria-hidden="true">
        <circle cx="30" cy="30" r={RADIUS} fill="none" strokeWidth="4" className="stroke-line" />
        <circle
          cx="30"
          cy="30"
          r={RADIUS}
          fill="none"
          strokeWidth="4"
          strokeLinecap="round"
          strokeDasharray={`${share * ROUND} ${ROUND}`}
          className={left < LAST_SECONDS ? 'stroke-danger' : 'stroke-attn-dot'}
        />
      </svg>
      <span className="grid text-center leading-title">
        <b className={cx('text-13 tabular-nums', left < LAST_SECONDS && 'text-danger')}>
          {over
            ? '超时'
            : !isKnown
              ? shortAt(due).slice(6)
              : isShort
                ? leftText(left)
                : `${Math.ceil(left / 3600)} 小时`}
        </b>
        {!over && <span className="text-11 text-ink-3">{isKnown ? '剩余' : '前'}</span>}
      </span>
    </span>
  );
}

/**
 * The remaining time of a step as text: 18:42, 3 小时, or that it is over; before hydration the time of day. `before`
 * precedes a time only, `after` follows what is shown.
 */
export function StepLeft({ due, before = '', after = '' }: { due: string; before?: string; after?: string }) {
  const seconds = useSecondsTo(due);
  if (seconds === undefined)
    return (
      <span className="flex-none tabular-nums">
        {shortAt(due)} 前{after}
      </span>
    );
  if (seconds <= 0) return <span className="flex-none">已超时{after}</span>;
  return (
    <span className="flex-none tabular-nums">
      {before}
      {seconds < SHORT_SECONDS ? leftText(seconds) : `${Math.ceil(seconds / 3600)} 小时`}
      {after}
    </span>
  );
}

/** Shows the effect of the deadline, or a message that it has passed. */
export function ClockNote({ due, staffName }: { due: string | null; staffName: string | null }) {
  const seconds = useSecondsTo(due ?? '2100-01-01T00:00:00Z');
  const staff = staffLabel(staffName);
  if (due === null) return <>申诉处理中，计时已停。</>;
  return seconds !== undefined && seconds <= 0 ? (
    <>已超时，{staff}正在联系双方；这一步仍可继续。</>
  ) : (
    <>
      {shortAt(due)} 前完成，双方和{staff}看到同一个时间；超时由{staff}联系双方，不会直接判违约。
    </>
  );
}
