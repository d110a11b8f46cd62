import { MonitorSmartphone } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { sessionEnd, sessionList } from '#subjects/accounts/contract/sessions.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { asFailure, readFailureMessage } from '#web/lib/api/call-errors.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type Session = Data<typeof sessionList>['list'][number];

/** The account's sessions, each with a log-out button. */
export function SessionList() {
  const [list, setList] = useState<Session[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    call(sessionList, {}, { quiet: true }).then(
      (result) => setList(result.list),
      (thrown: unknown) => setProblem(readFailureMessage(asFailure(thrown))),
    );
  }, [round]);
  const again = () => {
    setProblem(null);
    setRound(round + 1);
  };
  const { pending, send } = useMutation(sessionEnd, {
    toasts: true,
    done: ({ ended }) => {
      toast(ended > 0 ? `已让 ${ended} 台设备退出登录` : '该设备已经退出', 'ok');
      again();
    },
  });
  if (problem) return <ErrorState message={problem} onRetry={again} />;
  if (!list) return <Skeleton className="m-4 h-24" />;
  return (
    <section aria-labelledby="sessions">
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 pt-4 pb-2">
        <h2 id="sessions" className="text-14 font-semibold">
          登录中的设备
        </h2>
        {list.length > 1 && (
          <Button size="sm" busy={pending !== null && pending.sessionId === undefined} onClick={() => void send({})}>
            退出其他所有设备
          </Button>
        )}
      </div>
      <ul>
        {list.map((item) => (
          <li key={item.sessionId} className="flex items-center gap-3 border-b border-line-soft px-4 py-3">
            <MonitorSmartphone className="icon size-5 text-ink-3" strokeWidth={1.5} aria-hidden="true" />
            <span className="grid min-w-0 flex-1">
              <span className="flex items-center gap-2 text-14">
                {item.device}
                {item.isCurrent && <Tag tone="safe">本机</Tag>}
              </span>
              <span className="text-12 text-ink-3">
                {item.network}，<span className="whitespace-nowrap">最近使用 {fullAt(item.lastSeenTime)}，</span>
                <span className="whitespace-nowrap">{fullAt(item.createTime)} 登录</span>
              </span>
            </span>
            {!item.isCurrent && (
              <Button
                size="sm"
                busy={pending?.sessionId === item.sessionId}
                onClick={() => void send({ sessionId: item.sessionId })}
              >
                退出
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
