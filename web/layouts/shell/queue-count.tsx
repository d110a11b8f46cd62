import { cx } from '#web/ui/class-names.ts';
import type { MenuCount } from './admin-counts.ts';

/** A queue's count next to its page: grey, amber with a dot in the last third of the time, red when something is late. */
export function QueueCount({ of }: { of: MenuCount }) {
  const states = { calm: '', soon: '，快到时限', over: '，已超时' } as const;
  return (
    <span className={cx('admin-count', of.tone !== 'calm' && `admin-count-${of.tone}`)}>
      {of.count}
      {of.totalCapped && '+'}
      <span className="sr-only">件{states[of.tone]}</span>
    </span>
  );
}
