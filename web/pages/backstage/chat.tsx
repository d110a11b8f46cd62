import { useCallback, useEffect, useRef, useState } from 'react';
import { ChevronLeft, ReceiptText } from 'lucide-react';
import { Link, type LoaderFunctionArgs, redirect, useLoaderData, useRevalidator, useSearchParams } from 'react-router';
import { codes } from '#contract/codes.ts';
import { staffWorkbench, staffImSidebar } from '#contract/im-desk.ts';
import { staffImGroups, staffImTransfer } from '#contract/im-staff.ts';
import type { ChatMessage } from '#contract/im.ts';
import { staffCan } from '#contract/rules/staff.ts';
import { useMutation } from '#web/lib/use-mutation.ts';
import { isError } from '#web/lib/call-errors.ts';
import { market, marketContext } from '#web/lib/context.ts';
import { pageMeta } from '#web/lib/site.ts';
import { staffChat } from '#web/parts/chat/apis.ts';
import { ChatProvider, useLinkState, useMessages } from '#web/parts/chat/chat-context.tsx';
import { Conversation } from '#web/parts/chat/conversation.tsx';
import { messageText } from '#web/parts/chat/log.ts';
import { notify } from '#web/parts/chat/notify.ts';
import { playSound } from '#web/parts/chat/sound.ts';
import { attempt } from '#web/lib/attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { CannedReplies } from './support/canned-replies.tsx';
import { DutyBar } from './support/duty-bar.tsx';
import { GroupList } from './support/group-list.tsx';
import { SidePanel } from './support/side-panel.tsx';
import { TransferDialog } from './support/transfer-dialog.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '客服会话', noindex: true });
}

const SCOPES = ['mine', 'waiting', 'all'] as const;
/** Polling interval of the queue, and the delay between a message and the reload of the list, in ms. */
const POLL_MS = 20_000;
const REFRESH_DELAY_MS = 800;

/** The order's group among those that the caller may see, with the scope that lists it; null when a colleague has it. */
async function groupOfOrder(args: LoaderFunctionArgs, orderSn: string, isAdmin: boolean) {
  const { call: plain } = args.context.get(marketContext);
  for (const scope of SCOPES) {
    if (scope === 'all' && !isAdmin) continue;
    const page = await attempt(plain(staffImGroups, { scope, keyWord: orderSn }));
    const group = page.ok ? page.data.list[0] : undefined;
    if (group) return { scope, groupId: group.groupId };
  }
  return null;
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const of = (name: string) => args.url.searchParams.get(name) || undefined;
  const orderSn = of('orderSn');
  const group = orderSn === undefined ? null : await groupOfOrder(args, orderSn, staffCan(staff, 'chat.supervise'));
  if (group) return redirect(`/backstage/chat?scope=${group.scope}&g=${group.groupId}`);
  const scope = SCOPES.find((name) => name === of('scope')) ?? 'mine';
  const [duty, groups] = await Promise.all([
    request(staffWorkbench, {}),
    request(staffImGroups, { scope, keyWord: of('keyWord') }),
  ]);
  const groupParam = of('g');
  const groupId = groupParam && /^\d{1,15}$/.test(groupParam) ? groupParam : null;
  // A colleague's group does not fail the page: it can be taken over from here.
  const { call: plain } = args.context.get(marketContext);
  const side = groupId === null ? null : await attempt(plain(staffImSidebar, { groupId }));
  const missing = orderSn !== undefined && /^[A-Za-z0-9-]{1,32}$/.test(orderSn) ? orderSn : null;
  const isUnknown =
    groupParam !== undefined && (groupId === null || (side !== null && !side.ok && side.code === codes.NOT_FOUND[0]));
  return { duty, groups, scope, groupId, side, missing, isUnknown, isAdmin: staffCan(staff, 'chat.supervise') };
}

/** Reloads the page's data shortly after each message, and at intervals for the queue. */
function useLiveData(groupId: string | null): void {
  const { revalidate } = useRevalidator();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const soon = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void revalidate(), REFRESH_DELAY_MS);
  }, [revalidate]);
  useMessages(
    useCallback(
      (message: ChatMessage) => {
        soon();
        if (message.messageDirection === 1 || message.messageType === 'recall') return;
        if (document.visibilityState !== 'visible' || message.groupId !== groupId) playSound();
        notify(message.groupId, '客服会话', messageText(message), () => undefined);
      },
      [soon, groupId],
    ),
  );
  const state = useLinkState();
  const wasLost = useRef(false);
  useEffect(() => {
    // A failed reload would replace unsent text with the error page, so nothing is reloaded while offline.
    if (state !== 'online') {
      wasLost.current = state === 'lost';
      return;
    }
    if (wasLost.current) soon();
    const poll = setInterval(() => {
      if (document.visibilityState === 'visible') void revalidate();
    }, POLL_MS);
    return () => {
      clearInterval(poll);
      clearTimeout(timer.current);
    };
  }, [revalidate, soon, state]);
}

type Data = Exclude<Awaited<ReturnType<typeof loader>>, Response>;

/** The actions on a conversation: take it, transfer it. */
function ConversationActions({ data, groupId }: { data: Data; groupId: string }) {
  const { revalidate } = useRevalidator();
  const [transferring, setTransferring] = useState(false);
  const { busy, send } = useMutation(staffImTransfer, {
    toasts: true,
    revalidates: true,
    done: () => toast('已接手', 'ok'),
  });
  const { duty, side, isAdmin } = data;
  const owner = side?.ok ? side.data.staffId : null;
  if (!side?.ok || side.data.closed) return null;
  return (
    <>
      {owner !== duty.staffId && (owner === null || isAdmin) && (
        <Button size="sm" busy={busy} onClick={() => void send({ groupId, staffId: duty.staffId })}>
          {owner === null ? '接手' : '接管'}
        </Button>
      )}
      {(owner === duty.staffId || isAdmin) && (
        <Button size="sm" onClick={() => setTransferring(true)}>
          转接
        </Button>
      )}
      {transferring && (
        <TransferDialog
          groupId={groupId}
          onClose={() => setTransferring(false)}
          onDone={() => {
            setTransferring(false);
            void revalidate();
          }}
        />
      )}
    </>
  );
}

/** An unassigned group can be taken here; until then its messages are not readable. */
function UnassignedGroup({ groupId, staffId, msg }: { groupId: string; staffId: number; msg: string | null }) {
  const [, setSearch] = useSearchParams();
  const { send } = useMutation(staffImTransfer, {
    toasts: true,
    revalidates: true,
    done: () => setSearch({ scope: 'mine', g: groupId }),
  });
  return (
    <EmptyState
      title="还没有接手这个会话"
      action={
        <Button kind="primary" onClick={() => void send({ groupId, staffId })}>
          接手
        </Button>
      }
    >
      {msg ?? '接手之后可以看到聊天记录并回复；已有人负责的会话要由对方转接。'}
    </EmptyState>
  );
}

/** The order and the users of the open conversation. */
function OrderAside({ data }: { data: Data }) {
  const { side, duty, isAdmin } = data;
  if (!side?.ok) return null;
  const isMine = side.data.staffId === duty.staffId;
  return <SidePanel side={side.data} isMine={isMine} mayRequest={isMine || isAdmin} />;
}

function Workbench({ data }: { data: Data }) {
  const { groupId, side, duty } = data;
  const [panel, setPanel] = useState(false);
  useLiveData(groupId);
  return (
    <div className="workdesk">
      <h1 className="sr-only">客服会话</h1>
      <DutyBar duty={duty} />
      <div className={groupId === null ? 'workdesk-grid' : 'workdesk-grid workdesk-open'}>
        <GroupList data={data} />
        <section className="panel min-h-0 min-w-0 overflow-hidden" aria-label="会话">
          {data.isUnknown ? (
            <EmptyState
              title="没有这个会话"
              action={
                <Link to="/backstage/chat" className="link">
                  回到会话列表
                </Link>
              }
            >
              链接里的会话编号不存在，请核对链接，或按订单编号在左侧查找。
            </EmptyState>
          ) : data.missing !== null && groupId === null ? (
            <EmptyState
              title="这笔订单的会话不在您这里"
              action={
                <Link to={`/backstage/orders/${data.missing}`} className="link">
                  查看订单 {data.missing}
                </Link>
              }
            >
              会话由负责本单的客服接待，需要时请对方转接；没有付款的订单没有会话。
            </EmptyState>
          ) : groupId === null ? (
            <EmptyState title="选择一个会话">左侧是您负责的会话；「排队中」是还没有人接待的。</EmptyState>
          ) : side?.ok ? (
            <Conversation
              groupId={groupId}
              draftOwner={duty.imUid}
              headStart={
                <Link to={`?scope=${data.scope}`} aria-label="返回会话列表" className="md:hidden">
                  <ChevronLeft className="icon size-6" aria-hidden="true" />
                </Link>
              }
              headEnd={
                <>
                  <ConversationActions data={data} groupId={groupId} />
                  <Button size="sm" className="xl:hidden" onClick={() => setPanel(true)}>
                    <ReceiptText className="icon" aria-hidden="true" />
                    订单
                  </Button>
                </>
              }
              tools={CannedReplies}
            />
          ) : (
            <UnassignedGroup
              groupId={groupId}
              staffId={duty.staffId}
              msg={isError(side, codes.CHAT_NOT_MEMBER) ? null : (side?.msg ?? '')}
            />
          )}
        </section>
        <aside className="panel workdesk-side" aria-label="订单和用户">
          <OrderAside data={data} />
        </aside>
      </div>
      {panel && side?.ok && (
        <Dialog title="订单和用户" shape="sheet" onClose={() => setPanel(false)}>
          <div className="-m-4">
            <OrderAside data={data} />
          </div>
        </Dialog>
      )}
    </div>
  );
}

/** The customer service workbench: the queue and the agent's groups, the conversation, and the order beside it. */
export default function SupportPage() {
  const data = useLoaderData<typeof loader>();
  return (
    <ChatProvider api={staffChat}>
      <Workbench data={data} />
    </ChatProvider>
  );
}
