import { BellOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { noticeList, noticeRead } from '#subjects/notices/contract/inbox.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { NOTICES, setUnread } from '#web/lib/pages/notices.ts';
import { EmptyState, ErrorState, Skeleton } from '#web/ui/states.tsx';
import { NoticeRow } from './notice-row.tsx';

const MAX_VISIBLE = 6;

type Page = Data<typeof noticeList>;

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((a, b) => a + b, 0);

async function newest(): Promise<Page> {
  const page = await call(noticeList, { pageSize: MAX_VISIBLE }, { quiet: true });
  setUnread(sum(page.unread));
  return page;
}

/** The newest notices below the bell; clicking one marks it as read and opens its link. */
export default function BellPanel({ onClose }: { onClose: () => void }) {
  const [page, setPage] = useState<Page | 'failed' | null>(null);
  useEffect(() => {
    newest().then(setPage, () => setPage('failed'));
  }, []);

  const read = async (ids?: number[]) => {
    if (typeof page !== 'object' || page === null) return;
    const isRead = (id: number) => ids === undefined || ids.includes(id);
    setPage({ ...page, list: page.list.map((n) => (isRead(n.id) ? { ...n, read: true } : n)) });
    // Navigation to the notice's page does not wait for this; on failure the notice stays unread.
    const { unread } = await call(noticeRead, ids ? { ids } : {}, { quiet: true }).catch(() => ({ unread: -1 }));
    if (unread >= 0) setUnread(unread);
  };
  const hasUnread = typeof page === 'object' && page !== null && sum(page.unread) > 0;

  return (
    <section aria-label="最新消息">
      <header className="flex items-center gap-3 border-b border-line-soft px-4 py-2.5 text-13">
        <b className="font-semibold text-ink">消息通知</b>
        {hasUnread && (
          <button type="button" className="link ml-auto text-12" onClick={() => void read()}>
            全部已读
          </button>
        )}
      </header>
      {page === null && (
        <div className="grid gap-3 p-4" aria-busy="true">
          {Array.from({ length: 3 }, (_, n) => (
            <Skeleton key={n} className="h-12" />
          ))}
        </div>
      )}
      {page === 'failed' && (
        <ErrorState
          onRetry={() => {
            setPage(null);
            newest().then(setPage, () => setPage('failed'));
          }}
        />
      )}
      {typeof page === 'object' && page !== null && (
        <>
          {page.list.length === 0 && (
            <EmptyState title="还没有消息" icon={<BellOff className="icon size-7" strokeWidth={1.25} />}>
              订单、资金和收藏有变化时会在这里告诉您。
            </EmptyState>
          )}
          <ul>
            {page.list.map((notice) => (
              <NoticeRow
                key={notice.id}
                notice={notice}
                small
                onOpen={() => {
                  if (!notice.read) void read([notice.id]);
                  onClose();
                }}
              />
            ))}
          </ul>
        </>
      )}
      <footer className="flex justify-between border-t border-line-soft px-4 py-2.5 text-12">
        <Link to={NOTICES} className="link" onClick={onClose}>
          查看全部
        </Link>
        <Link to={`${NOTICES}?tab=settings`} className="link" onClick={onClose}>
          提醒设置
        </Link>
      </footer>
    </section>
  );
}
