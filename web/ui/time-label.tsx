import { useEffect, useState } from 'react';
import { chatTimeLabel, fullTime, timeLabel } from '#contract/rules/time/time-label.ts';

/**
 * The age of a moment with the full time on hover. A label that changed between server and browser is corrected within
 * a minute; it is not a hydration error. In a part that stays as rendered by the server (docs/decisions/479) nothing corrects it.
 */
export function TimeLabel({ at, form = 'age', className }: { at: string; form?: 'age' | 'chat'; className?: string }) {
  const moment = Date.parse(at);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  const text = form === 'chat' ? chatTimeLabel(moment, now) : timeLabel(moment, now);
  return (
    <time dateTime={at} title={fullTime(moment)} className={className} suppressHydrationWarning>
      {text}
    </time>
  );
}
