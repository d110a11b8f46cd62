import { useEffect, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { apiKeyCalls } from '#subjects/open-api/contract/open-keys.ts';
import { call } from '#web/lib/api/api.ts';
import { asFailure, readFailureMessage } from '#web/lib/api/call-errors.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';

type Page = Data<typeof apiKeyCalls>;

const load = (keyId: number, cursor?: string) =>
  call(apiKeyCalls, { keyId, ...(cursor && { cursor }) }, { quiet: true });

function Rows({ keyId, first }: { keyId: number; first: Page }) {
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => load(keyId, cursor),
    ({ callId }) => callId,
  );
  if (items.length === 0) return <p className="mt-3 text-13 text-ink-3">最近 30 天没有调用。</p>;
  return (
    <>
      <ul className="mt-3 rounded-control border border-line-soft text-13">
        {items.map((row) => (
          <li
            key={row.callId}
            className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-line-soft px-3 py-2 last:border-b-0"
          >
            <span className="min-w-0 flex-1 basis-56">
              {row.summary} <code className="text-12 break-all text-ink-3">{row.path}</code>
            </span>
            <span className={row.failure === null ? 'text-safe' : 'text-danger'}>
              {row.failure === null ? '成功' : `${row.code} ${row.failure}`}
            </span>
            <span className="text-12 text-ink-3">
              {fullAt(row.callTime)}，{row.ms} 毫秒，{row.network}
            </span>
          </li>
        ))}
      </ul>
      <ListEnd next={next} busy={busy} error={error} onMore={more} />
    </>
  );
}

/** The calls of a key, loaded when it is expanded. */
export function Calls({ keyId }: { keyId: number }) {
  const [first, setFirst] = useState<Page | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    load(keyId).then(setFirst, (thrown: unknown) => setProblem(readFailureMessage(asFailure(thrown))));
  }, [keyId, round]);
  if (problem !== null)
    return (
      <ErrorState
        message={problem}
        onRetry={() => {
          setProblem(null);
          setRound(round + 1);
        }}
      />
    );
  return first === null ? <Skeleton className="mt-3 h-20" /> : <Rows keyId={keyId} first={first} />;
}
