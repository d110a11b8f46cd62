import { useState } from 'react';
import { saveShift } from '#subjects/chat/contract/im-support.ts';
import { call } from '#web/lib/api/api.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { FormDialog } from './forms/form-dialog.tsx';

/** The value of a datetime-local field, which has no time zone, as China time. */
const inChina = (local: string): string => `${local}:00+08:00`;

/** The shift of one agent. */
export function ShiftDialog({
  staff,
  onClose,
  onDone,
}: {
  staff: readonly { staffId: number; name: string }[];
  onClose: () => void;
  onDone: () => void;
}) {
  const [draft, setDraft] = useState({ staffId: '', startsAt: '', endsAt: '' });
  const set = (change: Partial<typeof draft>) => setDraft((was) => ({ ...was, ...change }));
  const check = () => ({
    staffId: draft.staffId === '' ? '请选择客服' : undefined,
    startsAt: draft.startsAt === '' ? '请填写开始时间' : undefined,
    endsAt:
      draft.endsAt === ''
        ? '请填写结束时间'
        : draft.startsAt !== '' && draft.endsAt <= draft.startsAt
          ? '结束时间要晚于开始时间'
          : undefined,
  });
  return (
    <FormDialog
      title="新建班次"
      fields={['staffId', 'startsAt', 'endsAt']}
      check={check}
      send={() =>
        call(
          saveShift,
          { staffId: draft.staffId, startsAt: inChina(draft.startsAt), endsAt: inChina(draft.endsAt) },
          { quiet: true },
        )
      }
      onDone={onDone}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field label="客服" required error={errors.staffId}>
            {(control) => (
              <Select {...control} value={draft.staffId} onChange={(e) => set({ staffId: e.target.value })}>
                <option value="">请选择</option>
                {staff.map((one) => (
                  <option key={one.staffId} value={one.staffId}>
                    {one.name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="开始（北京时间）" required error={errors.startsAt}>
            {(control) => (
              <Input
                {...control}
                type="datetime-local"
                value={draft.startsAt}
                onChange={(e) => set({ startsAt: e.target.value })}
              />
            )}
          </Field>
          <Field label="结束（北京时间）" required error={errors.endsAt}>
            {(control) => (
              <Input
                {...control}
                type="datetime-local"
                value={draft.endsAt}
                onChange={(e) => set({ endsAt: e.target.value })}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
