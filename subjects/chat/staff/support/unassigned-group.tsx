import { useSearchParams } from 'react-router';
import { staffImTransfer } from '#subjects/chat/contract/im-staff.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** An unassigned group can be taken here; until then its messages are not readable. */
export function UnassignedGroup({ groupId, staffId, msg }: { groupId: string; staffId: number; msg: string | null }) {
  const [, setSearch] = useSearchParams();
  const { busy, error, send } = useMutation(staffImTransfer, {
    revalidates: true,
    done: () => setSearch({ scope: 'mine', g: groupId }),
  });
  return (
    <EmptyState
      title="还没有接手这个会话"
      action={
        <span className="grid justify-items-center gap-2">
          <Button kind="primary" busy={busy} onClick={() => void send({ groupId, staffId })}>
            接手
          </Button>
          <FormError>{error}</FormError>
        </span>
      }
    >
      {msg ?? '接手之后可以看到聊天记录并回复；已有人负责的会话要由对方转接。'}
    </EmptyState>
  );
}
