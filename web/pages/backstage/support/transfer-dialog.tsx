import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { staffImColleagues, staffImTransfer } from '#contract/im-staff.ts';
import { call } from '#web/lib/api.ts';
import { useMutation } from '#web/lib/use-mutation.ts';
import { asFailure, failureMessage } from '#web/lib/call-errors.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field, FormError } from '#web/ui/field.tsx';
import { Input, Select } from '#web/ui/input.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { type Colleague, receivers } from './colleagues.ts';
import { FormFooter } from '#web/pages/backstage/parts/form-footer.tsx';

/** Transfers a conversation to a colleague, the one with most room first, with a note for the record. */
export function TransferDialog({
  groupId,
  without,
  onClose,
  onDone,
}: {
  groupId: string;
  /** Staff who are not offered: the caller and the current owner of the conversation. */
  without: readonly (number | null)[];
  onClose: () => void;
  onDone: () => void;
}) {
  const [list, setList] = useState<readonly Colleague[] | null>(null);
  const [staffId, setStaffId] = useState('');
  const [note, setNote] = useState('');
  const { form, busy, errors, setErrors, send } = useMutation(staffImTransfer, {
    fields: ['staffId', 'note'],
    check: () => ({ staffId: staffId === '' ? '请选择接手的客服' : undefined }),
    done: () => {
      toast('已转接', 'ok');
      onDone();
    },
  });
  const showError = useEffectEvent((text: string) => setErrors({ send: text }));
  useEffect(() => {
    call(staffImColleagues, {}, { quiet: true }).then(
      (data) => setList(data.list),
      (thrown: unknown) => showError(failureMessage(asFailure(thrown))),
    );
  }, []);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    const text = note.trim();
    void send({ groupId, staffId: Number(staffId), ...(text !== '' && { note: text }) });
  };
  const offered = receivers(list ?? [], without);
  return (
    <Dialog
      title="转接会话"
      busy={busy}
      onClose={onClose}
      footer={
        <FormFooter busy={busy} onSend={() => submit()}>
          转接
        </FormFooter>
      }
    >
      <form ref={form} className="grid gap-3" onSubmit={submit}>
        <Field
          label="接手的客服"
          required
          error={errors.staffId}
          help={list !== null && offered.length === 0 ? '现在没有可以接手的同事，请稍后再试' : undefined}
        >
          {(control) => (
            <Select {...control} value={staffId} onChange={(event) => setStaffId(event.target.value)}>
              <option value="">请选择</option>
              {offered.map((one) => (
                <option key={one.staffId} value={one.staffId}>
                  {one.name}（{one.online ? '在线' : '离线'}，接待 {one.load}/{one.maxChats}）
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="备注" error={errors.note} help="只记入操作记录，群里的人看不到">
          {(control) => (
            <Input {...control} value={note} maxLength={100} onChange={(event) => setNote(event.target.value)} />
          )}
        </Field>
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}
