import { BellOff } from 'lucide-react';
import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { noticeList, noticeRead, noticeSettings } from '#subjects/notices/contract/inbox.ts';
import { pushKey } from '#subjects/notices/contract/notice.ts';
import { bindWeChatOfficialAccountPushStatus } from '#subjects/notices/contract/wechat-push.ts';
import { unreadText } from '#contract/rules/limits.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { market } from '#web/lib/pages/context.ts';
import { NOTICES, setUnread } from '#web/lib/pages/notices.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { type Notice, NoticeRow } from '../web/parts/notices/notice-row.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { noticeDays } from './notice-days.ts';
import { Settings } from './settings.tsx';

export const handle = { phone: { refresh: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '消息通知', noindex: true });
}

const GROUPS = [
  ['order', '订单'],
  ['money', '资金'],
  ['goods', '商品'],
  ['chat', '交易群'],
  ['security', '安全'],
  ['service', '服务'],
  ['activity', '活动'],
] as const;
type Group = (typeof GROUPS)[number][0];

const PAGE_SIZE = 20;

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, user } = market(args);
  const tab = args.url.searchParams.get('tab');
  if (tab === 'settings') {
    const [settings, wechat, push] = await Promise.all([
      request(noticeSettings, {}),
      request(bindWeChatOfficialAccountPushStatus, {}),
      request(pushKey, {}),
    ]);
    return { tab: 'settings' as const, settings, wechat, push, hasMail: user?.isHadEmail === true };
  }
  const query = {
    group: GROUPS.find(([key]) => key === tab)?.[0] as Group | undefined,
    ...(args.url.searchParams.get('unread') === '1' && { unread: '1' as const }),
    pageSize: PAGE_SIZE,
  };
  return { tab: 'list' as const, query, first: await request(noticeList, query), now: new Date().toISOString() };
}

type Loaded = Awaited<ReturnType<typeof loader>>;
type Listed = Extract<Loaded, { tab: 'list' }>;

function addressOf(tab: string | undefined, unread: boolean): string {
  const query = new URLSearchParams({ ...(tab && { tab }), ...(unread && { unread: '1' }) }).toString();
  return query === '' ? NOTICES : `${NOTICES}?${query}`;
}

function TabLinks({ data }: { data: Loaded }) {
  const counts = data.tab === 'list' ? data.first.unread : {};
  const current = data.tab === 'settings' ? 'settings' : (data.query.group ?? '');
  const unread = data.tab === 'list' && data.query.unread === '1';
  const tabs = [['', '全部'], ...GROUPS, ['settings', '提醒设置']] as const;
  return (
    <LinkTabs
      label="消息分类"
      items={tabs.map(([key, name]) => {
        const count = counts[key] ?? 0;
        return {
          key,
          label: name,
          to: addressOf(key || undefined, unread && key !== 'settings'),
          isCurrent: key === current,
          mark: count > 0 && <span className="badge">{unreadText(count)}</span>,
        };
      })}
    />
  );
}

/** The notices about one thing on one day: the newest, and the others on demand. */
function Thread({ notices, onOpen }: { notices: readonly Notice[]; onOpen: (id: number) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [newest, ...older] = notices;
  return (
    <>
      {[...(newest ? [newest] : []), ...(isOpen ? older : [])].map((notice) => (
        <NoticeRow
          key={notice.id}
          notice={notice}
          onOpen={() => {
            if (!notice.read) onOpen(notice.id);
          }}
        />
      ))}
      {older.length > 0 && (
        <li className="-mt-1 border-b border-line-soft px-4 pb-2 pl-8 last:border-b-0">
          <button type="button" className="hit link text-12" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? '收起' : `同一事项还有 ${older.length} 条`}
            {!isOpen && older.some(({ read }) => !read) && '，有未读'}
          </button>
        </li>
      )}
    </>
  );
}

function Rows({ data }: { data: Listed }) {
  const { query, first, now } = data;
  const [read, setRead] = useState<ReadonlySet<number>>(new Set());
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(noticeList, { ...query, cursor }, { quiet: true }),
    ({ id }) => id,
  );
  const unread = Object.values(first.unread).reduce((a, b) => a + b, 0);
  const open = async (id: number) => {
    setRead(new Set([...read, id]));
    const result = await call(noticeRead, { ids: [id] }, { quiet: true }).catch(() => null);
    if (result) setUnread(result.unread);
  };
  const readAll = useMutation(noticeRead, {
    toasts: true,
    revalidates: true,
    done: ({ unread: left }) => {
      setUnread(left);
      toast('已全部标为已读', 'ok');
    },
  });
  const onlyUnread = query.unread === '1';
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line-soft px-4 py-2 text-13">
        <Link to={addressOf(query.group, !onlyUnread)} className="hit link" preventScrollReset>
          {onlyUnread ? '显示全部' : '只看未读'}
        </Link>
        <Button
          size="sm"
          className="ml-auto"
          busy={readAll.busy}
          disabled={unread === 0}
          onClick={() => void readAll.send({})}
        >
          全部已读
        </Button>
      </div>
      {items.length === 0 ? (
        <EmptyState
          title={onlyUnread ? '没有未读消息' : '还没有消息'}
          icon={<BellOff className="icon size-8" strokeWidth={1.25} />}
          action={
            <ButtonLink to="/wares" size="sm">
              去看看商品
            </ButtonLink>
          }
        >
          订单、资金、商品和账户有变化时会在这里告诉您，也可以在“提醒设置”里选择短信、微信、邮件或浏览器推送。
        </EmptyState>
      ) : (
        <>
          {noticeDays(
            items.map((notice) => ({ ...notice, read: notice.read || read.has(notice.id) })),
            Date.parse(now),
          ).map(({ label, threads }) => (
            <section key={label} aria-label={label}>
              <h2 className="border-b border-line-soft bg-sunken px-4 py-1.5 text-12 font-semibold text-ink-2">
                {label}
              </h2>
              <ul>
                {threads.map((notices) => (
                  <Thread key={notices[0]?.id} notices={notices} onOpen={(id) => void open(id)} />
                ))}
              </ul>
            </section>
          ))}
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
    </>
  );
}

/** Notifications by subject, and the notification settings. */
export default function NoticesPage() {
  const data = useLoaderData<typeof loader>();
  return (
    <section className="panel overflow-hidden" aria-labelledby="notices">
      <div className="panel-head">
        <h1 id="notices" className="text-16 font-semibold">
          消息通知
        </h1>
      </div>
      <TabLinks data={data} />
      {data.tab === 'settings' ? (
        <Settings data={data} />
      ) : (
        <Rows key={`${data.query.group}${data.query.unread}`} data={data} />
      )}
    </section>
  );
}
