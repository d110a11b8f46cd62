import { Link } from 'react-router';
import type { noticeList } from '#subjects/notices/contract/inbox.ts';
import type { Data } from '#contract/endpoint.ts';
import { cx } from '#web/ui/class-names.ts';
import { TimeLabel } from '#web/ui/time-label.tsx';

export type Notice = Data<typeof noticeList>['list'][number];

/** One notice; the whole row is a link if the notice has one. A dot marks an unread notice. */
export function NoticeRow({ notice, small = false, onOpen }: { notice: Notice; small?: boolean; onOpen: () => void }) {
  const { title, body, link, read, createTime } = notice;
  const content = (
    <>
      <span
        className={cx('mt-[7px] size-1.5 flex-none rounded-full', read ? 'bg-transparent' : 'bg-danger')}
        aria-hidden="true"
      />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-3">
          <b className={cx('truncate', read ? 'font-normal text-ink-2' : 'font-semibold text-ink')}>
            {!read && <span className="sr-only">未读：</span>}
            {title}
          </b>
          <TimeLabel at={createTime} className="ml-auto flex-none text-12 text-ink-3" />
        </span>
        <span className={cx('text-ink-2', small ? 'line-clamp-2 text-12' : 'block text-13')}>{body}</span>
      </span>
    </>
  );
  const style = cx('flex w-full gap-2.5 text-left text-13 hover:bg-hover', small ? 'px-3.5 py-2.5' : 'px-4 py-3');
  return (
    <li className="border-b border-line-soft last:border-b-0">
      {link === null ? (
        <button type="button" className={style} onClick={onOpen}>
          {content}
        </button>
      ) : (
        <Link to={link} className={style} onClick={onOpen}>
          {content}
        </Link>
      )}
    </li>
  );
}
