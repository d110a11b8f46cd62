import { useId, useState } from 'react';
import { amountError, isPrice } from '#contract/rules/amounts.ts';
import { BUYS, SELLS } from '#contract/rules/parties.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { fenOf, yuanOf, grouped } from '#web/lib/format/format.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { BargainItem } from './bargain-query.ts';
import { type ConfirmedAction, sendAction, actionText } from './bargain-actions.ts';

/** Why a counter-offer cannot be sent; null when it can. */
export function counterProblem(counter: string, item: Pick<BargainItem, 'price' | 'sellrBargaPrice'>): string | null {
  if (!isPrice(counter)) return amountError(counter, '还价') ?? '还价应为正数，最多两位小数';
  if (fenOf(counter) <= fenOf(item.sellrBargaPrice)) return '还价应高于买家的出价，愿意接受请直接同意';
  return fenOf(counter) >= fenOf(item.price) ? '还价应低于商品标价' : null;
}

/** Suggested prices between the offer and the asking price, in whole yuan: the middle, and nearer to the price. */
export function quickCounters(item: Pick<BargainItem, 'price' | 'sellrBargaPrice'>): string[] {
  const [low, high] = [fenOf(item.sellrBargaPrice), fenOf(item.price)];
  const steps = [1 / 3, 1 / 2, 3 / 4].map((part) => Math.round((low + (high - low) * part) / 100) * 100);
  return [...new Set(steps)].filter((fen) => fen > low && fen < high).map(yuanOf);
}

function Figures({ item }: { item: BargainItem }) {
  const rows: [string, string][] = [
    ['标价', item.price],
    [item.belong === BUYS ? '您的出价' : '买家出价', item.sellrBargaPrice],
    ...(item.sellrCounterofferPrice ? [['卖家还价', item.sellrCounterofferPrice] as [string, string]] : []),
    item.net === null ? ['全包价', item.allInPrice] : ['按此价到手', item.net],
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-control bg-sunken px-3 py-2.5 text-13">
      {rows.map(([name, yuan]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="text-right font-medium">
            <Amount yuan={yuan} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function CounterField({
  item,
  value,
  error,
  onChange,
}: {
  item: BargainItem;
  value: string;
  error: Message | null;
  onChange: (value: string) => void;
}) {
  return (
    <div className="grid gap-2">
      <Field label="还价（元）" required error={error}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2" role="group" aria-label="常用还价">
        {quickCounters(item).map((yuan) => (
          <Button key={yuan} size="sm" aria-pressed={value === yuan} onClick={() => onChange(yuan)}>
            ¥{grouped(yuan)}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** Confirms and sends an action; the dialog stays open with the message after an error. */
export function ActionDialog({
  item,
  action,
  onClose,
  onDone,
}: {
  item: BargainItem;
  action: ConfirmedAction;
  onClose: () => void;
  onDone: () => void;
}) {
  const text = actionText(item.belong === BUYS ? BUYS : SELLS, action);
  const [price, setPrice] = useState('');
  const { form, busy, errors, error, setErrors, submit } = useMutation(
    (body: { id: number; price: string }, options) => sendAction(item, action, body.price, options),
    {
      fields: action === 'counter' ? ['price'] : [],
      intent: `bargain:${action}:${item.bargainId}`,
      check: () => ({ price: action === 'counter' ? (counterProblem(price, item) ?? undefined) : undefined }),
      // A counter-offer has only one text field.
      place: () => (action === 'counter' ? 'price' : 'send'),
      done: () => {
        if (text) toast(text.done, 'ok');
        onDone();
      },
    },
  );
  const formId = useId();
  if (!text) return null;

  return (
    <Dialog
      title={text.title}
      busy={busy}
      onClose={onClose}
      footer={
        <>
          <BackButton disabled={busy}>再想想</BackButton>
          <Button type="submit" form={formId} kind={text.danger ? 'danger' : 'primary'} busy={busy}>
            {text.label}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={formId}
        className="grid gap-3"
        noValidate
        onSubmit={submit(() => ({ id: item.bargainId, price }))}
      >
        <p className="text-13 text-ink-2">{text.question}</p>
        <Figures item={item} />
        {action === 'counter' ? (
          <CounterField
            item={item}
            value={price}
            error={errors.price ?? null}
            onChange={(value) => {
              setPrice(value);
              setErrors({});
            }}
          />
        ) : (
          <FormError>{error}</FormError>
        )}
      </form>
    </Dialog>
  );
}
