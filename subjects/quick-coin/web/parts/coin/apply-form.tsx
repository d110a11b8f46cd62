import { type ReactNode, useState } from 'react';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { ContactWatch } from '#web/parts/contact-hint.tsx';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { EvidenceBox, type Evidence } from '#subjects/orders/web/parts/order/evidence-box.tsx';
import { Button } from '#web/ui/button.tsx';
import { FieldGroup } from '#web/ui/forms/field-group.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, Textarea, withChoice } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { textsOf } from '#web/lib/forms/form-values.ts';

interface Former {
  name: string;
  intro: string;
  status: string;
  reviewNote: string | null;
  games: readonly { gameId: number }[];
}

interface Application {
  name: string;
  intro: string;
  contact: string;
  gameIds: number[];
  pictures: string[];
}

/** Fields of a role in addition to the common ones. */
export interface MoreFields<T extends object> {
  /** The server's field names and those of the form. */
  fields: Readonly<Record<string, string>>;
  read: (text: (name: string) => string) => T;
  check: (values: T) => FormErrors;
  render: (errors: FormErrors) => ReactNode;
}

const NOTHING_MORE: MoreFields<object> = { fields: {}, read: () => ({}), check: () => ({}), render: () => null };

/**
 * Application for a role: name, games, introduction, contact, proofs. `former` is the previous application; `foot` says what follows after
 * approval; `more` adds fields of the role, which `send` receives together with the others.
 */
export function ApplyForm<T extends object = object>({
  former,
  games,
  labels,
  foot,
  more: extra,
  send,
}: {
  former: Former | null;
  /** With the unit of its coin where coin is traded. */
  games: readonly { gameId: number; name: string; unit?: string }[];
  labels: { name: string; games: string; intro: string; pictures?: { name: string; help: string } };
  foot: string;
  more?: MoreFields<T>;
  send: (form: Application & T, options: SendOptions) => Promise<unknown>;
}) {
  const more = extra ?? (NOTHING_MORE as unknown as MoreFields<T>);
  const [chosen, setChosen] = useState<readonly number[]>(former?.games.map((g) => g.gameId) ?? []);
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const { form, busy, errors, submit } = useMutation(send, {
    draft: `apply:${labels.name}`,
    fields: { name: 'name', intro: 'intro', contact: 'contact', gameIds: 'games', ...more.fields },
    check: ({ name, contact, ...rest }: Application & T) => ({
      ...more.check(rest as unknown as T),
      name: name.length < 2 ? `${labels.name}至少 2 个字` : undefined,
      contact: contact.length < 5 ? '请填写能联系到您的 QQ、微信或手机号' : undefined,
      games: chosen.length === 0 ? '请至少选择一个游戏' : undefined,
    }),
    revalidates: true,
    done: () => toast('申请已提交，请等待审核', 'ok'),
  });
  const read = (element: HTMLFormElement): Application & T => {
    const text = textsOf(element);
    return {
      ...more.read(text),
      name: text('name'),
      intro: text('intro'),
      contact: text('contact'),
      gameIds: [...chosen],
      pictures: pictures.map(({ key }) => key),
    };
  };
  return (
    <form ref={form} noValidate className="grid max-w-140 gap-4 p-4" onSubmit={submit(read)}>
      {former?.status === 'refused' && (
        <p className="rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn" role="status">
          上次申请未通过：{former.reviewNote}。修改后可重新提交。
        </p>
      )}
      <Field label={labels.name} required error={errors.name} help="2 到 24 个字，对方可见。">
        {(control) => (
          <ContactWatch initial={former?.name} isName>
            <Input {...control} name="name" maxLength={24} defaultValue={former?.name ?? ''} />
          </ContactWatch>
        )}
      </Field>
      <FieldGroup legend={labels.games} error={errors.games}>
        {(isInvalid) => (
          <div className="grid grid-cols-2 gap-2 md:grid-cols-3">
            {games.map(({ gameId, name, unit }) => (
              <Checkbox
                key={gameId}
                checked={chosen.includes(gameId)}
                aria-invalid={isInvalid}
                onChange={(event) => setChosen(withChoice(chosen, gameId, event.target.checked))}
              >
                {name} <span className="text-ink-3">{unit}</span>
              </Checkbox>
            ))}
          </div>
        )}
      </FieldGroup>
      <Field label="介绍" error={errors.intro} help={labels.intro}>
        {(control) => (
          <ContactWatch initial={former?.intro}>
            <Textarea {...control} name="intro" maxLength={500} rows={3} defaultValue={former?.intro ?? ''} />
          </ContactWatch>
        )}
      </Field>
      {more.render(errors)}
      <Field label="联系方式" required error={errors.contact} help="加密保存，只有审核人员能看到。">
        {(control) => <Input {...control} name="contact" holds="contact" maxLength={40} autoComplete="off" />}
      </Field>
      <div className="field">
        <span className="field-label">
          {labels.pictures?.name ?? '经营凭证'}
          <span className="ml-1 font-normal text-ink-3">选填</span>
        </span>
        <EvidenceBox
          title={null}
          pictures={pictures}
          help={labels.pictures?.help ?? '经营或资金截图，PNG 或 JPEG，每张不超过 10M；只有审核人员可见。'}
          onChange={(change) => setPictures(change)}
        />
      </div>
      <FormError>{errors.send}</FormError>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" kind="primary" size="lg" busy={busy}>
          提交申请
        </Button>
        <p className="text-12 text-ink-3">{foot}</p>
      </div>
    </form>
  );
}
