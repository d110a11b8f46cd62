import { useEffect, useMemo, useState } from 'react';
import { type CannedReply, usedCanned } from '#subjects/chat/contract/im-support.ts';
import { call } from '#web/lib/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { insertInto } from './inserters.ts';
import { filled, missing } from './variables.ts';

const MOST = 9;

/** Sorts replies: first those whose group or title names this step, then by use. */
function forStep(list: readonly CannedReply[], step: string): CannedReply[] {
  const names = (reply: CannedReply) =>
    step !== '' && (reply.grp === step || step.includes(reply.grp) || reply.title.includes(step));
  return list.toSorted((a, b) => Number(names(b)) - Number(names(a)) || b.uses - a.uses).slice(0, MOST);
}

/** The placeholders to fill in before a reply can be inserted. */
function Needs({ names, onFill }: { names: readonly string[]; onFill: (values: Record<string, string>) => void }) {
  const [values, setValues] = useState<Record<string, string>>({});
  return (
    <form
      className="flex flex-wrap gap-1.5 pb-2"
      onSubmit={(event) => {
        event.preventDefault();
        onFill(values);
      }}
    >
      {names.map((name) => (
        <Input
          key={name}
          small
          required
          aria-label={name}
          placeholder={name}
          maxLength={60}
          className="w-28"
          value={values[name] ?? ''}
          onChange={(event) => setValues({ ...values, [name]: event.target.value })}
        />
      ))}
      <Button size="sm" type="submit">
        放进输入框
      </Button>
    </form>
  );
}

/**
 * Canned replies for the due step, with the names of this order filled in; Alt and a digit inserts one into the field.
 */
export function StepAnswers({
  replies,
  groupId,
  step,
  values,
}: {
  /** Undefined while loading. */
  replies: readonly CannedReply[] | undefined;
  groupId: string;
  step: string;
  values: Readonly<Record<string, string>>;
}) {
  const [asking, setAsking] = useState<number | null>(null);
  const list = useMemo(() => forStep(replies ?? [], step), [replies, step]);
  const put = (reply: CannedReply, more: Readonly<Record<string, string>> = {}) => {
    const all = { ...values, ...more };
    if (missing(reply.text, all).length > 0) return setAsking(reply.id);
    setAsking(null);
    insertInto(groupId, filled(reply.text, all));
    // Only the order of the list depends on it.
    call(usedCanned, { id: reply.id }, { quiet: true }).catch(() => undefined);
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
      const reply = digit === undefined || !event.altKey ? undefined : list[Number(digit) - 1];
      if (!reply || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      put(reply);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
  if (list.length === 0) return null;
  return (
    <section className="border-t border-line-soft" aria-label="常用语">
      <h3 className="person-sub">
        常用语
        {step !== '' && <span className="ml-2 font-normal">{step}</span>}
      </h3>
      <ul className="px-3 pb-2">
        {list.map((reply, i) => (
          <li key={reply.id}>
            <button type="button" className="step-answer" onClick={() => put(reply)}>
              <span className="min-w-0">
                <b className="font-medium">{reply.title}</b>
                <span className="line-clamp-2 text-12 text-ink-3">{filled(reply.text, values)}</span>
              </span>
              <kbd className="max-lg:hidden">⌥{i + 1}</kbd>
            </button>
            {asking === reply.id && <Needs names={missing(reply.text, values)} onFill={(more) => put(reply, more)} />}
          </li>
        ))}
      </ul>
    </section>
  );
}
