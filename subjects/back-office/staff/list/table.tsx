import { ChevronDown, ChevronUp } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import type { Column } from '#contract/lists/kit.ts';
import { grouped } from '#web/lib/format/format.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { cx } from '#web/ui/class-names.ts';
import { Amount } from '#web/ui/price.tsx';
import { ScrollX } from '#web/ui/lists/scroll-x.tsx';
import type { Lines } from './lines.ts';
import { nextSort } from './state.ts';

/** Renderers of the cells that need more than text, by column. */
export type CellViews<Item> = Readonly<Record<string, ((item: Item) => ReactNode) | undefined>>;

/** The shared state of a list's rows: the row with the keyboard cursor, the selected rows, the open row. */
interface RowState {
  at: string | null;
  open: string | null;
  chosen: ReadonlySet<string>;
  isChoosable: boolean;
}

interface TableProps<Item> {
  title: string;
  lines: Lines;
  items: readonly Item[];
  columns: readonly Column<Item>[];
  views: CellViews<Item>;
  card: (item: Item) => ReactNode;
  /** Buttons at the end of a row. */
  actions?: ((item: Item) => ReactNode) | undefined;
  idOf: (item: Item) => string;
  sort: string;
  state: RowState;
  onSort: (sort: string) => void;
  onOpen: (item: Item, event: MouseEvent) => void;
  onChoose: (id: string, withShift: boolean) => void;
  onChooseAll: () => void;
}

/** A cell, rendered by the type of its column. */
function plain<Item>({ kind, cell }: Column<Item>, item: Item): ReactNode {
  const value = cell(item);
  if (value === null || value === '') return <span className="text-ink-4">—</span>;
  if (kind === 'money') return <Amount yuan={String(value)} />;
  if (kind === 'number') return grouped(value);
  if (kind !== 'time') return value;
  return (
    <time dateTime={String(value)} title={fullAt(String(value))}>
      {shortAt(String(value))}
    </time>
  );
}

const isNum = ({ kind }: Pick<Column<never>, 'kind'>): boolean => kind === 'money' || kind === 'number';

function Heading<Item>({
  column,
  sort,
  onSort,
}: {
  column: Column<Item>;
  sort: string;
  onSort: (sort: string) => void;
}) {
  const { name, sort: key } = column;
  const isBy = key !== undefined && sort.replace(/^-/, '') === key;
  const isDown = sort.startsWith('-');
  return (
    <th
      scope="col"
      data-column={column.key}
      className={cx(isNum(column) && 'num')}
      aria-sort={isBy ? (isDown ? 'descending' : 'ascending') : undefined}
    >
      {key === undefined ? (
        name
      ) : (
        <button type="button" className="list-sort" onClick={() => onSort(nextSort(sort, key))}>
          {name}
          {isBy &&
            (isDown ? (
              <ChevronDown className="icon size-3" aria-hidden="true" />
            ) : (
              <ChevronUp className="icon size-3" aria-hidden="true" />
            ))}
        </button>
      )}
    </th>
  );
}

function Row<Item>({ item, id, props }: { item: Item; id: string; props: TableProps<Item> }) {
  const { columns, views, card, actions, state, onOpen, onChoose } = props;
  const isChosen = state.chosen.has(id);
  return (
    <tr
      data-row={id}
      tabIndex={-1}
      className={cx(state.at === id && 'list-at', isChosen && 'list-chosen')}
      aria-selected={state.isChoosable ? isChosen : undefined}
      aria-current={state.open === id || undefined}
      onClick={(event) => {
        const target = event.target as HTMLElement;
        if (!target.closest('a, button, input, label') && !window.getSelection()?.toString()) onOpen(item, event);
      }}
    >
      {state.isChoosable && (
        <td className="list-check">
          <input
            type="checkbox"
            className="checkbox"
            aria-label={`选中 ${id}`}
            checked={isChosen}
            onChange={() => {}}
            onClick={(event) => onChoose(id, event.shiftKey)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} data-column={column.key} className={cx(isNum(column) && 'num')}>
          {views[column.key]?.(item) ?? plain(column, item)}
        </td>
      ))}
      {actions && (
        <td className="num" data-column="acts">
          {actions(item)}
        </td>
      )}
      <td className="list-card">
        {card(item)}
        {actions?.(item)}
      </td>
    </tr>
  );
}

/** The rows of a list: a table with sortable headings, and cards of two lines on narrow screens. */
export function ListTable<Item>(props: TableProps<Item>) {
  const { title, items, columns, idOf, sort, state, onSort, onChooseAll } = props;
  const some = items.some((item) => state.chosen.has(idOf(item)));
  const all = some && items.every((item) => state.chosen.has(idOf(item)));
  return (
    <ScrollX className="border-t border-line">
      <table className="list-table" data-lines={props.lines} aria-label={title}>
        <thead>
          <tr>
            {state.isChoosable && (
              <th className="list-check">
                <input
                  type="checkbox"
                  className="checkbox"
                  aria-label="全选本页"
                  checked={all}
                  ref={(box) => {
                    if (box) box.indeterminate = some && !all;
                  }}
                  onChange={onChooseAll}
                />
              </th>
            )}
            {columns.map((column) => (
              <Heading key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
            {props.actions && (
              <th className="num" data-column="acts">
                操作
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Row key={idOf(item)} id={idOf(item)} item={item} props={props} />
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}
