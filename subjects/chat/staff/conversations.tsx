import { useEffect, useRef, useState } from 'react';
import { ListTree, ReceiptText } from 'lucide-react';
import { Link, type LoaderFunctionArgs, redirect, useLoaderData, useRevalidator, useSearchParams } from 'react-router';
import { codes } from '#contract/codes.ts';
import type { Data as DataOf } from '#contract/endpoint.ts';
import { cannedList, staffWorkbench, staffImSidebar } from '#subjects/chat/contract/im-support.ts';
import { staffImGroups, staffImTransfer } from '#subjects/chat/contract/im-staff.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { isError } from '#web/lib/api/call-errors.ts';
import { market, marketContext } from '#web/lib/pages/context.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { pageMeta } from '#web/lib/pages/site.ts';
import { staffChat } from '../web/parts/chat-link/apis.ts';
import { ChatProvider } from '../web/parts/chat-link/chat-context.tsx';
import { type KeyHints, useKeyHints } from '#web/layouts/shell/shortcuts.tsx';
import { attempt } from '#web/lib/api/attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { useHotkeys } from '#subjects/back-office/staff/parts/use-hotkeys.ts';
import { usePanel } from '#subjects/back-office/staff/parts/use-panel.ts';
import { Column } from './support/column.tsx';
import { DutyBar } from './support/duty-bar.tsx';
import { GroupList, MostUrgent } from './support/group-list.tsx';
import { SidePanel } from './support/side-panel.tsx';
import { closing, opening, slotsOf } from './support/slots.ts';
import { StepAnswers } from './support/forms/step-answers.tsx';
import { UnassignedGroup } from './support/unassigned-group.tsx';
import { useLiveData } from './support/use-live-data.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '客服会话', noindex: true });
}

const OrderWork = lazyWithRetry(() => import('./support/order-work.lazy.tsx'));
/** Opened by a click. */
const TransferDialog = lazyWithRetry(() => import('./support/transfer-dialog.lazy.tsx'));

const SCOPES = ['mine', 'waiting', 'all'] as const;

/**
 * The order's group if visible to the caller, with the scope that lists it; null when it is assigned to a colleague.
 */
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
  const rights = { isAdmin: staffCan(staff, 'chat.supervise'), seesOrders: staffCan(staff, 'order.read') };
  const group = orderSn === undefined ? null : await groupOfOrder(args, orderSn, rights.isAdmin);
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
  return { duty, groups, scope, groupId, side, missing, isUnknown, ...rights };
}

const CHAT_KEYS: KeyHints = [
  ['1 2 3', '换到第几个会话'],
  ['C', '接下一单'],
  ['T', '转接'],
  ['⌘ ↵', '发送，也可用 Ctrl ↵ 或 ↵'],
  ['⌥ 1–9', '填入这一步的常用语'],
];

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
          without={[duty.staffId, owner]}
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

/**
 * The canned replies: one list for all conversations, reloaded with each, so that the shortcuts of the next one work
 * immediately.
 */
function useCanned(groupId: string) {
  const { data, reload } = usePanel(cannedList, {});
  const readFor = useRef(groupId);
  useEffect(() => {
    if (readFor.current === groupId) return;
    readFor.current = groupId;
    reload();
  }, [reload, groupId]);
  return data?.list;
}

/** The order and the users of the conversation in focus, and the replies for its step. */
function OrderAside({ data, side }: { data: Data; side: DataOf<typeof staffImSidebar> }) {
  const { duty, isAdmin, seesOrders } = data;
  const { order, people, groupId } = side;
  const canned = useCanned(groupId);
  const isMine = side.staffId === duty.staffId;
  const name = (of: 'buyer' | 'seller' | 'owner') => people.find((person) => person.side === of)?.nickName ?? '';
  const values = {
    买家: name('buyer') || name('owner'),
    卖家: name('seller'),
    订单号: order?.orderSn ?? '',
    商品: order?.title ?? side.topic?.title ?? '',
    游戏: order?.gameName ?? '',
    步骤: order?.due?.title ?? '',
  };
  return (
    <>
      <SidePanel side={side} isMine={isMine} mayRequest={isMine || isAdmin}>
        {order && seesOrders && <OrderWork key={order.orderSn} groupId={groupId} orderSn={order.orderSn} />}
      </SidePanel>
      {isMine && !side.closed && (
        <StepAnswers key={groupId} replies={canned} groupId={groupId} step={order?.due?.title ?? ''} values={values} />
      )}
    </>
  );
}

/** The content in place of a conversation that cannot be read; null when the one in focus can be read. */
function NoConversation({ data }: { data: Data }) {
  const { groupId, side, duty } = data;
  if (data.isUnknown)
    return (
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
    );
  if (data.missing !== null && groupId === null)
    return (
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
    );
  if (groupId === null)
    return (
      <EmptyState
        title="选择一个会话"
        action={data.scope === 'mine' && data.groups.list.length > 0 && <MostUrgent groups={data.groups.list} />}
      >
        左侧是您负责的会话，最多并排打开三个；「排队中」是还没有人接待的。
      </EmptyState>
    );
  return (
    <UnassignedGroup
      groupId={groupId}
      staffId={duty.staffId}
      msg={side && !side.ok && isError(side, codes.CHAT_NOT_MEMBER) ? null : side?.ok === false ? side.msg : ''}
    />
  );
}

/** The open conversations: 1 2 3 moves the focus, C takes the next one of the queue, T transfers the one in focus. */
function Columns({
  data,
  onPanel,
  onTransfer,
  onQueue,
}: {
  data: Data;
  onPanel: () => void;
  onTransfer: () => void;
  /** Opens the queue when it is not next to the conversation. */
  onQueue: () => void;
}) {
  const { groupId, side, duty, groups } = data;
  const [search, setSearch] = useSearchParams();
  const slots = slotsOf(search);
  const go = (to: URLSearchParams) => setSearch(to, { preventScrollReset: true, replace: true });
  const focus = (id: string | undefined) => {
    if (id !== undefined && id !== groupId) go(opening(search, id));
  };
  const { send: take } = useMutation(staffImTransfer, {
    toasts: true,
    revalidates: true,
    done: (_data, { groupId: claimedId }) => {
      const to = opening(search, claimedId);
      to.set('scope', 'mine');
      go(to);
      toast('已接手', 'ok');
    },
  });
  const next = async () => {
    const queue = await attempt(call(staffImGroups, { scope: 'waiting' }, { quiet: true }));
    const first = queue.ok ? queue.data.list[0] : undefined;
    if (!first) return toast('没有排队的会话', 'warn');
    await take({ groupId: first.groupId, staffId: duty.staffId });
  };
  useHotkeys({
    1: () => focus(slots[0]),
    2: () => focus(slots[1]),
    3: () => focus(slots[2]),
    c: () => void next(),
    t: () => {
      if (side?.ok && !side.data.closed) onTransfer();
    },
  });
  if (groupId === null || !side?.ok || data.isUnknown)
    return (
      <section className="panel min-h-0 min-w-0 overflow-hidden" aria-label="会话">
        <NoConversation data={data} />
      </section>
    );
  const others = slots.filter((id) => id !== groupId);
  return (
    <div className="workbench-columns">
      {slots.map((id, i) => (
        <Column
          key={id}
          groupId={id}
          group={groups.list.find((group) => group.groupId === id)}
          digit={i + 1}
          order={id === groupId ? 0 : others.indexOf(id) + 1}
          draftOwner={duty.imUid}
          headStart={
            id === groupId ? (
              <Button kind="ghost" icon size="sm" className="lg:hidden" aria-label="会话列表" onClick={onQueue}>
                <ListTree className="icon" aria-hidden="true" />
              </Button>
            ) : null
          }
          headEnd={
            id === groupId ? (
              <>
                <ConversationActions data={data} groupId={groupId} />
                <Button size="sm" className="xl:hidden" onClick={onPanel}>
                  <ReceiptText className="icon" aria-hidden="true" />
                  订单
                </Button>
              </>
            ) : null
          }
          onFocus={() => focus(id)}
          onClose={() => go(closing(search, id))}
        />
      ))}
    </div>
  );
}

function Workbench({ data }: { data: Data }) {
  const { groupId, side } = data;
  const { revalidate } = useRevalidator();
  const [panel, setPanel] = useState<'order' | 'transfer' | 'queue' | null>(null);
  const close = () => setPanel(null);
  useKeyHints('客服会话', CHAT_KEYS);
  useLiveData(groupId);
  return (
    <div className="workbench">
      <h1 className="sr-only">客服会话</h1>
      <DutyBar duty={data.duty} />
      <div className={groupId === null ? 'workbench-grid' : 'workbench-grid workbench-open'}>
        <GroupList data={data} />
        <Columns
          data={data}
          onPanel={() => setPanel('order')}
          onTransfer={() => setPanel('transfer')}
          onQueue={() => setPanel('queue')}
        />
        {groupId !== null && (
          <aside className="panel workbench-side" aria-label="订单和用户">
            {side?.ok && <OrderAside data={data} side={side.data} />}
          </aside>
        )}
      </div>
      {panel === 'queue' && (
        <Dialog title="会话" shape="side" onClose={close}>
          <div className="-m-4 workbench-sheet">
            <GroupList data={data} onPick={close} />
          </div>
        </Dialog>
      )}
      {panel === 'order' && side?.ok && (
        <Dialog title="订单和用户" shape="side" onClose={close}>
          <div className="-m-4">
            <OrderAside data={data} side={side.data} />
          </div>
        </Dialog>
      )}
      {panel === 'transfer' && groupId !== null && (
        <TransferDialog
          groupId={groupId}
          without={[data.duty.staffId, side?.ok ? side.data.staffId : null]}
          onClose={close}
          onDone={() => {
            close();
            void revalidate();
          }}
        />
      )}
    </div>
  );
}

/** The customer service workbench: the queue and the agent's groups, the conversation, and the order next to it. */
export default function SupportPage() {
  const data = useLoaderData<typeof loader>();
  return (
    <ChatProvider api={staffChat}>
      <Workbench data={data} />
    </ChatProvider>
  );
}
