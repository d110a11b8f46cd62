import { MessageSquareQuote, Plus, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { type CannedReply, cannedList, removeCanned, usedCanned } from '#subjects/chat/contract/im-support.ts';
import { call } from '#web/lib/api/api.ts';
import { asFailure, readFailureMessage } from '#web/lib/api/call-errors.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { Button } from '#web/ui/button.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import type { ReplyDraft } from './new-reply.lazy.tsx';

/** Opened by a click. */
const NewReply = lazyWithRetry(() => import('./new-reply.lazy.tsx'));

const EMPTY: ReplyDraft = { title: '', text: '' };

/** Whether a canned reply matches the keyword: by shortcut, title or text. */
function matches(reply: CannedReply, keyword: string): boolean {
  const wanted = keyword.trim().toLowerCase();
  return [reply.shortcut ?? '', reply.title, reply.text].some((text) => text.toLowerCase().includes(wanted));
}

function ReplyList({
  draft,
  onDraft,
  onPick,
}: {
  draft: ReplyDraft;
  onDraft: (draft: ReplyDraft) => void;
  onPick: (text: string) => void;
}) {
  const [list, setList] = useState<readonly CannedReply[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [keyword, setKeyword] = useState('');
  const [adding, setAdding] = useState(draft !== EMPTY);
  const load = useCallback(() => {
    call(cannedList, {}, { quiet: true }).then(
      (data) => {
        setList(data.list);
        setError(null);
      },
      (thrown: unknown) => setError(readFailureMessage(asFailure(thrown))),
    );
  }, []);
  useEffect(load, [load]);
  if (error) return <ErrorState message={error} onRetry={load} />;
  if (!list) return <Skeleton className="m-3 h-40" />;
  const visible = list.filter((reply) => matches(reply, keyword));
  const pick = (reply: CannedReply) => {
    onPick(reply.text);
    // Only the order of the list depends on it.
    call(usedCanned, { id: reply.id }, { quiet: true }).catch(() => undefined);
  };
  const remove = async (id: number) => {
    try {
      await call(removeCanned, { id });
      load();
    } catch {
      // `call` has shown the message.
    }
  };
  return (
    <>
      <div className="flex gap-2 p-3 pb-2">
        <Input
          small
          type="search"
          aria-label="搜索快捷回复"
          placeholder="搜索标题、内容或快捷码"
          value={keyword}
          onChange={(event) => setKeyword(event.target.value)}
        />
        <Button size="sm" icon aria-label="新建快捷回复" aria-expanded={adding} onClick={() => setAdding(!adding)}>
          <Plus className="icon" aria-hidden="true" />
        </Button>
      </div>
      {adding && (
        <NewReply
          draft={draft}
          onChange={onDraft}
          onDone={() => {
            onDraft(EMPTY);
            setAdding(false);
            load();
          }}
        />
      )}
      {visible.length === 0 && <p className="px-3 pb-4 text-12 text-ink-3">没有符合的快捷回复，按加号新建一条。</p>}
      <ul>
        {visible.map((reply) => (
          <li key={reply.id} className="flex items-start border-t border-line-soft hover:bg-hover">
            <button
              type="button"
              className="grid min-w-0 flex-1 gap-0.5 px-3 py-2 text-left"
              onClick={() => pick(reply)}
            >
              <span className="flex gap-2 text-13 font-medium">
                {reply.title}
                <span className="ml-auto text-12 font-normal text-ink-3">{reply.grp}</span>
              </span>
              <span className="line-clamp-2 text-12 text-ink-3">{reply.text}</span>
            </button>
            {reply.mine && (
              <Button
                kind="ghost"
                size="sm"
                icon
                aria-label={`删除${reply.title}`}
                onClick={() => void remove(reply.id)}
              >
                <Trash2 className="icon" aria-hidden="true" />
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Canned replies behind a button of the message field; one is inserted at the cursor and can be edited before it is sent. */
export function CannedReplies({ onPick }: { onPick: (text: string) => void }) {
  const [draft, setDraft] = useState(EMPTY);
  return (
    <Popover
      label="快捷回复"
      // A fixed height: the field must not move while the list below it shrinks.
      className="h-84 w-84"
      trigger={(props) => (
        <button type="button" {...props} aria-label="快捷回复" className="btn btn-ghost btn-sm">
          <MessageSquareQuote className="icon" aria-hidden="true" />
          <span className="max-md:hidden">快捷回复</span>
        </button>
      )}
    >
      {(close) => (
        <ReplyList
          draft={draft}
          onDraft={setDraft}
          onPick={(text) => {
            close();
            onPick(text);
          }}
        />
      )}
    </Popover>
  );
}
