import { useEffect, useState } from 'react';
import { endStaffSession, type StaffPerson, staffSessionList } from '#subjects/back-office/contract/staff.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { asFailure, readFailureMessage } from '#web/lib/api/call-errors.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { EmptyState, ErrorState, Skeleton } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type Sessions = Data<typeof staffSessionList>;

/** The sessions of a member of staff, with buttons to end one or all. */
export function SessionsDialog({
  person,
  onChanged,
  onClose,
}: {
  person: StaffPerson;
  onChanged: () => void;
  onClose: () => void;
}) {
  const { staffId } = person;
  const [sessions, setSessions] = useState<Sessions | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    call(staffSessionList, { staffId }, { quiet: true }).then(setSessions, (thrown: unknown) =>
      setProblem(readFailureMessage(asFailure(thrown))),
    );
  }, [staffId, round]);
  const { pending, error, send } = useMutation(endStaffSession, {
    done: ({ ended }) => {
      toast(ended > 0 ? `已退出 ${ended} 处登录` : '没有需要退出的登录', 'ok');
      setRound((n) => n + 1);
      onChanged();
    },
  });
  const mayEnd = person.canManage || person.isSelf;
  const others = sessions?.list.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <Dialog
      title={`${person.name} 的登录设备`}
      onClose={onClose}
      footer={
        mayEnd && others.length > 0 ? (
          <Button kind="danger" busy={pending !== null} onClick={() => void send({ staffId })}>
            {person.isSelf ? '退出其他设备' : '全部退出'}
          </Button>
        ) : undefined
      }
    >
      {problem ? (
        <ErrorState
          message={problem}
          onRetry={() => {
            setProblem(null);
            setRound(round + 1);
          }}
        />
      ) : !sessions ? (
        <Skeleton className="h-28" />
      ) : sessions.list.length === 0 ? (
        <EmptyState title="现在没有登录">用过的浏览器有 {sessions.browsers} 个。</EmptyState>
      ) : (
        <ul className="grid">
          {sessions.list.map((session) => (
            <li
              key={session.sessionId}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line-soft py-2.5 text-13 last:border-b-0"
            >
              <span className="grid min-w-0">
                <span>
                  {session.device}
                  {session.isCurrent && <Tag className="ml-1.5">本机</Tag>}
                </span>
                <span className="text-12 text-ink-3">
                  {session.network}，{fullAt(session.createTime)} 登录，最近 {fullAt(session.lastSeenTime)}
                </span>
              </span>
              {mayEnd && !session.isCurrent && (
                <Button
                  size="sm"
                  className="ml-auto"
                  busy={pending?.sessionId === session.sessionId}
                  onClick={() => void send({ staffId, sessionId: session.sessionId })}
                >
                  退出
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <FormError>{error}</FormError>
    </Dialog>
  );
}
