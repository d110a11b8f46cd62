import { useState } from 'react';
import { addBlack } from '#subjects/verification/contract/staff-trust.ts';
import { type BlackReason, blackReasonNames, LISTED_DAYS } from '../../rules/black.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { SubmitButton, TextField } from '#subjects/accounts/web/parts/account/form-parts.tsx';
import { accountsProblem, BlackAccounts, firstBlackAccount } from '../../web/parts/trust/black-accounts.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Select, Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

const tooShort = (text: string | undefined, min: number, label: string): string | undefined =>
  (text ?? '').length < min ? `${label}至少 ${min} 个字` : undefined;

function useEntry(onDone: () => void) {
  const [accounts, setAccounts] = useState(firstBlackAccount);
  const state = useMutation(addBlack, {
    fields: ['title', 'accounts', 'publicText', 'grounds'],
    check: ({ title, publicText, grounds }) => ({
      title: tooShort(title, 4, '标题'),
      accounts: accountsProblem(accounts),
      publicText: tooShort(publicText, 4, '公示内容'),
      grounds: tooShort(grounds, 10, '依据'),
    }),
    done: ({ blackSn }) => {
      toast(`已列入名单，编号 ${blackSn}`, 'ok');
      onDone();
      return true;
    },
  });
  const submit = state.submit((form) => ({
    reason: typed(form, 'reason') as BlackReason,
    title: typed(form, 'title').trim(),
    accounts: accounts.map(({ kind, value }) => ({ kind, value: value.trim() })),
    publicText: typed(form, 'publicText').trim(),
    grounds: typed(form, 'grounds').trim(),
    days: Number(typed(form, 'days')),
  }));
  return { ...state, submit, accounts, setAccounts };
}

/** Lists an account without a report: the numbers, the public text, and the grounds. */
export function EntryDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { form, errors, busy, submit, accounts, setAccounts } = useEntry(onDone);
  return (
    <Dialog title="登记黑号" onClose={onClose}>
      <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit}>
        <div className="grid gap-4 md:grid-cols-2">
          <Field label="原因" required>
            {(control) => (
              <Select {...control} name="reason" defaultValue="fraud">
                {Object.entries(blackReasonNames).map(([reason, name]) => (
                  <option key={reason} value={reason}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="公示时间" required>
            {(control) => (
              <Select {...control} name="days" defaultValue={LISTED_DAYS[0]}>
                {LISTED_DAYS.map((days) => (
                  <option key={days} value={days}>
                    {days % 365 === 0 ? `${days / 365} 年` : `${days} 天`}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <TextField label="标题" name="title" maxLength={60} autoComplete="off" error={errors.title} />
        <BlackAccounts legend="账号" accounts={accounts} error={errors.accounts} onChange={setAccounts} />
        <Field
          label="公示内容"
          required
          error={errors.publicText}
          help="任何人可见：只写核实的事实，不写姓名、完整账号。"
        >
          {(control) => <Textarea {...control} name="publicText" rows={3} maxLength={1000} />}
        </Field>
        <Field
          label="依据"
          required
          error={errors.grounds}
          help="不公开：写明线索从哪里来、怎么核实的；对方申诉时由另一位同事据此复核。"
        >
          {(control) => <Textarea {...control} name="grounds" rows={3} maxLength={2000} />}
        </Field>
        <FormError>{errors.send}</FormError>
        <SubmitButton busy={busy}>列入名单</SubmitButton>
      </form>
    </Dialog>
  );
}
