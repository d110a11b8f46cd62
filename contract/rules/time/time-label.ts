import { CHINA_MS } from '#contract/rules/time/china-time.ts';

/** Units in ms. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Maximum age displayed as 'N days ago' (product.md 9). */
const MAX_DAYS_LABEL = 15;

interface Parts {
  year: number;
  month: string;
  day: string;
  hour: string;
  minute: string;
  /** Days since the epoch by China's calendar. */
  date: number;
}

function parts(at: number): Parts {
  const d = new Date(at + CHINA_MS);
  const pad = (n: number) => String(n).padStart(2, '0');
  return {
    year: d.getUTCFullYear(),
    month: pad(d.getUTCMonth() + 1),
    day: pad(d.getUTCDate()),
    hour: pad(d.getUTCHours()),
    minute: pad(d.getUTCMinutes()),
    date: Math.floor((at + CHINA_MS) / DAY),
  };
}

/** The full time in China: 2026-11-20 11:30. `at` in ms. */
export function fullTime(at: number): string {
  const { year, month, day, hour, minute } = parts(at);
  return `${year}-${month}-${day} ${hour}:${minute}`;
}

/**
 * The age of a moment (product.md 9): 刚刚 under a minute, then minutes, hours up to a day, days up to 15, then the date.
 * `at` and `now` in ms; a moment in the future counts as now.
 */
export function timeLabel(at: number, now: number): string {
  const age = Math.max(0, now - at);
  if (age < MINUTE) return '刚刚';
  if (age < HOUR) return `${Math.floor(age / MINUTE)}分钟前`;
  if (age < DAY) return `${Math.floor(age / HOUR)}小时前`;
  if (age <= MAX_DAYS_LABEL * DAY) return `${Math.floor(age / DAY)}天前`;
  const { year, month, day } = parts(at);
  return `${year}-${month}-${day}`;
}

/**
 * The time of a chat message (product.md 9): minutes under an hour, HH:mm on the same day, yesterday, MM-DD HH:mm
 * within the year, otherwise the full time. `at` and `now` in ms.
 */
export function chatTimeLabel(at: number, now: number): string {
  const age = Math.max(0, now - at);
  if (age < MINUTE) return '刚刚';
  if (age < HOUR) return `${Math.floor(age / MINUTE)}分钟前`;
  const then = parts(at);
  const today = parts(now);
  const clock = `${then.hour}:${then.minute}`;
  if (then.date === today.date) return clock;
  if (then.date === today.date - 1) return `昨天 ${clock}`;
  if (then.year === today.year) return `${then.month}-${then.day} ${clock}`;
  return fullTime(at);
}
