import { CircleAlert, CircleCheck } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { bulkGoods } from '#subjects/goods/contract/goods-bulk.ts';
import { type BulkAction, offerActions, PERCENT_MAX, PERCENT_MIN, priceByPercent } from '../../rules/listing-states.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { fenOf, yuanOf } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { OwnGoods } from './goods-loader.ts';

type Result = Data<typeof bulkGoods>;

interface Bulk {
  action: BulkAction;
  goods: readonly OwnGoods[];
  percent?: number;
}

const DONE: Readonly<Record<BulkAction, string>> = {
  push: '已重新上架',
  pull: '已下架',
  refresh: '已刷新',
  price: '已改价',
  remove: '已删除',
};

/** Whether any bulk action applies to a listing. */
export function isSelectable(goods: OwnGoods): boolean {
  return offerActions(goods.status).some((action) => action !== 'edit');
}

/** The entered percentage; null when invalid. */
function percentOf(text: string): number | null {
  const plain = text.trim();
  const percent = /^[+-]?\d{1,3}$/.test(plain) ? Number(plain) : 0;
  return percent !== 0 && percent >= PERCENT_MIN && percent <= PERCENT_MAX ? percent : null;
}

function PercentDialog({
  chosen,
  busy,
  onClose,
  onSend,
}: {
  chosen: readonly OwnGoods[];
  onClose: () => void;
  busy: boolean;
  onSend: (percent: number) => void;
}) {
  const [text, setText] = useState('-5');
  const [error, setError] = useState<Message>();
  const percent = percentOf(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (percent === null) setError({ text: `请填写 ${PERCENT_MIN} 到 ${PERCENT_MAX} 的整数，0 除外` });
    else onSend(percent);
  };
  return (
    <Dialog title={`批量改价（${chosen.length} 件）`} onClose={onClose} closeOnBackdrop={false}>
      <form noValidate className="grid gap-4" onSubmit={submit}>
        <Field label="调整幅度（%）" required error={error} help="负数降价，正数涨价；立即生效，不需要重新审核。">
          {(control) => (
            <Input
              {...control}
              autoFocus
              className="max-w-40"
              inputMode="text"
              autoComplete="off"
              maxLength={4}
              value={text}
              onFocus={(event) => event.target.select()}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <ul
          className="grid max-h-56 grid-cols-[minmax(0,1fr)] gap-1.5 overflow-y-auto rounded-control bg-sunken p-3 text-13"
          aria-label="改价预览"
        >
          {chosen.map((goods) => (
            <li key={goods.goodsSn} className="flex items-baseline gap-3">
              <span className="min-w-0 flex-1 truncate text-ink-2">{goods.bigTitle}</span>
              <span className="whitespace-nowrap text-ink-3">
                <Amount yuan={goods.price} /> →{' '}
                <b className="font-semibold text-ink">
                  {percent === null ? '—' : <Amount yuan={yuanOf(priceByPercent(fenOf(goods.price), percent))} />}
                </b>
              </span>
            </li>
          ))}
        </ul>
        <Button type="submit" kind="primary" size="lg" busy={busy}>
          确认改价
        </Button>
      </form>
    </Dialog>
  );
}

function RemoveDialog({
  count,
  busy,
  onClose,
  onSend,
}: {
  count: number;
  busy: boolean;
  onClose: () => void;
  onSend: () => void;
}) {
  return (
    <Dialog
      title={`删除 ${count} 件商品`}
      onClose={onClose}
      footer={
        <>
          <BackButton>保留</BackButton>
          <Button kind="danger" busy={busy} onClick={onSend}>
            删除
          </Button>
        </>
      }
    >
      <p className="text-13 text-ink-2">删除后不能恢复，游戏账号可以重新发布。只是暂时不卖，可以改为下架。</p>
    </Dialog>
  );
}

/** The result of each listing, when not all succeeded. */
function ResultDialog({
  action,
  result,
  titles,
  onClose,
}: {
  action: BulkAction;
  result: Result;
  titles: ReadonlyMap<string, string>;
  onClose: () => void;
}) {
  const failed = result.list.filter(({ ok }) => !ok);
  return (
    <Dialog title="处理结果" onClose={onClose} footer={<BackButton>知道了</BackButton>}>
      <p className="flex items-center gap-2 text-14">
        {result.done > 0 ? (
          <>
            <CircleCheck className="icon text-safe" aria-hidden="true" />
            {result.done} 件{DONE[action]}，{failed.length} 件没有改动
          </>
        ) : (
          <>
            <CircleAlert className="icon text-attn" aria-hidden="true" />
            {failed.length} 件都没有改动
          </>
        )}
      </p>
      <ul className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-2" aria-label="没有改动的商品">
        {failed.map(({ goodsSn, msg }) => (
          <li
            key={goodsSn}
            className="grid grid-cols-[minmax(0,1fr)] gap-0.5 rounded-control bg-sunken px-3 py-2 text-13"
          >
            <span className="truncate">{titles.get(goodsSn) ?? goodsSn}</span>
            <span className="flex gap-1 text-12 text-attn">
              <CircleAlert className="icon mt-px size-3.5" aria-hidden="true" />
              {msg}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const BUTTONS: readonly { action: BulkAction; label: string }[] = [
  { action: 'push', label: '上架' },
  { action: 'pull', label: '下架' },
  { action: 'refresh', label: '刷新' },
  { action: 'price', label: '按比例改价' },
  { action: 'remove', label: '删除' },
];

/**
 * Bulk actions on the selected listings. Each button shows the number of listings that its action applies to and sends
 * only those. The idempotency key is kept until a response arrives, so that a retry after a lost response changes no
 * price twice.
 */
export function BulkBar({ chosen, onClear }: { chosen: readonly OwnGoods[]; onClear: () => void }) {
  const [dialog, setDialog] = useState<'price' | 'remove' | null>(null);
  const [outcome, setOutcome] = useState<{ action: BulkAction; result: Result; titles: Map<string, string> } | null>(
    null,
  );
  const open = (action: BulkAction) => chosen.filter(({ status }) => offerActions(status).includes(action));

  const bulk = useMutation(
    ({ action, goods, percent }: Bulk, options) =>
      call(
        bulkGoods,
        {
          act: action,
          goodsSnList: goods.map(({ goodsSn }) => goodsSn),
          ...(percent !== undefined && { percent }),
        },
        options,
      ),
    {
      toasts: true,
      revalidates: true,
      done: (result, { action, goods }) => {
        setDialog(null);
        if (result.done === result.list.length) toast(`${result.done} 件${DONE[action]}`, 'ok');
        else setOutcome({ action, result, titles: new Map(goods.map((g) => [g.goodsSn, g.bigTitle])) });
        onClear();
      },
    },
  );
  const send = (action: BulkAction, percent?: number): void => {
    void bulk.send({ action, goods: open(action), ...(percent !== undefined && { percent }) });
  };

  const result = outcome && <ResultDialog {...outcome} onClose={() => setOutcome(null)} />;
  if (chosen.length === 0) return result;
  return (
    <>
      <div className="bulk-bar" role="toolbar" aria-label="批量操作">
        <span className="text-13 whitespace-nowrap" role="status">
          已选 <b className="font-semibold">{chosen.length}</b> 件
        </span>
        <span className="flex flex-1 flex-wrap gap-2">
          {BUTTONS.map(({ action, label }) => {
            const count = open(action).length;
            return count === 0 ? null : (
              <Button
                key={action}
                size="sm"
                busy={bulk.pending?.action === action}
                className={action === 'remove' ? 'text-danger' : undefined}
                onClick={() => (action === 'price' || action === 'remove' ? setDialog(action) : send(action))}
              >
                {label}
                {count < chosen.length && <small className="text-ink-3">{count}</small>}
              </Button>
            );
          })}
        </span>
        <button type="button" className="link text-13" onClick={onClear}>
          取消选择
        </button>
      </div>
      {dialog === 'price' && (
        <PercentDialog
          chosen={open('price')}
          onClose={() => setDialog(null)}
          busy={bulk.busy}
          onSend={(percent) => send('price', percent)}
        />
      )}
      {dialog === 'remove' && (
        <RemoveDialog
          count={open('remove').length}
          onClose={() => setDialog(null)}
          busy={bulk.busy}
          onSend={() => send('remove')}
        />
      )}
      {result}
    </>
  );
}
