import { useState } from 'react';
import { useRevalidator } from 'react-router';
import {
  type staffClaimDetail,
  staffClaimReceipt,
  staffClaimReceiptStrike,
} from '#subjects/guarantees/contract/staff-claims.ts';
import type { Data } from '#contract/endpoint.ts';
import { amountError } from '#contract/rules/amounts.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { amountFen } from '#subjects/disputes/web/parts/cases/amount-fen.ts';
import { Proof } from '#subjects/orders/web/parts/handover/proof.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { FieldGroup } from '#web/ui/forms/field-group.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type File = Data<typeof staffClaimDetail>;

const EMPTY = { amount: '', paidOn: '', note: '' };

function wrongWith(draft: typeof EMPTY, pictures: number): Record<string, string> {
  const fen = amountFen(draft.amount);
  return {
    ...(fen === null || fen <= 0 ? { amount: amountError(draft.amount.trim(), '凭证金额') ?? '凭证金额应为正数' } : {}),
    ...(draft.paidOn === '' ? { paidOn: '请填写充值日期' } : {}),
    ...(draft.note.trim().length < 2 ? { note: '凭证说明至少 2 个字' } : {}),
    ...(pictures === 0 ? { pictures: '请选择申请人提交的凭证图片' } : {}),
  };
}

/** The claimant's pictures; those chosen as the receipt are marked. */
function Pictures({
  file,
  chosen,
  onChange,
}: {
  file: File;
  chosen: readonly string[];
  onChange: (keys: string[]) => void;
}) {
  if (file.proofs.length === 0)
    return <p className="text-13 text-ink-3">申请人还没有提交图片，请先请他在理赔页补充充值凭证。</p>;
  return (
    <div className="flex flex-wrap gap-2">
      {file.proofs.map(({ key, thumb }, index) => {
        const isChosen = chosen.includes(key);
        return (
          <button
            key={key}
            type="button"
            aria-pressed={isChosen}
            aria-label={`凭证图片 ${index + 1}`}
            className={cx('overflow-hidden rounded-control border-2', isChosen ? 'border-act' : 'border-line-soft')}
            onClick={() => onChange(isChosen ? chosen.filter((other) => other !== key) : [...chosen, key])}
          >
            <img src={thumb} alt="" width={64} height={64} className="size-16 object-cover" />
          </button>
        );
      })}
    </div>
  );
}

function NewReceipt({ file, onDone }: { file: File; onDone: () => void }) {
  const [draft, setDraft] = useState(EMPTY);
  const [pictures, setPictures] = useState<string[]>([]);
  const { form, busy, errors, submit } = useMutation(staffClaimReceipt, {
    fields: ['amount', 'paidOn', 'note', 'pictures'],
    check: () => wrongWith(draft, pictures.length),
    done: () => {
      toast('已录入', 'ok');
      setDraft(EMPTY);
      setPictures([]);
      onDone();
    },
  });
  const change = (part: Partial<typeof EMPTY>) => setDraft((before) => ({ ...before, ...part }));
  const body = () => ({
    claimSn: file.claimSn,
    ...draft,
    amount: draft.amount.trim(),
    note: draft.note.trim(),
    pictures,
  });
  return (
    <form ref={form} className="grid max-w-160 gap-3 border-t border-line-soft px-4 py-3.5" onSubmit={submit(body)}>
      <div className="grid gap-3 md:grid-cols-3">
        <Field label="凭证金额（元）" required error={errors.amount}>
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              value={draft.amount}
              onChange={(event) => change({ amount: event.target.value })}
            />
          )}
        </Field>
        <Field label="充值日期" required error={errors.paidOn}>
          {(control) => (
            <Input
              {...control}
              type="date"
              value={draft.paidOn}
              onChange={(event) => change({ paidOn: event.target.value })}
            />
          )}
        </Field>
        <Field label="凭证说明" required error={errors.note}>
          {(control) => (
            <Input
              {...control}
              maxLength={200}
              value={draft.note}
              onChange={(event) => change({ note: event.target.value })}
            />
          )}
        </Field>
      </div>
      <FieldGroup legend={<span className="sr-only">凭证图片</span>} error={errors.pictures}>
        {(_, onEdit) => (
          <Pictures
            file={file}
            chosen={pictures}
            onChange={(keys) => {
              setPictures(keys);
              onEdit();
            }}
          />
        )}
      </FieldGroup>
      <FormError>{errors.send}</FormError>
      <div>
        <Button type="submit" kind="primary" size="sm" busy={busy}>
          录入凭证
        </Button>
      </div>
    </form>
  );
}

/** Top-up receipts: those entered by staff, what they prove together, and the form for another. */
export function Receipts({ file }: { file: File }) {
  const { revalidate } = useRevalidator();
  const isOpen = file.acts.length > 0;
  const strike = async (receiptId: number) => {
    await call(staffClaimReceiptStrike, { claimSn: file.claimSn, receiptId });
    toast('已作废', 'ok');
    void revalidate();
  };
  return (
    <section className="panel" aria-label="充值凭证">
      <div className="panel-head">
        <h2>充值凭证</h2>
        <p>超出商品价的赔付以凭证为限（规则 5.4）</p>
      </div>
      {file.receipts.length === 0 && <p className="px-4 py-3 text-13 text-ink-3">还没有录入凭证。</p>}
      <ul className="px-4 text-13">
        {file.receipts.map((r) => (
          <li
            key={r.receiptId}
            className={cx(
              'flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line-soft py-2 last:border-b-0',
              r.isStruck && 'text-ink-3 line-through',
            )}
          >
            <Amount yuan={r.amount} className="font-semibold" />
            <span>{r.paidOn}</span>
            <span className="min-w-0 flex-1">{r.note}</span>
            <Proof pictures={r.pictures} />
            <span className="text-12 text-ink-3">
              {r.staffName} <time>{fullAt(r.time)}</time>
            </span>
            {isOpen && !r.isStruck && (
              <Button size="sm" onClick={() => void strike(r.receiptId)}>
                作废
              </Button>
            )}
          </li>
        ))}
      </ul>
      {isOpen && file.takesReceipts && <NewReceipt file={file} onDone={() => void revalidate()} />}
    </section>
  );
}
