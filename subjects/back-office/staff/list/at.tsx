import { fullAt, shortAt } from '#web/lib/format/times.ts';

/** A short timestamp, with the full one as tooltip. */
export function At({ time, label }: { time: string; label?: string }) {
  return (
    <time dateTime={time} title={fullAt(time)} className="text-12 whitespace-nowrap text-ink-3">
      {shortAt(time)}
      {label && ` ${label}`}
    </time>
  );
}
