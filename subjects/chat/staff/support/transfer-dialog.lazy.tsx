import { type FormEvent, useState } from 'react';
import { staffImColleagues, staffImTransfer } from '#subjects/chat/contract/im-staff.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ErrorState } from '#web/ui/states.tsx';
import { FormFooter } from '#subjects/back-office/staff/parts/form-footer.tsx';
import { usePanel } from '#subjects/back-office/staff/parts/use-panel.ts';
import { receivers } from './colleagues.ts';

/** Transfers a conversation to a colleague, least loaded first, with a note for the record. */
export default function TransferDialog({
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
  const { data, failure, reload } = usePanel(staffImColleagues, {});
  const [staffId, setStaffId] = useState('');
  const [note, setNote] = useState('');
  const { form, busy, errors, send } = useMutation(staffImTransfer, {
    fields: ['staffId', 'note'],
    check: () => ({ staffId: staffId === '' ? '请选择接手的客服' : undefined }),
    done: () => {
      toast('已转接', 'ok');
      onDone();
    },
  });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    const text = note.trim();
    void send({ groupId, staffId: Number(staffId), ...(text !== '' && { note: text }) });
  };
  const offered = receivers(data?.list ?? [], without);
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
        {data === null && failure !== null && <ErrorState message={failure} onRetry={reload} />}
        <Field
          label="接手的客服"
          required
          error={errors.staffId}
          help={data !== null && offered.length === 0 ? '现在没有可以接手的同事，请稍后再试' : undefined}
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
