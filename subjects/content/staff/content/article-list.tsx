import type { ComponentProps, ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { countText } from '#web/lib/format/format.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import type { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { FilterBar, FilterSelect, FilterKeyword } from '#subjects/back-office/staff/parts/filter-bar.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { STATUS_OPTIONS } from './article-status.tsx';

/** A list of articles with filters by state, keyword and more, and a link to a new one; the rows are the children. */
export function ArticleList<T>({
  name,
  path,
  first,
  list,
  choices = [],
  columns,
  children,
}: {
  /** Name of the articles: 公告, 案例. */
  name: string;
  /** The page's own URL. */
  path: string;
  first: { total: number; totalCapped?: boolean | undefined };
  list: ReturnType<typeof useCursorList<T>>;
  choices?: readonly ComponentProps<typeof FilterSelect>[];
  columns: ComponentProps<typeof AdminTable>['columns'];
  children: ReactNode;
}) {
  const { items, next, busy, error, more } = list;
  const [search] = useSearchParams();
  const names = ['status', ...choices.map((choice) => choice.name), 'keyWord'];
  const isFiltered = names.some((key) => search.get(key));
  return (
    <>
      <div className="admin-head">
        <h1>{name}</h1>
        <p>{countText(first.total, first.totalCapped ?? false)} 篇</p>
        <div className="ml-auto flex flex-wrap gap-2 max-lg:ml-0">
          <FilterBar names={names}>
            <FilterSelect name="status" label="状态" all="全部状态" options={STATUS_OPTIONS} />
            {choices.map((choice) => (
              <FilterSelect key={choice.name} {...choice} />
            ))}
            <FilterKeyword placeholder="标题或代码" />
          </FilterBar>
          <ButtonLink to={`${path}?id=new`} size="sm" kind="primary">
            新建{name}
          </ButtonLink>
        </div>
      </div>
      <section className="panel overflow-hidden" aria-label={name}>
        {items.length === 0 ? (
          <EmptyState
            title={isFiltered ? `没有符合条件的${name}` : `还没有${name}`}
            action={
              isFiltered ? (
                <ButtonLink to={path} size="sm">
                  查看全部{name}
                </ButtonLink>
              ) : (
                <ButtonLink to={`${path}?id=new`} size="sm" kind="primary">
                  新建{name}
                </ButtonLink>
              )
            }
          />
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
