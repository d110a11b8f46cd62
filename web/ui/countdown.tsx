import { useEffect, useState } from 'react';

/** Seconds left until `end`, never below 0. */
function left(end: number, now: number): number {
  return Math.max(0, Math.floor((end - now) / 1000));
}

/** Time left as text: 2 天 03:04:05, 03:04:05 or 04:05. */
export function leftText(seconds: number): string {
  const pad = (n: number) => String(n).padStart(2, '0');
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const rest = `${pad(Math.floor((seconds % 3600) / 60))}:${pad(seconds % 60)}`;
  if (days > 0) return `${days} 天 ${pad(hours)}:${rest}`;
  return hours > 0 ? `${pad(hours)}:${rest}` : rest;
}

/**
 * Counts down to `until` (ISO time). `now` is the server's time of the response, so that a wrong clock on the visitor's
 * machine neither shortens nor lengthens a deadline.
 */
export function Countdown({ until, now, onEnd }: { until: string; now: string; onEnd?: () => void }) {
  const end = Date.parse(until);
  const [ticked, setTicked] = useState<{ end: number; seconds: number } | null>(null);
  // A new deadline starts from its own response, not from the last tick of the previous one.
  const seconds = ticked?.end === end ? ticked.seconds : left(end, Date.parse(now));
  useEffect(() => {
    const skew = Date.parse(now) - Date.now();
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const value = left(end, Date.now() + skew);
      setTicked({ end, seconds: value });
      if (value === 0) onEnd?.();
      else timer = setTimeout(tick, 1000);
    };
    timer = setTimeout(tick, 1000);
    return () => clearTimeout(timer);
  }, [end, now, onEnd]);
  return (
    <time dateTime={until} role="timer">
      {leftText(seconds)}
    </time>
  );
}
