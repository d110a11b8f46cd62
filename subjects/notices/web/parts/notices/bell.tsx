import { Bell } from 'lucide-react';
import { Link } from 'react-router';
import { unreadText } from '#contract/rules/limits.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { NOTICES, useUnread } from '#web/lib/pages/notices.ts';
import { cx } from '#web/ui/class-names.ts';
import { Popover } from '#web/ui/overlays/popover.tsx';
import { Skeleton } from '#web/ui/states.tsx';

const Panel = lazyWithRetry(() => import('./bell-panel.lazy.tsx'), <Skeleton className="m-4 h-48" />);

const labelOf = (count: number): string => (count > 0 ? `消息通知，${unreadText(count)} 条未读` : '消息通知');

function Count({ count, className }: { count: number; className: string }) {
  return (
    <span
      className={cx('badge absolute left-2.5 whitespace-nowrap', className, count === 0 && 'invisible')}
      aria-hidden="true"
    >
      {unreadText(count)}
    </span>
  );
}

/** The bell of wide screens: the number of unread notices, and the newest ones on click. */
export function NoticeBell({ unread }: { unread: number }) {
  const count = useUnread(unread);
  return (
    <Popover
      label="消息通知"
      align="end"
      className="w-90 max-w-[calc(100vw-16px)]"
      trigger={(props) => (
        <button
          type="button"
          {...props}
          aria-label={labelOf(count)}
          className="relative mr-2 inline-flex items-center hover:text-link"
        >
          <Bell className="icon size-4" aria-hidden="true" />
          <Count count={count} className="top-px" />
        </button>
      )}
    >
      {(close) => <Panel onClose={close} />}
    </Popover>
  );
}

/** The bell of a phone links to the page, because there is no room for a panel. */
export function NoticeLink({ unread }: { unread: number }) {
  const count = useUnread(unread);
  return (
    <Link to={NOTICES} className="relative -mr-2 grid size-10 flex-none place-items-center" aria-label={labelOf(count)}>
      <Bell className="icon size-5" aria-hidden="true" />
      {count > 0 && (
        <span className="badge absolute top-0.5 left-5 whitespace-nowrap" aria-hidden="true">
          {unreadText(count)}
        </span>
      )}
    </Link>
  );
}
