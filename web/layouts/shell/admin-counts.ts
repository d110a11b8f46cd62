import { useOutletContext } from 'react-router';
import { type StaffQueue, staffCounters } from '#subjects/back-office/contract/overview.ts';
import type { Data } from '#contract/endpoint.ts';
import { clockTone, type ClockTone } from '#subjects/back-office/staff/parts/deadline-clock.tsx';
import { type PanelState, usePanel } from '#subjects/back-office/staff/parts/use-panel.ts';

export type Counters = PanelState<Data<typeof staffCounters>>;

/** How often the counters are read again, in ms. */
const POLL_MS = 30_000;

/** The counters of the caller's queues, kept current while the page is visible; one call serves the menu and the pages. */
export function useCounters(initial: Counters['data']): Counters {
  return usePanel(staffCounters, {}, { everyMs: POLL_MS, initial });
}

/** The counters that the layout loaded, for the page within it. */
export const useLayoutCounters = (): Counters => useOutletContext<Counters>();

/** The state of a queue: its next deadline, or the fact that something is overdue. */
export function queueTone({ nextTime, nextLimit, over, soon }: StaffQueue, now: number): ClockTone {
  if (over > 0) return 'over';
  if (soon > 0) return 'soon';
  return nextTime === null ? 'calm' : clockTone(Date.parse(nextTime) - now, nextLimit);
}

export interface MenuCount {
  count: number;
  totalCapped: boolean;
  tone: ClockTone;
}

/** The counts of the menu's pages: queues of one page together, with the most urgent tone. */
export function menuCounts(queues: readonly StaffQueue[], now: number): Map<string, MenuCount> {
  const counts = new Map<string, MenuCount>();
  for (const queue of queues) {
    if (queue.count === 0) continue;
    const old = counts.get(queue.menu);
    const tones = [old?.tone, queueTone(queue, now)];
    counts.set(queue.menu, {
      count: (old?.count ?? 0) + queue.count,
      totalCapped: queue.totalCapped || old?.totalCapped === true,
      tone: tones.includes('over') ? 'over' : tones.includes('soon') ? 'soon' : 'calm',
    });
  }
  return counts;
}
