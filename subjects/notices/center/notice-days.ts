import { fullTime } from '#contract/rules/time/time-label.ts';

const DAY_MS = 86_400_000;

interface Dated {
  link: string | null;
  createTime: string;
}

/** Notices of one day; those about the same thing form one thread, newest first. */
export interface NoticeDay<T> {
  label: string;
  threads: T[][];
}

const dayOf = (at: number): string => fullTime(at).slice(0, 10);

/**
 * Sorts a list of notices, newest first, into days of China and threads: notices with the same link are about the same
 * thing. A notice without a link is a separate thread. `now` in ms.
 */
export function noticeDays<T extends Dated>(items: readonly T[], now: number): NoticeDay<T>[] {
  const names = new Map([
    [dayOf(now), '今天'],
    [dayOf(now - DAY_MS), '昨天'],
  ]);
  return [...Map.groupBy(items, ({ createTime }) => dayOf(Date.parse(createTime)))].map(([day, ofDay]) => ({
    label: names.get(day) ?? day,
    threads: [...Map.groupBy(ofDay, (notice) => notice.link ?? notice).values()],
  }));
}
