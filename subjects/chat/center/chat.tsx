import { dueStep } from '#subjects/orders/rules/order-text.ts';
import { FAILED_TAB, isEnded } from '#subjects/orders/rules/order-status.ts';
import { ChevronLeft, Headset, ReceiptText } from 'lucide-react';
import { type FormEvent, type ReactNode, useCallback, useEffect, useState } from 'react';
import {
  Link,
  type LoaderFunctionArgs,
  useLoaderData,
  useNavigate,
  useNavigation,
  useRevalidator,
  useRouteLoaderData,
} from 'react-router';
import { type ChatMessage, unreadCount } from '#subjects/chat/contract/im.ts';
import type { OrderListItem } from '#subjects/orders/contract/order.ts';
import { call } from '#web/lib/api/api.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { imProviderChat, userChat } from '../web/parts/chat-link/apis.ts';
import { ChatProvider, useChat, useLinkState, useMessages } from '../web/parts/chat-link/chat-context.tsx';
import { Conversation } from '../web/parts/chat/conversation.tsx';
import { messageText } from '../web/parts/chat-link/log.ts';
import { notify } from '../web/parts/chat-link/notify.ts';
import { quickSentences } from '../web/parts/chat/quick-sentences.ts';
import { playSound } from '../web/parts/chat-link/sound.ts';
import { NotifySwitch, SoundSwitch } from '../web/parts/chat/switches.tsx';
import { useCardRefresh } from '../web/parts/chat-link/use-card-refresh.ts';
import { usePhone } from '../web/parts/chat/use-phone.ts';
import { PhoneBar } from '#web/parts/site/phone-shell.tsx';
import { DueStrip } from '#subjects/orders/web/parts/order/due-strip.tsx';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { chatData, type ChatFault, chatHref, type ChatData } from './chat-loader.ts';
import { useOrderMoves } from './order-moves.tsx';
import { OrderList, Tabs } from './order-list.tsx';
import { OrderPanel } from './order-panel.tsx';
import { useReloadKey } from './reload-key.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '交易群', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  return await chatData(args);
}

const NO_GROUP = '该订单没有群聊，请联系客服';

/** Muted groups: from the server at load, updated as groups are opened. */
function useMuted(): (groupId: string) => boolean {
  const chat = useChat();
  const [muted, setMuted] = useState<readonly string[]>([]);
  useEffect(() => {
    call(unreadCount, { all: true }, { quiet: true }).then(
      (data) => setMuted(data.muted),
      // When the call fails, no group is muted.
      () => undefined,
    );
  }, []);
  return useCallback((groupId) => chat.group(groupId)?.info?.muted ?? muted.includes(groupId), [chat, muted]);
}

/** Unread messages since the list was loaded, by group; none for the open group. */
function useUnread(data: ChatData, reading: string | null) {
  const isMuted = useMuted();
  const navigate = useNavigate();
  const onNotice = useCallback(
    (groupId: string) => {
      const orders = data.result.ok ? data.result.data.orderList : [];
      const order = orders.find((o) => o.groupId === groupId);
      if (order) void navigate(chatHref({ ...data.at, orderSn: order.orderSn }));
    },
    [data, navigate],
  );
  const [since, setSince] = useState<{ data: ChatData; more: Readonly<Record<string, number>> }>({ data, more: {} });
  useMessages(
    useCallback(
      (message: ChatMessage) => {
        if (message.messageDirection === 1 || message.messageType === 'recall') return;
        const { groupId } = message;
        if (!isMuted(groupId) && (document.visibilityState !== 'visible' || groupId !== reading)) {
          playSound();
          notify(groupId, '交易群', messageText(message), () => onNotice(groupId));
        }
        if (groupId === reading) return;
        setSince((was) => {
          const more = was.data === data ? was.more : {};
          return { data, more: { ...more, [groupId]: (more[groupId] ?? 0) + 1 } };
        });
      },
      [reading, data, isMuted, onNotice],
    ),
  );
  const more = since.data === data ? since.more : {};
  return (order: OrderListItem): number =>
    order.groupId === null || order.groupId === reading ? 0 : order.unread + (more[order.groupId] ?? 0);
}

function Ended() {
  const state = useLinkState();
  const navigate = useNavigate();
  useEffect(() => {
    if (state !== 'ended') return;
    toast('请先登录，以享受更全面的服务体验', 'warn');
    void navigate(`/login?returnUrl=${encodeURIComponent(window.location.pathname + window.location.search)}`);
  }, [state, navigate]);
  return null;
}

/** An order without a group has no recipient: sending shows an error and keeps the text. */
function NoGroupField() {
  const send = (event: FormEvent) => {
    event.preventDefault();
    toast('该订单未创建群聊，发送失败，请联系客服', 'warn');
  };
  return (
    <form className="chat-field flex items-end gap-2" onSubmit={send}>
      <textarea rows={1} maxLength={2000} aria-label="消息" placeholder="输入消息" />
      <Button type="submit" kind="primary">
        发送
      </Button>
    </form>
  );
}

const FAULTS: Readonly<Record<ChatFault, { title: string; text: string }>> = {
  missing: { title: '没有这笔订单', text: '订单号有误，或这笔订单不是您的。其他订单的交易群在列表里。' },
  unpaid: { title: '这笔订单还没有付款', text: '付款后会自动建立群聊，届时可从这个链接进入。' },
  failed: { title: '这笔订单没有加载成功', text: '网络或系统暂时繁忙，请稍后重试。' },
};

/** Replaces the conversation: why the named order has none, and the next step. No other order is opened instead. */
function Unopened({ fault, orderSn, back }: { fault: ChatFault; orderSn: string; back: ReactNode }) {
  const { revalidate, state } = useRevalidator();
  const { title, text } = FAULTS[fault];
  return (
    <section className="chat" aria-label="聊天">
      <header className="chat-head xl:hidden">{back}</header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <EmptyState
          title={title}
          action={
            fault === 'failed' ? (
              <Button busy={state !== 'idle'} onClick={() => void revalidate()}>
                重新加载
              </Button>
            ) : (
              <ButtonLink to={fault === 'unpaid' ? orderPath(orderSn) : '/center/buyGoodsOrder'} kind="primary">
                {fault === 'unpaid' ? '查看订单' : '我买到的'}
              </ButtonLink>
            )
          }
        >
          <p className="break-all">订单号 {orderSn}</p>
          <p>{text}</p>
        </EmptyState>
      </div>
    </section>
  );
}

function Pane({ data, onPanel }: { data: ChatData; onPanel: () => void }) {
  const { order, groupId, at } = data;
  const { revalidate } = useRevalidator();
  const root = useRouteLoaderData<{ userId: string }>('chat');
  const step = order ? dueStep(order) : undefined;
  const back = (
    <Link
      to={chatHref(at)}
      replace
      aria-label="返回订单列表"
      className="grid size-10 flex-none place-items-center md:hidden"
    >
      <ChevronLeft className="icon size-6" aria-hidden="true" />
    </Link>
  );
  const info = order && (
    <Button size="sm" className={cx('ml-auto', !at.light && 'xl:hidden')} onClick={onPanel}>
      <ReceiptText className="icon" aria-hidden="true" />
      订单
    </Button>
  );
  if (data.fault !== null) return <Unopened fault={data.fault} orderSn={data.askedSn ?? ''} back={back} />;
  if (!order || groupId === null) {
    return (
      <section className="chat" aria-label="聊天">
        <header className="chat-head xl:hidden">
          {back}
          {info}
        </header>
        <div className="min-h-0 flex-1 overflow-y-auto">
          <EmptyState
            title={!order ? '选择一个订单开始沟通' : at.status === FAILED_TAB ? '该订单没有付款，没有群聊' : NO_GROUP}
            action={
              order && at.status !== FAILED_TAB && <Button onClick={() => void revalidate()}>重新打开群聊</Button>
            }
          />
        </div>
        {order && at.status !== FAILED_TAB && <NoGroupField />}
      </section>
    );
  }
  return (
    <Conversation
      groupId={groupId}
      strip={
        <DueStrip
          order={order}
          goods={{ thumbnail: order.thumbnail, held: order.money.held }}
          className={at.light ? '' : 'xl:hidden'}
          action={
            step?.mine && (
              <Button kind="primary" size="sm" className="flex-none" onClick={onPanel}>
                去操作
              </Button>
            )
          }
        />
      }
      quick={
        isEnded(order.status)
          ? []
          : quickSentences({ viewer: order.viewer, step: step?.key ?? null, isMine: step?.mine ?? false })
      }
      draftOwner={root?.userId ?? ''}
      closedText={at.status === FAILED_TAB ? '交易已结束，不能再发送消息' : null}
      headStart={back}
      headEnd={info}
    />
  );
}

function ChatLayout({ data }: { data: ChatData }) {
  const { at, result, order, groupId } = data;
  const { revalidate } = useRevalidator();
  const navigation = useNavigation();
  const [panel, setPanel] = useState(false);
  const requestedSn = new URLSearchParams(navigation.location?.search ?? '').get('orderSn');
  const current = requestedSn ?? order?.orderSn ?? null;
  const isPhone = usePhone();
  const unreadOf = useUnread(data, data.isNamed || !isPhone ? groupId : null);
  const { hidden, notice } = useOrderMoves(data);
  useCardRefresh();
  useReloadKey();
  return (
    <div className="chat-page flex h-full flex-col">
      {data.isOldBrowser && (
        <p className="chat-link">您的浏览器版本过低，部分聊天功能无法使用，建议使用 Chrome 或 Edge</p>
      )}
      {/* On a phone the list, which contains the heading, is hidden beside the conversation. */}
      {data.isNamed && <h1 className="sr-only md:hidden">交易群</h1>}
      <Ended />
      <div
        className={cx(
          'grid min-h-0 flex-1',
          at.light
            ? 'md:grid-cols-[264px_minmax(0,1fr)]'
            : 'md:grid-cols-[288px_minmax(0,1fr)] xl:grid-cols-[300px_minmax(0,1fr)_380px]',
        )}
      >
        <aside
          className={cx(
            'flex min-h-0 min-w-0 flex-col border-r border-line bg-panel max-md:pb-14',
            data.isNamed && 'max-md:hidden',
          )}
          aria-label="订单列表"
        >
          <div className="flex items-center justify-between px-3 pt-3">
            <h1 className="text-16 font-semibold whitespace-nowrap">交易群</h1>
            <span className="flex items-center gap-3">
              <Link
                to="/customerService"
                className="hit inline-flex items-center gap-1 text-13 whitespace-nowrap text-ink-2 hover:text-link"
              >
                <Headset className="icon" aria-hidden="true" />
                客服
              </Link>
              <SoundSwitch />
              <NotifySwitch />
            </span>
          </div>
          <Tabs at={at} counts={result.ok ? result.data.counts : {}} />
          <OrderList
            data={data}
            current={current}
            hidden={hidden}
            unreadOf={unreadOf}
            onRetry={() => void revalidate()}
            notice={notice}
          />
        </aside>
        <div className={cx('min-h-0 min-w-0', !data.isNamed && 'max-md:hidden')}>
          <Pane data={data} onPanel={() => setPanel(true)} />
        </div>
        {!at.light && (
          <aside
            className="min-h-0 min-w-0 overflow-y-auto border-l border-line bg-page max-xl:hidden"
            aria-label="订单信息"
          >
            {order && <OrderPanel order={order} />}
          </aside>
        )}
      </div>
      {!data.isNamed && <PhoneBar unread={0} />}
      {panel && order && (
        <Dialog title="订单信息" shape="sheet" onClose={() => setPanel(false)}>
          <div className="-m-4 bg-page">
            <OrderPanel order={order} />
          </div>
        </Dialog>
      )}
    </div>
  );
}

/**
 * The order chat (product.md 2): orders by party and state, the conversation, the order. A phone shows either the list or the conversation.
 */
export default function ChatPage() {
  const data = useLoaderData<typeof loader>();
  const [api] = useState(() => (data.appKey === null ? userChat : imProviderChat(data.appKey)));
  return (
    <ChatProvider api={api}>
      <ChatLayout data={data} />
    </ChatProvider>
  );
}
