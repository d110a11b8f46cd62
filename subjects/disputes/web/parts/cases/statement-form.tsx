import { useState } from 'react';
import { type Evidence, EvidenceBox } from '#subjects/orders/web/parts/order/evidence-box.tsx';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';

/** Text with pictures, sent once; the input is kept until the call has succeeded. */
export function StatementForm({
  label,
  help,
  least = 5,
  max = 1000,
  submitLabel,
  danger = false,
  send,
  onCancel,
}: {
  label: string;
  help?: string | undefined;
  least?: number;
  max?: number;
  submitLabel: string;
  danger?: boolean;
  send: (statement: { text: string; pictures: string[] }, options: SendOptions) => Promise<unknown>;
  onCancel?: () => void;
}) {
  const [text, setText] = useState('');
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const { form, busy, errors, submit } = useMutation(send, {
    fields: ['text'],
    check: ({ text: sent }) => ({ text: sent.length < least ? `${label}至少 ${least} 个字` : undefined }),
    done: () => {
      setText('');
      setPictures([]);
    },
  });
  const statement = () => ({ text: text.trim(), pictures: pictures.map(({ key }) => key) });

  return (
    <form ref={form} className="grid gap-3" onSubmit={submit(statement)}>
      <Field label={label} required error={errors.text} help={help}>
        {(control) => (
          <Textarea
            {...control}
            rows={4}
            maxLength={max}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <EvidenceBox
        pictures={pictures}
        onChange={setPictures}
        help="PNG 或 JPEG，每张不超过 10M；只有双方与客服可见。"
      />
      <FormError>{errors.send}</FormError>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={busy}>
          {submitLabel}
        </Button>
        {onCancel && <Button onClick={onCancel}>取消</Button>}
      </div>
    </form>
  );
}
