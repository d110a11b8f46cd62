import { staffImTransfer } from '#subjects/chat/contract/im-staff.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState, Skeleton } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

const OrderConversation = lazyWithRetry(() => import('./conversation.lazy.tsx'), <Skeleton className="m-4 h-80" />);

/**
 * The order's group, for the assigned agent and for administrators, who can take it over. The server rejects all other
 * readers.
 */
export function ChatPanel({
  groupId,
  staffId,
  assigned,
  assignedName,
  canRead,
  canAct,
}: {
  groupId: string | null;
  /** The viewer. */
  staffId: number;
  /** The agent assigned to the order. */
  assigned: number | null;
  assignedName: string | null;
  canRead: boolean;
  canAct: boolean;
}) {
  const { busy, send } = useMutation(staffImTransfer, {
    toasts: true,
    revalidates: true,
    done: () => toast('已接手这笔订单', 'ok'),
  });
  if (groupId === null)
    return (
      <section className="panel" aria-label="聊天">
        <EmptyState title="还没有交易群">买家付款后自动建群，买卖双方和客服都在群里。</EmptyState>
      </section>
    );
  if (!canRead)
    return (
      <section className="panel" aria-label="聊天">
        <EmptyState title={assignedName ? `由 ${assignedName} 负责` : '正在安排客服'}>
          交易群只对负责本单的客服和管理员开放。
        </EmptyState>
      </section>
    );
  return (
    <section className="panel admin-chat" aria-label="交易群">
      <OrderConversation
        key={`${groupId}:${assigned}`}
        groupId={groupId}
        draftOwner={`s${staffId}`}
        headEnd={
          canAct && assigned !== staffId ? (
            <Button size="sm" busy={busy} onClick={() => void send({ groupId, staffId })}>
              {assigned === null ? '接手' : '接管'}
            </Button>
          ) : null
        }
      />
    </section>
  );
}
