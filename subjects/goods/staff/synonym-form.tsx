import { useId, useState } from 'react';
import {
  addSynonym,
  changeSynonym,
  MEANT_MAX,
  type Synonym,
  SYNONYM_NOTE_MAX,
  TERM_MAX,
} from '#subjects/goods/contract/staff-synonyms.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { FormFooter } from '#subjects/back-office/staff/parts/form-footer.tsx';

interface Typed {
  term: string;
  meant: string;
  note: string;
  reason: string;
}

/** Adds a synonym, for a keyword without results or for any term; or changes its meaning. */
export function SynonymForm({
  item,
  term = '',
  onDone,
  onClose,
}: {
  item?: Synonym;
  term?: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const formId = useId();
  const [typed, setTyped] = useState<Typed>({
    term: item?.term ?? term.slice(0, TERM_MAX),
    meant: item?.meant ?? '',
    note: item?.note ?? '',
    reason: '',
  });
  const { form, busy, errors, submit } = useMutation(
    async ({ term: own, ...rest }: Typed, options) =>
      item
        ? await call(changeSynonym, { synonymId: item.synonymId, version: item.version, ...rest }, options)
        : await call(addSynonym, { term: own, ...rest }, options),
    {
      fields: ['term', 'meant', 'note', 'reason'],
      check: () => ({
        term: typed.term.trim().length < 2 ? '请填写搜索词，至少两个字' : undefined,
        meant: typed.meant.trim().length < 2 ? '请填写也要搜索的词，至少两个字' : undefined,
        reason: typed.reason.trim().length < 2 ? '请写明原因' : undefined,
      }),
      done: () => {
        toast('已保存，立即生效', 'ok');
        onDone();
      },
    },
  );
  const field = (name: keyof Typed, label: string, max: number, help?: string, disabled = false) => (
    <Field label={label} required={name !== 'note'} error={errors[name]} {...(help && { help })}>
      {(control) => (
        <Input
          {...control}
          maxLength={max}
          autoComplete="off"
          disabled={disabled}
          value={typed[name]}
          onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <Dialog
      title={item ? '修改同义词' : '添加同义词'}
      closeOnBackdrop={false}
      onClose={onClose}
      footer={
        <FormFooter form={formId} busy={busy}>
          保存
        </FormFooter>
      }
    >
      <form id={formId} ref={form} noValidate className="grid gap-4" onSubmit={submit(() => typed)}>
        {field('term', '搜索词', TERM_MAX, '买家输入的词；字母数字按整词匹配', item !== undefined)}
        {field('meant', '也搜索', MEANT_MAX, '商品里会写的词，例如游戏名、皮肤名；多个词用空格隔开，商品须全部包含')}
        {field('note', '备注', SYNONYM_NOTE_MAX)}
        {field('reason', '原因', 200)}
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}
