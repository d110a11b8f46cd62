import { cx } from '#web/ui/class-names.ts';
import { Countdown } from '#web/ui/countdown.tsx';
import { shortAt } from '#web/lib/format/times.ts';

export interface Clock {
  day: number;
  days: number;
  lastAction: string;
  lastTime: string;
  deadline: string | null;
  lookBy: string | null;
  /** After the chase, when two members of staff decide: the deadline, and why. */
  decideBy: string | null;
  why: string;
}

const DAY_MS = 86_400_000;

/** When the next automatic step happens. */
function Next({ clock, now }: { clock: Clock; now: string }) {
  const { deadline, lookBy, decideBy } = clock;
  const at = decideBy ?? deadline ?? lookBy;
  if (!at) return null;
  const soon = Date.parse(at) - Date.parse(now) < DAY_MS;
  return (
    <span>
      {decideBy || deadline ? soon && '剩 ' : '须在 '}
      {soon ? <Countdown until={at} now={now} /> : shortAt(at)}{' '}
      {decideBy
        ? '前由两名工作人员裁定'
        : deadline
          ? '未追回的自动赔付或转人工裁定'
          : `${soon ? '内' : '前'}受理，超时自动进入追索`}
    </span>
  );
}

/**
 * The public clock of a claim: its days as a row of dots, the last action, and the next automatic step with its time.
 */
export function ClaimClock({ clock, now }: { clock: Clock; now: string }) {
  const { day, days, lastAction, lastTime, decideBy, why } = clock;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div
        className="flex gap-1"
        role="img"
        aria-label={day > 0 ? `追索第 ${day} 天，共 ${days} 天` : `尚未开始追索，共 ${days} 天`}
      >
        {Array.from({ length: days }, (_, index) => (
          <i
            key={`day${index}`}
            className={cx('h-1.5 flex-1 rounded-full', index < day ? 'bg-safe' : 'bg-sunken')}
            aria-hidden="true"
          />
        ))}
      </div>
      <p className="flex flex-wrap justify-between gap-x-4 text-12 text-ink-3">
        <b className="font-semibold text-ink-2">
          {decideBy ? '追索期满，双人裁定中' : day > 0 ? `追索第 ${day} 天 / 共 ${days} 天` : '等待受理'}
        </b>
        <Next clock={clock} now={now} />
      </p>
      {decideBy && <p className="text-13 text-ink-2">没有自动赔付的原因：{why}。</p>}
      <p className="text-13 text-ink-2">
        {lastAction} <time className="text-12 text-ink-3">{shortAt(lastTime)}</time>
      </p>
    </div>
  );
}
