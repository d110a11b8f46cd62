import { ChevronLeft, MessageSquare } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  Link,
  type LoaderFunctionArgs,
  redirect,
  useLoaderData,
  useNavigate,
  useRevalidator,
  useRouteLoaderData,
  useSearchParams,
} from 'react-router';
import { openService, serviceState } from '#subjects/chat/contract/im-service.ts';
import { unreadText } from '#contract/rules/limits.ts';
import { getImParams } from '#subjects/chat/contract/im.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { imProviderChat, userChat } from '../web/parts/chat-link/apis.ts';
import { ChatProvider } from '../web/parts/chat-link/chat-context.tsx';
import { Conversation } from '../web/parts/chat/conversation.tsx';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { useCardRefresh } from '../web/parts/chat-link/use-card-refresh.ts';

const pathOf = (groupId: string): string => `/customerService?groupId=${groupId}`;
/** Polling interval of the position in the queue. */
const QUEUE_EVERY_MS = 20_000;

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '联系客服', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const { searchParams } = args.url;
  const [state, im] = await Promise.all([call(serviceState, {}), optional(call(getImParams, {}))]);
  // The URL names the conversation, so that it stays on the screen when it ends.
  if (state.open && !['groupId', 'goodsSn', 'open'].some((key) => searchParams.has(key)))
    return redirect(pathOf(state.open.groupId));
  return {
    ...state,
    /** App key of the IM provider's SDK, when a provider delivers the messages. */
    appKey: im?.transport === 'rongcloud' ? im.appKey : null,
  };
}

type Data = Exclude<Awaited<ReturnType<typeof loader>>, Response>;

/** The state of the open conversation, as a sentence. */
function standText({ open, onDuty, nextShift }: Data): string {
  if (!open || open.ahead === null) return '';
  if (onDuty > 0) return open.ahead === 0 ? '下一位就轮到您' : `前面还有 ${open.ahead} 位`;
  return nextShift
    ? `现在没有客服当班，${shortAt(nextShift)} 上班。可以先留言，上班后按顺序回复`
    : '现在没有客服当班。可以先留言，有回复会提醒您';
}

/** Opens the conversation once when the link requests it, then removes the parameter from the URL. */
function useOpening(): { busy: boolean; open: () => void } {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { busy, send } = useMutation(openService, { toasts: true });
  const isAsked = useRef(false);
  const goodsSn = params.get('goodsSn') ?? undefined;
  const wants = params.has('open') || goodsSn !== undefined;
  const open = useCallback(
    (sn?: string) => {
      void send(sn === undefined ? {} : { goodsSn: sn }).then((opened) =>
        navigate(opened ? pathOf(opened.groupId) : '/customerService', { replace: true }),
      );
    },
    [send, navigate],
  );
  useEffect(() => {
    if (!wants || isAsked.current) return;
    isAsked.current = true;
    open(goodsSn);
  }, [wants, goodsSn, open]);
  return { busy: busy || wants, open: () => open() };
}

/** Reloads the state when customer service joins or leaves, and while the conversation is queued. */
function useFreshState({ open }: Data): void {
  const { revalidate } = useRevalidator();
  useCardRefresh();
  const isQueued = open !== null && open.ahead !== null;
  useEffect(() => {
    if (!isQueued) return;
    const timer = setInterval(() => void revalidate(), QUEUE_EVERY_MS);
    return () => clearInterval(timer);
  }, [isQueued, revalidate]);
}

function History({ data, current }: { data: Data; current: string | null }) {
  if (data.list.length === 0) return <p className="flex-1 px-3 text-12 text-ink-3 max-md:hidden">还没有咨询记录</p>;
  return (
    <ul className="min-h-0 flex-1 overflow-y-auto">
      {data.list.map(({ groupId, closed, title, lastText, lastTime, unread }) => (
        <li key={groupId}>
          <Link
            to={pathOf(groupId)}
            aria-current={groupId === current ? 'true' : undefined}
            className={cx(
              'grid grid-cols-[minmax(0,1fr)] gap-1 border-b border-line-soft px-3 py-2.5',
              groupId === current ? 'bg-brand-50' : 'hover:bg-hover',
            )}
          >
            <span className="flex items-center gap-2">
              <b className="truncate text-13 font-medium">{title}</b>
              <TimeLabel at={lastTime} className="ml-auto flex-none text-12 text-ink-3" />
            </span>
            <span className="flex items-center gap-2 text-12 text-ink-3">
              <span className="truncate">{lastText}</span>
              {closed && <span className="ml-auto flex-none">已结束</span>}
              {!closed && unread > 0 && <span className="badge ml-auto flex-none">{unreadText(unread)}</span>}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Topic({ goods }: { goods: NonNullable<NonNullable<Data['open']>['goods']> }) {
  return (
    <p className="flex items-center gap-3 border-b border-line-soft bg-panel px-4 py-2 text-13">
      <span className="flex-none text-12 text-ink-3">咨询</span>
      <Link to={goods.pageUrl} className="min-w-0 truncate hover:text-link">
        {goods.title}
      </Link>
      <Amount yuan={goods.price} className="ml-auto flex-none font-semibold" />
      <span className="flex-none text-12 text-ink-3">{goods.statusName}</span>
    </p>
  );
}

function Body({ data }: { data: Data }) {
  const [params] = useSearchParams();
  const opening = useOpening();
  useFreshState(data);
  const root = useRouteLoaderData<{ userId: string }>('chat');
  const chosen = params.get('groupId');
  const known = data.list.find(({ groupId }) => groupId === chosen)?.groupId;
  const current = known ?? data.open?.groupId ?? null;
  const isOpen = current !== null && current === data.open?.groupId;
  const stand = isOpen ? standText(data) : '';
  const startNew = (
    <Button kind="primary" size="sm" busy={opening.busy} onClick={opening.open}>
      联系客服
    </Button>
  );
  // Phones have no bar above this page.
  const backToMessages = (
    <Link to="/chatSystem" aria-label="返回消息" className="grid size-10 flex-none place-items-center md:hidden">
      <ChevronLeft className="icon size-6" aria-hidden="true" />
    </Link>
  );
  return (
    <div className="chat-page grid h-full min-h-0 grid-rows-[auto_minmax(0,1fr)] md:grid-cols-[280px_minmax(0,1fr)] md:grid-rows-1">
      {/* On a narrow screen the list with its heading is not shown next to a conversation. */}
      <h1 className="sr-only">联系客服</h1>
      <aside
        className={cx(
          'flex min-h-0 min-w-0 flex-col border-r border-line bg-panel max-md:max-h-[60dvh]',
          current !== null && 'max-md:hidden',
        )}
        aria-label="咨询记录"
      >
        <div className="flex items-center gap-1 px-3 py-3 max-md:pl-1">
          {backToMessages}
          <h2 className="text-16 font-semibold">联系客服</h2>
        </div>
        <History data={data} current={current} />
        <Link
          to="/chatSystem"
          className="flex items-center gap-2 border-t border-line px-3 py-3 text-13 text-ink-2 hover:text-link"
        >
          <MessageSquare className="icon" aria-hidden="true" />
          订单的问题在交易群里说
        </Link>
      </aside>
      <div className={cx('flex min-h-0 min-w-0 flex-col', current !== null && 'max-md:row-span-2')}>
        {current === null ? (
          <EmptyState title="有问题，问平台客服" action={startNew}>
            <p>商品、流程、费用、账户安全都可以问。客服不会要求站外付款，也不会索要账号密码和验证码。</p>
            <p>{data.onDuty > 0 ? `${data.onDuty} 位客服当班` : '现在没有客服当班，可以先留言'}</p>
          </EmptyState>
        ) : (
          <>
            {isOpen && data.open?.goods && <Topic goods={data.open.goods} />}
            {stand && (
              <p className="chat-link" role="status">
                {stand}
              </p>
            )}
            <div className="min-h-0 flex-1">
              <Conversation
                groupId={current}
                draftOwner={root?.userId ?? ''}
                isServiceLine
                headStart={backToMessages}
                headEnd={!isOpen && !data.open && startNew}
              />
            </div>
          </>
        )}
      </div>
    </div>
  );
}

/** Customer service before buying: the user's conversation, its position in the queue, and earlier ones. */
export default function CustomerService() {
  const data = useLoaderData<typeof loader>();
  const [api] = useState(() => (data.appKey === null ? userChat : imProviderChat(data.appKey)));
  return (
    <ChatProvider api={api}>
      <Body data={data} />
    </ChatProvider>
  );
}
