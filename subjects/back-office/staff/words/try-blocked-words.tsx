import { useState } from 'react';
import { tryBlockedWords } from '#subjects/back-office/contract/blocked-words.ts';
import type { Data } from '#contract/endpoint.ts';
import { wordLevels } from '../../rules/blocked-words.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { Tag } from '#web/ui/tag.tsx';

const TONES = { mask: undefined, review: 'attn', refuse: 'danger' } as const;

function Outcome({ name, text }: { name: string; text: string | null }) {
  return (
    <div className="grid gap-1">
      <h3 className="text-12 text-ink-3">{name}</h3>
      {text === null ? (
        <p className="text-13 text-danger">不能提交</p>
      ) : (
        <p className="rounded-card bg-sunken px-3 py-2 text-13 break-words whitespace-pre-wrap">
          {text === '' ? '（没有剩下的文字）' : text}
        </p>
      )}
    </div>
  );
}

/** Shows a text as filtered by the blocked words and by the contact filter; nothing is counted or stored. */
export function TryBlockedWords() {
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState<Data<typeof tryBlockedWords> | null>(null);
  const { form, busy, errors, submit } = useMutation(tryBlockedWords, {
    fields: ['text'],
    check: () => ({ text: text.trim() === '' ? '请填写一段文字' : undefined }),
    done: setOutcome,
  });
  return (
    <section className="panel p-4" aria-label="试一段文字">
      <form ref={form} noValidate className="grid gap-3" onSubmit={submit(() => ({ text }))}>
        <Field label="试一段文字" required help="看看会变成什么，不计入命中" error={errors.text}>
          {(control) => (
            <Textarea
              {...control}
              rows={4}
              maxLength={2000}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setOutcome(null);
              }}
            />
          )}
        </Field>
        <FormError>{errors.send}</FormError>
        <Button type="submit" busy={busy} className="justify-self-start">
          试一下
        </Button>
      </form>
      {outcome && (
        <div className="mt-4 grid gap-3" role="status">
          <p className="flex flex-wrap items-center gap-1.5 text-13">
            {outcome.hits.length === 0 ? '没有命中屏蔽词' : '命中'}
            {outcome.hits.map(({ word, level, from }) => {
              const tone = TONES[level];
              return (
                <Tag key={from} {...(tone && { tone })}>
                  {word}：{wordLevels[level]}
                </Tag>
              );
            })}
          </p>
          <Outcome name="发布后别人看到的" text={outcome.published} />
          <Outcome name="聊天里对方看到的" text={outcome.chat} />
        </div>
      )}
    </section>
  );
}
