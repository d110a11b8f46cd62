import { saveCanned } from '#subjects/chat/contract/im-support.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';

/** A canned reply that is being written. */
export interface ReplyDraft {
  title: string;
  text: string;
}

/** Form for a personal canned reply. The input is kept after an error, and while the form or its panel is closed. */
export default function NewReply({
  draft,
  onChange,
  onDone,
}: {
  draft: ReplyDraft;
  onChange: (draft: ReplyDraft) => void;
  onDone: () => void;
}) {
  const { form, busy, errors, submit } = useMutation(saveCanned, {
    fields: ['title', 'text'],
    check: ({ title, text }) => ({
      title: title.trim() === '' ? '请填写标题' : undefined,
      text: text.trim() === '' ? '请填写内容' : undefined,
    }),
    done: onDone,
  });
  return (
    <form
      ref={form}
      className="grid gap-2 border-t border-line-soft p-3"
      onSubmit={submit(() => ({ ...draft, grp: '我的', mine: true }))}
    >
      <Field label="标题" required error={errors.title}>
        {(control) => (
          <Input
            {...control}
            small
            maxLength={30}
            value={draft.title}
            onChange={(event) => onChange({ ...draft, title: event.target.value })}
          />
        )}
      </Field>
      <Field label="内容" required error={errors.text}>
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            maxLength={2000}
            value={draft.text}
            onChange={(event) => onChange({ ...draft, text: event.target.value })}
          />
        )}
      </Field>
      <FormError>{errors.send}</FormError>
      <Button size="sm" type="submit" busy={busy}>
        保存
      </Button>
    </form>
  );
}
