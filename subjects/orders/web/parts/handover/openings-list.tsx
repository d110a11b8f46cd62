import { Eye } from 'lucide-react';
import { fullAt, shortAt } from '#web/lib/format/times.ts';

export interface Opening {
  step: number;
  version: number;
  name: string;
  purpose: string;
  time: string;
  mine: boolean;
}

/** Lists each opening of sealed information with person, time and purpose; both parties see the same list. */
export function OpeningsList({ openings }: { openings: readonly Opening[] }) {
  if (openings.length === 0) return null;
  return (
    <section className="border-t border-line-soft px-4 py-2.5" aria-label="密封信息查看记录">
      <h3 className="text-12 font-medium text-ink-3">密封信息查看记录</h3>
      <ul className="mt-1 grid gap-1">
        {openings.map(({ step, version, name, purpose, time, mine }, index) => (
          <li
            key={`${time}${index}`}
            className="grid grid-cols-[14px_minmax(0,1fr)] items-baseline gap-x-2 text-13 md:grid-cols-[14px_minmax(0,1fr)_auto]"
          >
            <Eye className="icon size-3.5 self-center text-ink-3" aria-hidden="true" />
            <span>
              {mine ? '您' : name} <time title={fullAt(time)}>{shortAt(time)}</time> 查看了密封信息，用途：{purpose}
            </span>
            <span className="col-start-2 text-12 text-ink-3 md:col-start-3">
              第 {step} 步{version > 1 && `，第 ${version} 版`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
