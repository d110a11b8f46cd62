import type { ServiceOrder } from './service-order.ts';

/** The progress of a boosting order, as provided to its page. */
export type Course = NonNullable<NonNullable<ServiceOrder['way']>['course']>;

const HOUR_MS = 3_600_000;
/** Marks of the horizontal axis at most, and the hours that may lie between two. */
const MAX_TICKS = 6;
const STEPS = [1, 2, 4, 6, 12, 24, 48, 96, 240];

/** Hours of the axis from the beginning on, as few as fit. */
export function ticksOf(hours: number): number[] {
  const step = STEPS.find((one) => hours / one < MAX_TICKS) ?? hours;
  return Array.from({ length: Math.floor(hours / step) + 1 }, (_, i) => i * step);
}

/** Hours since the beginning as text on the axis; whole days as days where the axis has days only. */
export function tickText(hour: number, step: number): string {
  if (hour === 0) return '开始';
  return step >= 24 ? `${hour / 24} 天` : `${hour} 小时`;
}

/** The chart's numbers: hours since the beginning on the one axis, percent on the other. */
export function chartOf({ startTime, dueTime, reports, stages }: Course, now: string, isOpen: boolean) {
  const start = Date.parse(startTime);
  const hourOf = (time: string): number => Math.max(0, (Date.parse(time) - start) / HOUR_MS);
  const due = Math.max(hourOf(dueTime), 1 / 60);
  const points = reports.map(({ time, percent, seq }) => ({ hour: hourOf(time), percent, seq }));
  const last = points.at(-1) ?? { hour: 0, percent: 0, seq: null };
  // Since the last report nothing was shown.
  const until = isOpen && last.percent < 100 ? Math.max(last.hour, Math.min(hourOf(now), due * 2)) : last.hour;
  const agreed = Math.min(100, (until / due) * 100);
  return {
    due,
    until,
    hours: Math.max(due, until),
    points,
    percent: last.percent,
    ahead: Math.round(last.percent - agreed),
    stages: stages.map((percent, index) => ({ seq: index + 1, percent, hour: (percent / 100) * due })),
  };
}

/** The progress compared with the agreement, in a sentence; after the end of the order, the completed work. */
export function standingText(percent: number, ahead: number, isOpen: boolean): string {
  if (percent >= 100) return '已全部完成';
  if (!isOpen) return `结束时完成 ${Math.round(percent)}%`;
  const done = `现在 ${Math.round(percent)}%`;
  if (ahead === 0) return `${done}，与约定同步`;
  return `${done}，比约定${ahead > 0 ? '快' : '慢'} ${Math.abs(ahead)}%`;
}
