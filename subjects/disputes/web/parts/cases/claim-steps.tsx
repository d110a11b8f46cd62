import { Proof } from '#subjects/orders/web/parts/handover/proof.tsx';
import { fullAt } from '#web/lib/format/times.ts';

interface Step {
  day: number;
  text: string;
  who: string;
  pictures: readonly { url: string; thumb: string }[];
  time: string;
}

/** Each action of a claim's clock, newest first. */
export function ClaimSteps({ steps }: { steps: readonly Step[] }) {
  return (
    <section className="panel" aria-label="进度">
      <div className="panel-head">
        <h2>进度</h2>
      </div>
      <ol className="px-4 py-2">
        {steps.toReversed().map((s) => (
          <li
            key={`${s.time}${s.text}`}
            className="grid grid-cols-[64px_minmax(0,1fr)] gap-x-3 gap-y-1 border-b border-line-soft py-2.5 text-13 last:border-b-0"
          >
            <span className="text-12 text-ink-3">{s.day > 0 ? `第 ${s.day} 天` : '受理前'}</span>
            <span className="grid gap-1.5 break-words">
              {s.text}
              <span className="text-12 text-ink-3">
                {s.who} <time dateTime={s.time}>{fullAt(s.time)}</time>
              </span>
              <Proof pictures={s.pictures} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
