import { fullAt } from '#web/lib/format/times.ts';

interface Entry {
  createTime: string;
  explain: string;
}

/** The history of an order, newest first, with the recorded actor of each event. */
export function ProcessList({ entries }: { entries: readonly Entry[] }) {
  return (
    <ol className="px-4 py-3" aria-label="订单状态记录">
      {entries.toReversed().map(({ createTime, explain }, index) => (
        <li key={`${createTime}${index}`} className="relative flex gap-3 pb-3 text-13 last:pb-0">
          {index < entries.length - 1 && (
            <i className="absolute top-4 bottom-0 left-[3px] w-px bg-line" aria-hidden="true" />
          )}
          <i
            className={`mt-1.5 size-[7px] flex-none rounded-full ${index === 0 ? 'bg-act' : 'bg-line-strong'}`}
            aria-hidden="true"
          />
          <div className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-4">
            <span className={index === 0 ? 'text-ink' : 'text-ink-2'}>{explain}</span>
            <time dateTime={createTime} className="text-12 text-ink-3">
              {fullAt(createTime)}
            </time>
          </div>
        </li>
      ))}
    </ol>
  );
}
