import { MessageSquareQuote, Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useCallback, useEffect, useState } from 'react';
import { type CannedReply, cannedList, removeCanned, saveCanned, usedCanned } from '#contract/im-desk.ts';
import { call } from '#web/lib/api.ts';
import { asFailure, failureMessage } from '#web/parts/order/failures.ts';
import { Button } from '#web/ui/button.tsx';
import { Input, Textarea } from '#web/ui/input.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';

const EMPTY = { title: '', text: '' };

/** Whether an answer fits what was typed: its shortcut, title or text. */
function fits(answer: CannedReply, word: string): boolean {
  const wanted = word.trim().toLowerCase();
  return [answer.shortcut ?? '', answer.title, answer.text].some((text) => text.toLowerCase().includes(wanted));
}

/** A new answer of one's own. A refusal keeps what was typed. */
function NewAnswer({ onDone }: { onDone: () => void }) {
  const [given, setGiven] = useState(EMPTY);
  const [error, setError] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (given.title.trim() === '' || given.text.trim() === '') return setError('请填写标题和内容');
    try {
      await call(saveCanned, { ...given, grp: '我的', mine: true }, { quiet: true });
      onDone();
    } catch (thrown) {
      setError(failureMessage(asFailure(thrown)));
    }
  };
  return (
    <form className="grid gap-2 border-t border-line-soft p-3" onSubmit={(event) => void submit(event)}>
      <Input
        small
        aria-label="标题"
        placeholder="标题"
        maxLength={30}
        value={given.title}
        onChange={(event) => setGiven({ ...given, title: event.target.value })}
      />
      <Textarea
        rows={3}
        aria-label="内容"
        placeholder="内容"
        maxLength={2000}
        value={given.text}
        onChange={(event) => setGiven({ ...given, text: event.target.value })}
      />
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <Button size="sm" type="submit">
        保存
      </Button>
    </form>
  );
}

function Answers({ onPick }: { onPick: (words: string) => void }) {
  const [list, setList] = useState<readonly CannedReply[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [word, setWord] = useState('');
  const [adding, setAdding] = useState(false);
  const load = useCallback(() => {
    call(cannedList, {}, { quiet: true }).then(
      (data) => {
        setList(data.list);
        setError(null);
      },
      (thrown: unknown) => setError(failureMessage(asFailure(thrown))),
    );
  }, []);
  useEffect(load, [load]);
  if (error) return <ErrorState message={error} onRetry={load} />;
  if (!list) return <Skeleton className="m-3 h-40" />;
  const shown = list.filter((answer) => fits(answer, word));
  const pick = (answer: CannedReply) => {
    onPick(answer.text);
    // Only the order of the list depends on it.
    call(usedCanned, { id: answer.id }, { quiet: true }).catch(() => undefined);
  };
  const remove = async (id: number) => {
    try {
      await call(removeCanned, { id });
      load();
    } catch {
      // The sentence was shown.
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
          value={word}
          onChange={(event) => setWord(event.target.value)}
        />
        <Button size="sm" icon aria-label="新建快捷回复" aria-expanded={adding} onClick={() => setAdding(!adding)}>
          <Plus className="icon" aria-hidden="true" />
        </Button>
      </div>
      {adding && (
        <NewAnswer
          onDone={() => {
            setAdding(false);
            load();
          }}
        />
      )}
      {shown.length === 0 && <p className="px-3 pb-4 text-12 text-ink-3">没有符合的快捷回复，按加号新建一条。</p>}
      <ul>
        {shown.map((answer) => (
          <li key={answer.id} className="flex items-start border-t border-line-soft hover:bg-hover">
            <button
              type="button"
              className="grid min-w-0 flex-1 gap-0.5 px-3 py-2 text-left"
              onClick={() => pick(answer)}
            >
              <span className="flex gap-2 text-13 font-medium">
                {answer.title}
                <span className="ml-auto text-12 font-normal text-ink-3">{answer.grp}</span>
              </span>
              <span className="line-clamp-2 text-12 text-ink-3">{answer.text}</span>
            </button>
            {answer.mine && (
              <Button
                kind="ghost"
                size="sm"
                icon
                aria-label={`删除${answer.title}`}
                onClick={() => void remove(answer.id)}
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

/** Canned answers behind a button of the field; one goes into the text at the cursor, so that it can be changed before it is sent. */
export function Canned({ onPick }: { onPick: (words: string) => void }) {
  return (
    <Popover
      label="快捷回复"
      className="w-84"
      trigger={(props) => (
        <button type="button" {...props} aria-label="快捷回复" className="btn btn-ghost btn-sm">
          <MessageSquareQuote className="icon" aria-hidden="true" />
          <span className="max-md:hidden">快捷回复</span>
        </button>
      )}
    >
      {(close) => (
        <Answers
          onPick={(words) => {
            close();
            onPick(words);
          }}
        />
      )}
    </Popover>
  );
}
