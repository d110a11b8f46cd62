import { useSearchParams } from 'react-router';
import { staffImTransfer } from '#contract/im-staff.ts';
import { useMutation } from '#web/lib/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** An unassigned group can be taken here; until then its messages are not readable. */
export function UnassignedGroup({ groupId, staffId, msg }: { groupId: string; staffId: number; msg: string | null }) {
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
