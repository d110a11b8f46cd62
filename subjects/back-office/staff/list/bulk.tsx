import { type ReactNode, useState } from 'react';
import { asFailure, failureMessage } from '#web/lib/api/call-errors.ts';
import { fenOf, yuanOf } from '#web/lib/format/format.ts';
import { textsOf } from '#web/lib/forms/form-values.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Amount } from '#web/ui/price.tsx';
import { FormFooter } from '../parts/form-footer.tsx';

export interface BulkResult {
  done: string[];
  refused: { key: string; text: string }[];
}

/** An action on several rows. `form` renders its inputs; their values are passed to `run`. */
export interface BulkAction<Item> {
  key: string;
  name: string;
  /** The key that is printed on the button. */
  hotkey?: string;
  danger?: boolean;
  fits: (item: Item) => boolean;
  /** Why the action does not apply to the other rows. */
  otherwise: string;
  question: ReactNode;
  form?: ReactNode;
  run: (ids: readonly string[], field: (name: string) => string) => Promise<BulkResult>;
}

/** Rows are sent in batches, so that progress can be shown and a large selection is not one long call. */
const PART = 20;

function Refused({ refused, unit }: { refused: BulkResult['refused']; unit: string }) {
  return (
    <div className="grid gap-1">
      <p className="font-medium text-danger">
        {refused.length} {unit}没有执行：
      </p>
      <ul className="grid max-h-64 gap-1 overflow-y-auto text-13">
        {refused.map(({ key, text }) => (
          <li key={key} className="flex gap-2">
            <span className="text-ink-2 tabular-nums">{key}</span>
            <span className="text-ink-3">{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Asks for confirmation once, runs the action for the applicable rows, and lists the rejected ones. */
export function BulkDialog<Item>({
  action,
  keys,
  items,
  idOf,
  unit,
  onDone,
  onClose,
}: {
  action: BulkAction<Item>;
  /** All selected rows, and the loaded ones among them; only the server can check the others. */
  keys: readonly string[];
  items: readonly Item[];
  idOf: (item: Item) => string;
  unit: string;
  onDone: (result: BulkResult) => void;
  onClose: () => void;
}) {
  const unfit = new Set(items.filter((item) => !action.fits(item)).map(idOf));
  const fitting = keys.filter((key) => !unfit.has(key));
  const unread = keys.length - items.length;
  const [result, setResult] = useState<BulkResult | null>(null);
  const [written, setWritten] = useState(0);
  const { form, busy, error, submit } = useMutation(
    async (field: (name: string) => string) => {
      const all: BulkResult = { done: [], refused: [] };
      for (let from = 0; from < fitting.length; from += PART) {
        const part = fitting.slice(from, from + PART);
        try {
          const { done, refused } = await action.run(part, field);
          all.done.push(...done);
          all.refused.push(...refused);
        } catch (failure) {
          // If nothing was done yet, the form stays open with the message. Otherwise the rest is listed as not done.
          if (from === 0) throw failure;
          const text = failureMessage(asFailure(failure));
          all.refused.push(...fitting.slice(from).map((key) => ({ key, text })));
          break;
        }
        setWritten(from + part.length);
      }
      return all;
    },
    {
      done: (all) => {
        setResult(all);
        onDone(all);
      },
    },
  );
  return (
    <Dialog title={action.name} busy={busy} onClose={onClose}>
      {result ? (
        <div className="grid gap-3">
          <p role="status">
            已完成 {result.done.length} {unit}。
          </p>
          {result.refused.length > 0 && <Refused refused={result.refused} unit={unit} />}
          <Button kind="primary" className="justify-self-end" onClick={onClose}>
            知道了
          </Button>
        </div>
      ) : (
        <form ref={form} className="grid gap-3" noValidate onSubmit={submit(textsOf)}>
          <p className="text-13">{action.question}</p>
          <p className="text-13 text-ink-2">
            对 {fitting.length} {unit}执行
            {unfit.size > 0 && `；另 ${unfit.size} ${unit}${action.otherwise}，会跳过`}。
            {unread > 0 && `其中 ${unread} ${unit}没有显示在页面上，不适用的会逐${unit}列出原因。`}
          </p>
          {action.form}
          {busy && <progress className="admin-progress" max={fitting.length} value={written} />}
          <FormError>{error}</FormError>
          <div className="flex justify-end gap-2">
            <FormFooter busy={busy} danger={action.danger === true} disabled={fitting.length === 0}>
              {action.name}
            </FormFooter>
          </div>
        </form>
      )}
    </Dialog>
  );
}

/** The bar at the bottom of the list while rows are selected: their number, their sum, and the actions. */
export function BulkBar<Item>({
  count,
  items,
  all,
  unit,
  sumOf,
  actions,
  onAction,
  onClear,
}: {
  count: number;
  items: readonly Item[];
  /** Selects all rows of the filter. */
  all: ReactNode;
  unit: string;
  sumOf: ((item: Item) => string) | undefined;
  actions: readonly BulkAction<Item>[];
  onAction: (action: BulkAction<Item>) => void;
  onClear: () => void;
}) {
  return (
    <section className="list-bulk" aria-label="批量操作">
      <b>
        已选 {count} {unit}
      </b>
      {all}
      {sumOf && count === items.length && (
        <span className="text-ink-2">
          <Amount yuan={yuanOf(items.reduce((sum, item) => sum + fenOf(sumOf(item)), 0))} />
        </span>
      )}
      {actions.map((action) => (
        <Button key={action.key} size="sm" kind={action.danger ? 'danger' : 'plain'} onClick={() => onAction(action)}>
          {action.name}
          {action.hotkey && <kbd className="kbd">{action.hotkey.toUpperCase()}</kbd>}
        </Button>
      ))}
      <Button size="sm" kind="ghost" onClick={onClear}>
        取消
        <kbd className="kbd">Esc</kbd>
      </Button>
    </section>
  );
}
