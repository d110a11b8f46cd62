import { type FormEvent, type ReactNode, useState } from 'react';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { ContactWatch } from '#web/parts/contact-hint.tsx';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { FieldGroup } from '#web/ui/forms/field-group.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, Textarea, withChoice } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { type Errors, textsOf } from '#web/lib/forms/form-values.ts';

/** The changed fields of a record; only these wait for review. */
interface ProfileChange {
  name?: string;
  intro?: string;
  gameIds?: number[];
}

interface Sending {
  change: ProfileChange;
  text: (name: string) => string;
}

/** Same numbers in any order. */
const sameSet = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));

/**
 * The record of a shop or a recycler: changes of name, introduction and games wait for review while the old values stay
 * in use. `extra` adds fields, which `send` reads with `text`; `foot` is displayed left of the buttons.
 */
export function ProfileDialog({
  title,
  labels,
  record,
  games,
  extra,
  fields = {},
  foot,
  send,
  onClose,
  onDone,
}: {
  title: string;
  labels: { name: string; games: string };
  record: { name: string; intro: string; games: readonly { gameId: number }[]; hasPending: boolean };
  games: readonly { gameId: number; name: string }[];
  extra?: (errors: FormErrors) => ReactNode;
  /** Names of the extra fields: the server's and the form's. */
  fields?: Readonly<Record<string, string>>;
  foot?: ReactNode;
  send: (change: ProfileChange, text: (name: string) => string, options: SendOptions) => Promise<unknown>;
  onClose: () => void;
  onDone: () => void;
}) {
  const before = record.games.map((g) => g.gameId);
  const [chosen, setChosen] = useState<readonly number[]>(before);
  const {
    form,
    busy,
    errors,
    send: sendRecord,
    setErrors,
  } = useMutation(({ change, text }: Sending, options) => send(change, text, options), {
    fields: { name: 'name', intro: 'intro', gameIds: 'games', notice: 'notice', ...fields },
    done: (_, { change }) => {
      toast(Object.keys(change).length > 0 ? '已提交，名称、介绍和游戏审核后生效' : '已保存', 'ok');
      onDone();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    const wrong: Errors = {
      ...(text('name').length < 2 && { name: `${labels.name}至少 2 个字` }),
      ...(chosen.length === 0 && { games: '请至少选择一个游戏' }),
    };
    if (Object.keys(wrong).length > 0) return setErrors(wrong);
    const change: ProfileChange = {
      ...(text('name') !== record.name && { name: text('name') }),
      ...(text('intro') !== record.intro && { intro: text('intro') }),
      ...(!sameSet(chosen, before) && { gameIds: [...chosen] }),
    };
    if (Object.keys(change).length === 0 && extra === undefined) return onClose();
    void sendRecord({ change, text });
  };
  return (
    <Dialog title={title} onClose={onClose} closeOnBackdrop={false}>
      <form ref={form} noValidate className="grid gap-4" onSubmit={submit}>
        {record.hasPending && (
          <p className="rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn" role="status">
            上次的修改还在审核，这里是正在使用的资料；再次提交会替换其中改动的部分。
          </p>
        )}
        <Field label={labels.name} required error={errors.name} help="2 到 24 个字，修改后需审核。">
          {(control) => (
            <ContactWatch initial={record.name} isName>
              <Input {...control} name="name" maxLength={24} defaultValue={record.name} />
            </ContactWatch>
          )}
        </Field>
        <Field label="介绍" error={errors.intro} help="修改后需审核；不要留联系方式。">
          {(control) => (
            <ContactWatch initial={record.intro}>
              <Textarea {...control} name="intro" maxLength={500} rows={3} defaultValue={record.intro} />
            </ContactWatch>
          )}
        </Field>
        {extra?.(errors)}
        <FieldGroup legend={labels.games} error={errors.games}>
          {(isInvalid) => (
            <div className="grid grid-cols-2 gap-2">
              {games.map(({ gameId, name }) => (
                <Checkbox
                  key={gameId}
                  checked={chosen.includes(gameId)}
                  aria-invalid={isInvalid}
                  onChange={(event) => setChosen(withChoice(chosen, gameId, event.target.checked))}
                >
                  {name}
                </Checkbox>
              ))}
            </div>
          )}
        </FieldGroup>
        <FormError>{errors.send}</FormError>
        <div className="flex flex-wrap justify-end gap-2">
          {foot && <span className="mr-auto">{foot}</span>}
          <BackButton disabled={busy}>返回</BackButton>
          <Button type="submit" kind="primary" busy={busy}>
            保存
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
