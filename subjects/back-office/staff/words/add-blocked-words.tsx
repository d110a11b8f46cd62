import { useId, useState } from 'react';
import { addBlockedWords } from '#subjects/back-office/contract/blocked-words.ts';
import { IMPORT_LINES_MAX, type WordLevel, wordLevels } from '../../rules/blocked-words.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Radio, Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { FormFooter } from '../parts/form-footer.tsx';

const EXPLAINS: Readonly<Record<WordLevel, string>> = {
  mask: '换成 ＊，其余照常',
  review: '商品审核时提示；不审核的地方打码',
  refuse: '不能提交',
};

/** Adds one word or many lines; a list with an invalid line is rejected as a whole, with these lines. */
export function AddBlockedWords({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const formId = useId();
  const [lines, setLines] = useState('');
  const [level, setLevel] = useState<WordLevel>('mask');
  const [reason, setReason] = useState('');
  const { form, busy, errors, submit } = useMutation(addBlockedWords, {
    fields: ['lines', 'reason'],
    check: () => ({
      lines: lines.trim() === '' ? '请填写词语' : undefined,
      reason: reason.trim().length < 2 ? '请写明原因' : undefined,
    }),
    done: ({ added }) => {
      toast(`已添加 ${added} 个词，立即生效`, 'ok');
      onDone();
    },
  });
  return (
    <Dialog
      title="添加屏蔽词"
      closeOnBackdrop={false}
      onClose={onClose}
      footer={
        <FormFooter form={formId} busy={busy}>
          添加
        </FormFooter>
      }
    >
      <form
        id={formId}
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={submit(() => ({ lines, level, reason }))}
      >
        <Field
          label="词语"
          required
          help={`一行一个，最多 ${IMPORT_LINES_MAX} 行；可以写成“词语，级别，备注”。有一行不对则全部不添加`}
          error={errors.lines}
        >
          {(control) => (
            <Textarea
              {...control}
              rows={8}
              placeholder={'外挂\n代开发票，拒绝，诈骗'}
              value={lines}
              onChange={(event) => setLines(event.target.value)}
            />
          )}
        </Field>
        <fieldset className="grid gap-1.5">
          <legend className="mb-1 text-13 font-medium">没有写级别的行</legend>
          {(Object.keys(wordLevels) as WordLevel[]).map((key) => (
            <Radio key={key} name="level" checked={level === key} onChange={() => setLevel(key)}>
              {wordLevels[key]}
              <span className="ml-2 text-12 text-ink-3">{EXPLAINS[key]}</span>
            </Radio>
          ))}
        </fieldset>
        <Field label="原因" required error={errors.reason}>
          {(control) => (
            <Input
              {...control}
              maxLength={200}
              autoComplete="off"
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}
