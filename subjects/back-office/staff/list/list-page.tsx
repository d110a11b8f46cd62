import { type ReactNode, useState } from 'react';
import { useLocation, useNavigate, useNavigation, useRevalidator } from 'react-router';
import { type ListView, listKeys, MAX_BULK_ROWS } from '#subjects/back-office/contract/lists.ts';
import type { AnyList } from '#contract/lists/kit.ts';
import { useKeyHints } from '#web/layouts/shell/shortcuts.tsx';

import { countText } from '#web/lib/format/format.ts';
import { staffPageName } from '#web/lib/pages/staff-page-names.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { useHotkeys } from '../parts/use-hotkeys.ts';
import { type BulkAction, BulkBar, BulkDialog } from './bulk.tsx';
import { NowProvider, useListNow } from './list-clock.tsx';
import { ColumnsMenu } from './columns-menu.tsx';
import { ExportMenu, ExportProgress, useExport } from './export-menu.tsx';
import { FilterLine } from './filters.tsx';
import { LIST_KEYS } from './keys.ts';
import type { Lines } from './lines.ts';
import { LinesChoice } from './lines-choice.tsx';
import { type ListData, PAGE_ROWS } from './list-loader.ts';
import { type Query, queryText } from './state.ts';
import { type CellViews, ListTable } from './table.tsx';
import { useChoice, useListAddress, useNewRows, useViewCounts } from './use-list.ts';
import { type BuiltInView, ViewsBar } from './views-bar.tsx';

/** The props that the list passes to a drawer: the position of its row, and how to close. */
export interface DrawerControls {
  position: string;
  onStep: (by: 1 | -1) => void;
  onClose: () => void;
}

interface ListPageProps<Item> {
  list: AnyList<Item>;
  data: { first: ListData<Item>; setup: { views: ListView[]; columns: string[] | null }; query: Query; lines: Lines };
  load: (query: Readonly<Record<string, string | number>>) => Promise<ListData<Item>>;
  /** The page's own views; the first is the whole list. */
  builtIn?: readonly BuiltInView[];
  /** Cells that need more than text. */
  views?: CellViews<Item>;
  /** The row as a card of two lines, on narrow screens. */
  card: (item: Item) => ReactNode;
  actions?: ((item: Item) => ReactNode) | undefined;
  /** The amount that is summed over the selected rows. */
  sumOf?: (item: Item) => string;
  deadlineOf?: (item: Item) => string | null;
  bulkActions?: readonly BulkAction<Item>[];
  /** The record next to the list. */
  drawer?: (item: Item, controls: DrawerControls) => ReactNode;
  /** The record's own page, and its conversation. */
  pageOf?: (item: Item) => string | null;
  chatOf?: ((item: Item) => string | null) | undefined;
  /** Content next to the title that the list does not show. */
  head?: ReactNode;
  /** Above the list. */
  intro?: ReactNode;
  empty?: string;
}

/** Below this width a row opens its own page, if it has one. */
const NARROW = '(max-width: 899px)';

const focusOn = (selector: string, action: 'focus' | 'click'): void =>
  document.querySelector<HTMLElement>(selector)?.[action]();

interface Walk<Item> {
  items: readonly Item[];
  idOf: (item: Item) => string;
  open: string | null;
  onOpen: (item: Item, isStep?: boolean) => void;
}

/** The row with the keyboard cursor; it follows the open one. */
function useWalk<Item>({ items, idOf, open, onOpen }: Walk<Item>) {
  const [own, setAt] = useState<string | null>(null);
  const at = open ?? own;
  const index = items.findIndex((item) => idOf(item) === at);
  const step = (by: 1 | -1) => {
    const next = items[index < 0 ? 0 : index + by];
    if (!next) return;
    setAt(idOf(next));
    const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(idOf(next))}"]`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
    if (open !== null) onOpen(next, true);
  };
  return { at, current: items[index], step };
}

function useKeys<Item>(
  { pageOf, chatOf, bulkActions = [] }: ListPageProps<Item>,
  on: {
    walk: ReturnType<typeof useWalk<Item>>;
    choice: ReturnType<typeof useChoice>;
    open: string | null;
    onOpen: (item: Item) => void;
    onClose: () => void;
    onAction: (action: BulkAction<Item>) => void;
    idOf: (item: Item) => string;
  },
): void {
  const navigate = useNavigate();
  const { walk, choice, idOf } = on;
  const go = (to: string | null | undefined) => to && void navigate(to);
  const chosenActions =
    choice.chosen.size > 0
      ? bulkActions.flatMap((action) => (action.hotkey ? [[action.hotkey, () => on.onAction(action)] as const] : []))
      : [];
  useHotkeys({
    j: () => walk.step(1),
    k: () => walk.step(-1),
    enter: (event) => {
      // A link or a button that has the focus keeps its own meaning.
      if (!walk.current || (event.target as HTMLElement).closest('a, button')) return false;
      if (on.open !== null && pageOf) go(pageOf(walk.current));
      else on.onOpen(walk.current);
      return true;
    },
    x: (event) => walk.current && choice.choose(idOf(walk.current), event.shiftKey),
    e: () => {
      if (!chatOf || !walk.current) return false;
      const chat = chatOf(walk.current);
      if (chat) go(chat);
      else toast('付款之后才有会话');
      return true;
    },
    '/': () => focusOn('[data-key="/"]', 'focus'),
    f: () => focusOn('[data-key="f"]', 'click'),
    escape: () => {
      // A popover handles this key itself, and only the topmost layer closes.
      if (document.querySelector('.popover:is(:popover-open)')) return false;
      if (on.open !== null) on.onClose();
      else choice.clear();
      return true;
    },
    ...Object.fromEntries(chosenActions),
  });
}

/** The result line: the number of rows, their sum, and the actions on the whole list. */
function ResultLine({ list, first, children }: { list: AnyList; first: ListData<unknown>; children: ReactNode }) {
  return (
    <div className="list-result">
      <p role="status">
        <b>{countText(first.total, first.totalCapped)}</b> {list.unit}
        {first.sum !== null && list.sumName && (
          <>
            ，{list.sumName} <Amount yuan={first.sum} className="font-semibold" />
          </>
        )}
      </p>
      <span>{children}</span>
    </div>
  );
}

/** The list's state: its query from the address, its rows, the selected ones, and what is open above it. */
function useList<Item>(props: ListPageProps<Item>) {
  const { list, data, load, drawer, pageOf } = props;
  const { idOf } = list;
  const { first, setup, query } = data;
  const rows = useCursorList(first, (cursor) => load({ ...query, cursor, pageSize: PAGE_ROWS }), idOf);
  const { items } = rows;
  const address = useListAddress(list, setup.columns);
  const { apply, open } = address;
  const choice = useChoice(items.map(idOf));
  const navigate = useNavigate();
  const [action, setAction] = useState<BulkAction<Item> | null>(null);
  const [lines, setLines] = useState(data.lines);
  const onOpen = (item: Item, isStep = false) => {
    const page = pageOf?.(item);
    if (page && (!drawer || window.matchMedia(NARROW).matches)) void navigate(page);
    else if (drawer) apply({ open: idOf(item) }, isStep || open !== null);
  };
  const onClose = () => apply({ open: null }, true);
  const walk = useWalk({ items, idOf, open, onOpen });
  useKeys(props, { walk, choice, open, onOpen, onClose, onAction: setAction, idOf });
  return {
    rows,
    address,
    choice,
    chosen: items.filter((item) => choice.chosen.has(idOf(item))),
    walk,
    action,
    setAction,
    lines,
    setLines,
    onOpen,
    onClose,
    exporting: useExport(list.name, list.unit),
    opened: drawer && open !== null ? items.find((item) => idOf(item) === open) : undefined,
    shown: address.columns.map(({ key }) => key),
  };
}
type ListState<Item> = ReturnType<typeof useList<Item>>;

/** The views, the filters, the result line, and the button for new rows. */
function Top<Item>({ props, state }: { props: ListPageProps<Item>; state: ListState<Item> }) {
  const { list, data, load, builtIn = [] } = props;
  const { first, setup, query } = data;
  const { address, exporting, shown } = state;
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const news = useNewRows(first, query, load);
  const all = [{ name: '全部', query: '' }, ...builtIn];
  const counts = useViewCounts(
    list.name,
    [...all, ...setup.views].map((view) => view.query),
    first,
  );
  const cleared = Object.fromEntries(Object.keys(list.filters).map((key) => [key, null]));
  return (
    <>
      <ViewsBar
        list={list.name}
        builtIn={all}
        views={setup.views}
        query={queryText(query)}
        viewId={address.viewId}
        count={countText(first.total, first.totalCapped)}
        counts={counts}
        onView={(viewId, saved) =>
          void navigate(`?${[viewId !== null && `view=${viewId}`, saved || 'all=1'].filter(Boolean).join('&')}`)
        }
      />
      <FilterLine
        list={list}
        query={query}
        now={first.now}
        onApply={(key, value) => address.apply({ [key]: value })}
        onClear={() => address.apply({ ...cleared, all: '1' })}
      />
      <ResultLine list={list} first={first}>
        <LinesChoice value={state.lines} onChange={state.setLines} />
        <ColumnsMenu columns={list.columns} visible={shown} onChange={address.setColumns} />
        <ExportMenu isBusy={exporting.running !== null} onExport={(format) => exporting.start(format, query, shown)} />
      </ResultLine>
      {news !== null && (
        <button type="button" className="list-news" onClick={() => void revalidate()}>
          有 {news} {list.unit}新{list.title}
        </button>
      )}
    </>
  );
}

function Rows<Item>({ props, state }: { props: ListPageProps<Item>; state: ListState<Item> }) {
  const { list, bulkActions = [] } = props;
  const { idOf } = list;
  const { rows, address, choice, walk } = state;
  const isReading = useNavigation().state === 'loading';
  if (rows.items.length === 0)
    return (
      <EmptyState title={`没有符合条件的${list.title}`}>
        {props.empty ?? '去掉一个筛选，或核对编号是否完整。'}
      </EmptyState>
    );
  return (
    <div aria-busy={isReading} className={cx(isReading && 'opacity-60')}>
      <ListTable
        title={list.title}
        lines={state.lines}
        items={rows.items}
        columns={address.columns}
        views={props.views ?? {}}
        card={props.card}
        actions={props.actions}
        idOf={idOf}
        sort={address.sort}
        state={{ at: walk.at, open: address.open, chosen: choice.chosen, isChoosable: bulkActions.length > 0 }}
        onSort={(sort) => address.apply({ sort: sort === list.initialSort ? null : sort })}
        onOpen={(item) => state.onOpen(item)}
        onChoose={choice.choose}
        onChooseAll={choice.chooseAll}
      />
      <ListEnd next={rows.next} busy={rows.busy} error={rows.error} onMore={rows.more} />
    </div>
  );
}

/** Next to the selected rows of a page: selects all rows that match the filter. */
function ChooseAll<Item>({ props, state }: { props: ListPageProps<Item>; state: ListState<Item> }) {
  const { list, data } = props;
  const { rows, chosen, choice } = state;
  const { total, totalCapped } = data.first;
  const isMore = totalCapped === true || total > MAX_BULK_ROWS;
  const { busy, send } = useMutation(listKeys, { toasts: true, done: ({ keys }) => choice.chooseThese(keys) });
  const isWholePage = chosen.length === rows.items.length && rows.next !== null;
  if (!isWholePage || choice.chosen.size > chosen.length) return null;
  return (
    <Button size="sm" kind="ghost" busy={busy} onClick={() => void send({ list: list.name, query: data.query })}>
      {isMore ? `选中这个筛选的前 ${MAX_BULK_ROWS} ${list.unit}` : `选中这个筛选的全部 ${total} ${list.unit}`}
    </Button>
  );
}

/** The layers above the list: the action on selected rows, the shortcuts, the export in progress. */
function Layers<Item>({ props, state }: { props: ListPageProps<Item>; state: ListState<Item> }) {
  const { list, bulkActions = [] } = props;
  const { idOf } = list;
  const { action, setAction, chosen, choice, exporting } = state;
  const { revalidate } = useRevalidator();
  const keys = bulkActions.flatMap(({ hotkey, name }) =>
    hotkey ? [[hotkey.toUpperCase(), `${name}（选中后）`] as const] : [],
  );
  const has = (key: string) =>
    (key !== 'E' || props.chatOf !== undefined) && (!key.endsWith('X') || bulkActions.length > 0);
  useKeyHints(list.title, [...LIST_KEYS.filter(([key]) => has(key)), ...keys]);
  return (
    <>
      {action && (
        <BulkDialog
          action={action}
          keys={[...choice.chosen]}
          items={chosen}
          idOf={idOf}
          unit={list.unit}
          onDone={({ done }) => {
            if (done.length > 0) void revalidate();
          }}
          onClose={() => {
            setAction(null);
            choice.clear();
          }}
        />
      )}
      {exporting.running && (
        <ExportProgress
          running={exporting.running}
          unit={list.unit}
          columns={state.shown.length}
          onCancel={exporting.cancel}
        />
      )}
    </>
  );
}

/**
 * A declared list as a page: views, filters, sortable columns, selection with bulk actions, export, keyboard, and a
 * drawer next to the rows. The URL contains the whole displayed state.
 */
export function ListPage<Item>(props: ListPageProps<Item>) {
  const { list, data, bulkActions = [], drawer } = props;
  const { first } = data;
  const { idOf } = list;
  const state = useList(props);
  const { pathname } = useLocation();
  const { rows, chosen, choice, opened, walk } = state;
  const now = useListNow(first.now, props.deadlineOf ? rows.items.map(props.deadlineOf) : []);
  const position = opened ? rows.items.indexOf(opened) + 1 : 0;
  return (
    <NowProvider value={now}>
      <div className={cx('list-page', opened && 'list-opened')}>
        <div className="min-w-0">
          <header className="list-head">
            <h1>{staffPageName(pathname) || list.title}</h1>
            {props.head}
          </header>
          {props.intro}
          <Top props={props} state={state} />
          <Rows props={props} state={state} />
          {choice.chosen.size > 0 && (
            <BulkBar
              count={choice.chosen.size}
              items={chosen}
              all={<ChooseAll props={props} state={state} />}
              unit={list.unit}
              sumOf={props.sumOf}
              actions={bulkActions}
              onAction={state.setAction}
              onClear={choice.clear}
            />
          )}
        </div>
        {drawer && opened && (
          <aside className="list-drawer" aria-label={`${list.title}详情`} key={idOf(opened)}>
            {drawer(opened, {
              position: `第 ${position} / ${countText(first.total, first.totalCapped)} ${list.unit}`,
              onStep: walk.step,
              onClose: state.onClose,
            })}
          </aside>
        )}
      </div>
      <Layers props={props} state={state} />
    </NowProvider>
  );
}
