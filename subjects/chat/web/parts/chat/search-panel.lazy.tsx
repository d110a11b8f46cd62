import { X } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { ChatMember, ChatMessage } from '#subjects/chat/contract/im.ts';
import { isNetworkFailure } from '#web/lib/api/api-failure.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { useChat } from '../chat-link/chat-context.tsx';
import type { ChatClient } from '../chat-link/client.ts';
import { senderOf } from '../chat-link/rows.ts';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

/** A message to be scrolled to; each request is a new object, so that the same message can be requested again. */
export interface Focus {
  readonly seq: number;
}

/** Page size when loading back to a found message. */
const PAGE = 100;
const MAX_PAGES = 50;

/** Loads older messages until the given one is loaded. Resolves to false when it cannot be loaded. */
async function loadMessage(chat: ChatClient, groupId: string, seq: number): Promise<boolean> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const log = chat.group(groupId)?.log;
    const first = log?.list[0];
    if (!log || !first) return false;
    if (first.seq <= seq) return true;
    if (!log.hasOlder || !(await chat.older(groupId, PAGE))) return false;
  }
  return false;
}

/** An excerpt around the first hit, with the hits highlighted. Text only, so none of it is ever markup. */
function Highlighted({ text, term }: { text: string; term: string }): ReactNode {
  const at = Math.max(0, text.toLowerCase().indexOf(term.toLowerCase()));
  const from = Math.max(0, at - 12);
  return (
    <>
      {from > 0 && '…'}
      {text.slice(from, at)}
      <mark className="bg-attn-bg text-ink">{text.slice(at, at + term.length)}</mark>
      {text.slice(at + term.length, at + term.length + 40)}
    </>
  );
}

type SearchResult = { term: string; list: readonly ChatMessage[]; more: boolean };

function useSearch(groupId: string) {
  const chat = useChat();
  const [result, setResult] = useState<SearchResult | null>(null);
  const { busy, error, send } = useMutation(
    ({ term, before }: { term: string; before: number | null }) => chat.api.search(groupId, term, before),
    {
      failed: (failure) => (isNetworkFailure(failure) ? { send: '网络错误' } : undefined),
      done: ({ list, more }, { term, before }) =>
        setResult((was) => ({ term, list: before === null ? list : [...(was?.list ?? []), ...list], more })),
    },
  );
  const runSearch = (term: string, before: number | null) => send({ term, before });
  return { found: result, busy, error, ask: runSearch };
}

/** Searches the conversation; clicking a result scrolls to its message. */
export default function SearchPanel({
  groupId,
  members,
  onFocus,
  onClose,
}: {
  groupId: string;
  members: readonly ChatMember[];
  onFocus: (focus: Focus) => void;
  onClose: () => void;
}) {
  const chat = useChat();
  const { found: result, busy, error, ask: runSearch } = useSearch(groupId);
  const [term, setTerm] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (term.trim() !== '') void runSearch(term.trim(), null);
  };
  const go = async (seq: number) => {
    if (await loadMessage(chat, groupId, seq)) onFocus({ seq });
    else toast('这条消息太早，暂时无法定位', 'warn');
  };
  return (
    <search
      className="chat-search"
      onKeyDown={(event) => {
        if (pressedKey(event) === 'Escape') onClose();
      }}
    >
      <form className="flex items-center gap-2" onSubmit={submit}>
        <Input
          ref={field}
          small
          type="search"
          value={term}
          maxLength={40}
          aria-label="搜索聊天记录"
          placeholder="搜索聊天记录"
          onChange={(event) => setTerm(event.target.value)}
        />
        <Button size="sm" type="submit" busy={busy}>
          搜索
        </Button>
        <Button kind="ghost" size="sm" icon aria-label="关闭搜索" onClick={onClose}>
          <X className="icon" aria-hidden="true" />
        </Button>
      </form>
      <div role="status" className="text-12 text-ink-3">
        {error ?? (result && result.list.length === 0 ? `没有找到含「${result.term}」的消息` : '')}
      </div>
      {result && result.list.length > 0 && (
        <ul className="chat-found" aria-label="搜索结果">
          {result.list.map((message) => (
            <li key={message.seq}>
              <button type="button" onClick={() => void go(message.seq)}>
                <span className="flex items-baseline gap-2 text-12 text-ink-3">
                  {message.messageDirection === 1 ? '我' : senderOf(members, message.senderUserId).name}
                  <TimeLabel at={new Date(message.sentTime).toISOString()} form="chat" className="ml-auto" />
                </span>
                <span className="line-clamp-2 text-13">
                  <Highlighted text={message.content.content ?? ''} term={result.term} />
                </span>
              </button>
            </li>
          ))}
          {result.more && (
            <li className="py-2 text-center">
              <Button
                size="sm"
                busy={busy}
                onClick={() => void runSearch(result.term, result.list.at(-1)?.seq ?? null)}
              >
                更早的结果
              </Button>
            </li>
          )}
        </ul>
      )}
    </search>
  );
}
