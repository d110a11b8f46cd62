import { GoodsStatus } from '#contract/rules/statuses.ts';
import { Undo2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { selfPublishGoodsList } from '#subjects/goods/contract/goods.ts';
import { editGoodsList } from '#subjects/goods/contract/goods-bulk.ts';
import { BULK_MAX } from '../../rules/listing-states.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Pagination } from '#web/ui/lists/pagination.tsx';
import { ScrollX } from '#web/ui/lists/scroll-x.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { GOODS_TABS, type OwnGoods, parseGoods } from './goods-loader.ts';
import { actionsOf, type Cell, CELLS, changesOf, type Edits, isEditable, original, problemOf } from './grid-edits.ts';
import { useGridEdits } from './use-grid-edits.ts';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

export const handle = { crumb: () => ({ under: '/center/sellOutGoods', name: '批量编辑' }) };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '批量编辑', noindex: true });
}

const PER_PAGE = 50;
const NAMES: Readonly<Record<Cell, string>> = { bigTitle: '标题', price: '价格', stock: '库存', act: '状态' };
/** States whose listings can be edited. */
/** The states of listings that the seller can still change. */
const LISTED: readonly number[] = [
  GoodsStatus.Reviewing,
  GoodsStatus.OnSale,
  GoodsStatus.OffSale,
  GoodsStatus.Rejected,
];
const TABS = GOODS_TABS.filter(({ status }) => status === null || LISTED.includes(status));

export async function loader(args: LoaderFunctionArgs) {
  const { status, page } = parseGoods(args.url.searchParams);
  const input = { pages: page, pageSize: PER_PAGE, ...(status !== null && { status }) };
  return { status, page, data: await market(args).call(selfPublishGoodsList, input) };
}

interface Failure {
  field: string;
  msg: string;
}

/** Moves the focus to the same column of another row. */
function move(event: KeyboardEvent<HTMLElement>, row: number, cell: Cell, by: number): void {
  const next = document.querySelector<HTMLElement>(`[data-cell="${row + by}:${cell}"]`);
  if (!next) return;
  event.preventDefault();
  next.focus();
  if (next instanceof HTMLInputElement) next.select();
}

function GridCell({
  goods,
  row,
  cell,
  text,
  problem,
  onType,
}: {
  goods: OwnGoods;
  row: number;
  cell: Cell;
  text: string | undefined;
  problem: string | undefined;
  onType: (text: string) => void;
}) {
  const value = text ?? original(goods, cell);
  if (!isEditable(goods, cell))
    return (
      <span className="inline-flex min-h-7 items-center px-2 text-13 text-ink-3">
        {cell === 'act' ? goods.statusName : value}
      </span>
    );
  const shared = {
    small: true,
    'data-cell': `${row}:${cell}`,
    'aria-label': `${goods.goodsSn} ${NAMES[cell]}`,
    'aria-invalid': problem ? (true as const) : undefined,
    title: problem,
    className: cx(
      text !== undefined && 'bg-attn-bg',
      cell === 'bigTitle' ? 'w-full md:min-w-56' : 'w-26 max-md:w-full',
    ),
    value,
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (pressedKey(event) === 'Enter' || pressedKey(event) === 'ArrowDown') move(event, row, cell, 1);
    else if (pressedKey(event) === 'ArrowUp') move(event, row, cell, -1);
    else if (pressedKey(event) === 'Escape') onType(original(goods, cell));
  };
  if (cell === 'act')
    return (
      <Select {...shared} onChange={(event) => onType(event.target.value)}>
        {actionsOf(goods.status).map(([key, label]) => (
          <option key={key} value={key}>
            {key === '' ? goods.statusName : label}
          </option>
        ))}
      </Select>
    );
  return (
    <Input
      {...shared}
      inputMode={cell === 'price' ? 'decimal' : cell === 'stock' ? 'numeric' : 'text'}
      maxLength={cell === 'bigTitle' ? 120 : 9}
      autoComplete="off"
      onKeyDown={onKeyDown}
      onChange={(event) => onType(event.target.value)}
    />
  );
}

/** Why a listing's edits are invalid; undefined when they are valid. */
const wrongOf = (row: Edits[string] = {}): string | undefined =>
  CELLS.map((cell) => (row[cell] === undefined ? undefined : problemOf(cell, row[cell]))).find(
    (text) => text !== undefined,
  );

/** Why listings of other pages or states are not saved; listings of this page show the message in their rows. */
function Elsewhere({
  failures,
  edits,
  list,
  onReset,
}: {
  failures: ReadonlyMap<string, Failure>;
  edits: Edits;
  list: readonly OwnGoods[];
  onReset: (goodsSn: string) => void;
}) {
  const others = Object.keys(edits).flatMap((goodsSn) => {
    const msg = wrongOf(edits[goodsSn]) ?? failures.get(goodsSn)?.msg;
    return msg === undefined || list.some((goods) => goods.goodsSn === goodsSn) ? [] : [{ goodsSn, msg }];
  });
  return (
    others.length > 0 && (
      <ul className="grid basis-full gap-1 text-12 text-danger" aria-label="没有保存的其他商品">
        {others.map(({ goodsSn, msg }) => (
          <li key={goodsSn} className="flex flex-wrap items-center gap-x-2">
            {goodsSn}：{msg}
            <Button size="sm" onClick={() => onReset(goodsSn)}>
              还原这件
            </Button>
          </li>
        ))}
      </ul>
    )
  );
}

function Rows({
  list,
  edits,
  failures,
  onType,
}: {
  list: readonly OwnGoods[];
  edits: Edits;
  failures: ReadonlyMap<string, Failure>;
  onType: (goods: OwnGoods, cell: Cell, text: string) => void;
}) {
  return (
    <ScrollX label="商品表格">
      <table className="table grid-table">
        <thead>
          <tr>
            <th scope="col">编号</th>
            {CELLS.map((cell) => (
              <th key={cell} scope="col" className={cell === 'bigTitle' ? 'w-3/5' : undefined}>
                {NAMES[cell]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.map((goods, row) => {
            const own = edits[goods.goodsSn] ?? {};
            const failure = failures.get(goods.goodsSn);
            return (
              <tr key={goods.goodsSn}>
                <td className="align-top text-12 whitespace-nowrap text-ink-3">
                  <Link to={goods.pageUrl} className="link inline-flex min-h-7 items-center">
                    {goods.goodsSn}
                  </Link>
                </td>
                {CELLS.map((cell) => {
                  const text = own[cell];
                  const problem =
                    (text === undefined ? undefined : problemOf(cell, text)) ??
                    (failure?.field === cell ? failure.msg : undefined);
                  return (
                    <td key={cell} className="align-top" data-cell-of={cell} data-label={NAMES[cell]}>
                      <GridCell {...{ goods, row, cell, text, problem }} onType={(next) => onType(goods, cell, next)} />
                      {problem !== undefined && <p className="mt-1 text-12 text-danger">{problem}</p>}
                      {cell === 'act' && failure && !(CELLS as readonly string[]).includes(failure.field) && (
                        <p className="mt-1 max-w-48 text-12 text-danger">{failure.msg}</p>
                      )}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollX>
  );
}

/** The number of changed listings, with the actions for these changes. */
function SaveBar({
  elsewhere,
  count,
  wrong,
  busy,
  error,
  canUndo,
  undo,
  onReset,
  onSave,
}: {
  elsewhere: ReactNode;
  count: number;
  wrong: boolean;
  busy: boolean;
  error: string | null;
  canUndo: boolean;
  undo: () => void;
  onReset: () => void;
  onSave: () => void;
}) {
  return (
    <div className="bulk-bar">
      {elsewhere}
      <p className="min-w-0 flex-1 text-13 max-md:basis-full text-ink-3" aria-live="polite">
        {count === 0
          ? '还没有修改'
          : wrong
            ? '有填写不正确的格子，请先改好'
            : `已修改 ${count} 件，还没有保存，离开页面也会留着`}
      </p>
      <FormError>{error}</FormError>
      <Button size="sm" disabled={!canUndo} onClick={undo}>
        <Undo2 className="icon size-3.5" aria-hidden="true" />
        撤销
      </Button>
      <Button size="sm" disabled={count === 0} onClick={onReset}>
        全部还原
      </Button>
      <Button kind="primary" size="sm" busy={busy} disabled={count === 0 || wrong} onClick={onSave}>
        保存
      </Button>
    </div>
  );
}

/** Edits many listings in a grid: titles, prices, stock and state. They are saved together, each row independently. */
export default function GoodsGrid() {
  const { status, page, data } = useLoaderData<typeof loader>();
  const { edits, origins, canUndo, type, undo, reset, saved } = useGridEdits();
  const [failures, setFailures] = useState<ReadonlyMap<string, Failure>>(new Map());
  const sent = useRef<Edits>({});
  const { busy, error, send } = useMutation(editGoodsList, {
    done: ({ done, list }) => {
      const failed = list.filter(({ ok }) => !ok);
      setFailures(new Map(failed.map(({ goodsSn, field, msg }) => [goodsSn, { field, msg }])));
      const rest = count - Object.keys(sent.current).length;
      saved(
        sent.current,
        new Map(
          failed.map(({ goodsSn, price, stock }) => [
            goodsSn,
            { ...(price !== null && { price }), ...(stock !== null && { stock: String(stock) }) },
          ]),
        ),
      );
      const more = rest > 0 ? `，还有 ${rest} 件，请再保存一次` : '';
      toast(
        failed.length === 0
          ? `已保存 ${done} 件${more}`
          : `已保存 ${done} 件，${failed.length} 件没有保存，原因见表格${more}`,
        failed.length === 0 ? 'ok' : 'warn',
      );
    },
    revalidates: true,
  });
  const count = Object.keys(edits).length;
  const wrong = Object.values(edits).some((row) => wrongOf(row) !== undefined);
  const save = () => {
    sent.current = Object.fromEntries(Object.entries(edits).slice(0, BULK_MAX));
    void send({ list: changesOf(sent.current, origins) });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    if (pressedKey(event) === 's' && count > 0 && !wrong && !busy) {
      event.preventDefault();
      save();
    } else if (pressedKey(event) === 'z' && canUndo) {
      event.preventDefault();
      undo();
    }
  };
  return (
    <section className="panel" aria-labelledby="grid" onKeyDown={onKeyDown}>
      <div className="panel-head">
        <h1 id="grid" className="text-16 font-semibold">
          批量编辑
        </h1>
        <p className="max-md:hidden">回车下一行，Ctrl+Z 撤销，Ctrl+S 保存；改标题会重新审核</p>
        <span className="ml-auto flex gap-2">
          <ButtonLink size="sm" to="/center/goodsImport">
            表格导入
          </ButtonLink>
          <ButtonLink size="sm" to="/center/sellOutGoods">
            返回列表
          </ButtonLink>
        </span>
      </div>
      <LinkTabs
        label="商品状态"
        items={TABS.map((tab) => ({
          key: tab.label,
          label: tab.label,
          to: tab.status === null ? '?' : `?status=${tab.status}`,
          isCurrent: status === tab.status,
          count: data.counts[tab.status === null ? 'all' : String(tab.status)] ?? 0,
        }))}
      />
      {data.list.length === 0 ? (
        <EmptyState
          title={status === null ? '还没有可编辑的商品' : '没有这个状态的商品'}
          action={
            status === null ? (
              <ButtonLink kind="primary" to="/center/sell">
                发布商品
              </ButtonLink>
            ) : (
              <ButtonLink to="?">查看全部商品</ButtonLink>
            )
          }
        >
          发布后的商品会列在这张表里，标题、价格和库存可以一起改。
        </EmptyState>
      ) : (
        <>
          <Rows list={data.list} edits={edits} failures={failures} onType={type} />
          <Pagination
            page={page}
            pages={Math.ceil(data.total / PER_PAGE)}
            hrefOf={(to) =>
              `?${new URLSearchParams({ ...(status !== null && { status: String(status) }), pages: String(to) })}`
            }
          />
        </>
      )}
      {(data.list.length > 0 || count > 0) && (
        <SaveBar
          elsewhere={<Elsewhere {...{ failures, edits }} list={data.list} onReset={reset} />}
          {...{ count, wrong, busy, error, canUndo, undo }}
          onReset={() => {
            reset();
            setFailures(new Map());
          }}
          onSave={save}
        />
      )}
    </section>
  );
}
