import { CircleAlert, CircleCheck, Clock } from 'lucide-react';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { cx } from '#web/ui/class-names.ts';
import { Countdown } from '#web/ui/countdown.tsx';

interface CaseClock {
  key: string;
  name: string;
  at: string;
  doneTime: string | null;
  state: 'waiting' | 'done' | 'late' | 'off';
}

const DAY_MS = 86_400_000;

function Left({ clock, now }: { clock: CaseClock; now: string }) {
  const { state, at, doneTime } = clock;
  if (state === 'off') return <span>未用到</span>;
  if (doneTime) return <time dateTime={doneTime}>{shortAt(doneTime)}</time>;
  if (state === 'late') return <span>已超时，自动推进</span>;
  if (state === 'done') return <span>已结束</span>;
  if (Date.parse(at) - Date.parse(now) > DAY_MS) return <time dateTime={at}>{shortAt(at)} 前</time>;
  return (
    <span>
      剩 <Countdown until={at} now={now} />
    </span>
  );
}

/** The clocks of a case: each with its end, and whether the deadline was met. */
export function CaseClocks({ clocks, now }: { clocks: readonly CaseClock[]; now: string }) {
  return (
    <ol
      className="grid grid-cols-2 gap-px overflow-hidden border-t border-line-soft bg-line-soft md:auto-cols-fr md:grid-flow-col md:grid-cols-none"
      aria-label="时限"
    >
      {clocks.map((clock) => {
        const Icon = clock.state === 'late' ? CircleAlert : clock.state === 'done' ? CircleCheck : Clock;
        return (
          <li
            key={clock.key}
            className="grid gap-0.5 bg-panel px-4 py-3 max-md:last:odd:col-span-2"
            title={fullAt(clock.at)}
          >
            <span className="flex items-center gap-1.5 text-12 text-ink-3">
              <Icon
                className={cx(
                  'icon size-3.5',
                  clock.state === 'late' && 'text-attn',
                  clock.state === 'done' && 'text-safe',
                )}
                aria-hidden="true"
              />
              {clock.name}
            </span>
            <span className={cx('text-13', clock.state === 'waiting' ? 'font-semibold' : 'text-ink-2')}>
              <Left clock={clock} now={now} />
            </span>
          </li>
        );
      })}
    </ol>
  );
}
