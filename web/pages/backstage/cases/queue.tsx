/** Shared by the queues of disputes and claims: the query, the layout, and the cells for listing and deadline. */
import type { ComponentProps, ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { countText } from '#web/lib/format.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { fullAt, shortAt } from '#web/lib/times.ts';
import type { useCursorList } from '#web/lib/use-cursor-list.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { FilterBar, FilterKeyword } from '../parts/filter-bar.tsx';
import { AdminTable } from '#web/pages/backstage/parts/admin-table.tsx';
import { StatusTabs } from '../parts/status-tabs.tsx';

/** Parses a queue's query string; an unknown scope falls back to the first. */
export function parseQueueQuery<S extends string>(query: URLSearchParams, scopes: readonly [S, ...S[]]) {
  return {
    scope: scopes.find((scope) => scope === query.get('scope')) ?? scopes[0],
    keyWord: query.get('keyWord') || undefined,
    pageSize: 30,
  };
}

/**
 * The query string of another scope that has matches for the keyword, when the URL names no scope and the open one has none; null when the
 * page stays as it is.
 */
export function scopeThatHas(
  query: URLSearchParams,
  scopes: readonly string[],
  first: { total: number; counts: Readonly<Record<string, number>> },
): string | null {
  if (query.has('scope') || !query.get('keyWord') || first.total > 0) return null;
  const scope = scopes.find((one) => (first.counts[one] ?? 0) > 0);
  if (scope === undefined) return null;
  const next = new URLSearchParams(query);
  next.set('scope', scope);
  return `?${next}`;
}

/** The deadline of a row: what is due and when, in red once it is overdue. */
function Deadline({ name, at, isOverdue }: { name: string; at: string | null; isOverdue: boolean }) {
  return (
    <span className="grid text-12">
      <span className="text-ink-2">{name}</span>
      {at && (
        <time dateTime={at} title={fullAt(at)} className={isOverdue ? 'font-semibold text-danger' : 'text-ink-3'}>
          {shortAt(at)} {isOverdue ? '已超时' : '前'}
        </time>
      )}
    </span>
  );
}

/** The first two cells of a row: its number with its creation time, and the listing with notes about it. */
export function CaseCells({
  to,
  sn,
  openTime,
  gameName,
  title,
  note,
}: {
  to: string;
  sn: string;
  openTime: string;
  gameName: string;
  title: string;
  note: string;
}) {
  return (
    <>
      <td className="text-12 whitespace-nowrap" data-wide="">
        <Link to={to} className="link text-13">
          {sn}
        </Link>
        <time className="block text-ink-3 max-md:ml-3 max-md:inline" dateTime={openTime}>
          {fullAt(openTime)}
        </time>
      </td>
      <td data-wide="" className="max-w-72">
        <span className="line-clamp-1">
          <b className="mr-1 font-semibold">{gameName}</b>
          {title}
        </span>
        <span className="text-12 text-ink-3">{note}</span>
      </td>
    </>
  );
}

/** The last three cells of a row: state, deadline and assignee. `clock.at` is null when no deadline runs. */
export function CaseStateCells({
  status,
  isOpen,
  isEscalated = false,
  needsSecondPerson,
  clock,
  staffName,
}: {
  status: string;
  isOpen: boolean;
  isEscalated?: boolean;
  needsSecondPerson: boolean;
  clock: ComponentProps<typeof Deadline>;
  staffName: string | null;
}) {
  return (
    <>
      <td>
        <span className="flex flex-wrap gap-1">
          <Tag {...(isOpen ? { tone: 'attn' as const } : {})}>{status}</Tag>
          {isEscalated && <Tag tone="danger">已升级</Tag>}
          {needsSecondPerson && <Tag tone="attn">待复核</Tag>}
        </span>
      </td>
      <td data-wide="" data-label="时限">
        <Deadline {...clock} />
      </td>
      <td className="text-ink-2" data-label="客服">
        {staffName ?? '未分配'}
      </td>
    </>
  );
}

/** A queue of cases: search, scopes with counts, and a growing list; the rows are the children. */
export function CaseQueue<T>({
  name,
  first,
  list,
  placeholder,
  scopes,
  columns,
  children,
}: {
  /** Name of the cases: 申诉, 理赔. */
  name: string;
  first: { total: number; more?: boolean | undefined };
  list: ReturnType<typeof useCursorList<T>>;
  placeholder: string;
  scopes: ComponentProps<typeof StatusTabs>['items'];
  columns: ComponentProps<typeof AdminTable>['columns'];
  children: ReactNode;
}) {
  const { items, next, busy, error, more } = list;
  const keyWord = useSearchParams()[0].get('keyWord');
  return (
    <>
      <div className="office-head">
        <h1>{name}</h1>
        <p>{countText(first.total, first.more ?? false)} 件</p>
        <div className="ml-auto max-lg:ml-0">
          <FilterBar names={['keyWord']} preserve={['scope']}>
            <FilterKeyword placeholder={placeholder} />
          </FilterBar>
        </div>
      </div>
      <section className="panel overflow-hidden" aria-label={name}>
        <StatusTabs name="scope" label="范围" items={scopes} />
        {items.length === 0 ? (
          <EmptyState
            title={keyWord ? `没有找到这件${name}` : `没有符合条件的${name}`}
            action={keyWord ? <ButtonLink to="?scope=open">看处理中的{name}</ButtonLink> : null}
          >
            换一个范围，或核对编号是否完整。
          </EmptyState>
        ) : (
          <>
            <AdminTable columns={columns}>{children}</AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
    </>
  );
}
