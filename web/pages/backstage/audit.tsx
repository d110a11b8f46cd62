import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { auditChain, auditList } from '#contract/backstage-money.ts';
import { auditGroups } from '#contract/rules/audit.ts';
import { call } from '#web/lib/api.ts';
import { market } from '#web/lib/context.ts';
import { pageMeta } from '#web/lib/site.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { fullAt } from '#web/lib/times.ts';
import { useCursorList } from '#web/lib/use-cursor-list.ts';
import { EmptyState } from '#web/ui/states.tsx';
import { AuditChain } from './parts/audit-chain.tsx';
import { FilterBar, FilterSelect, FilterKeyword } from './parts/filter-bar.tsx';
import { AdminTable } from './parts/admin-table.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '操作记录', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const of = (name: string) => args.url.searchParams.get(name) || undefined;
  const query = {
    group: auditGroups.find(([key]) => key === of('group'))?.[0],
    staffId: of('staffId'),
    keyWord: of('keyWord'),
    pageSize: 40,
  };
  const { call: request } = market(args);
  const [first, chain] = await Promise.all([request(auditList, query), request(auditChain, {})]);
  return { first, chain, query };
}

/** The audit log: what staff did to listings, orders, money and users, and when. Entries cannot be changed. */
export default function AuditPage() {
  const { first, chain, query } = useLoaderData<typeof loader>();
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(auditList, { ...query, cursor }, { quiet: true }),
    ({ id }) => id,
  );
  return (
    <>
      <div className="office-head">
        <h1>操作记录</h1>
        <p>只能查看，不能修改或删除</p>
        <div className="ml-auto max-lg:ml-0">
          <FilterBar names={['group', 'staffId', 'keyWord']}>
            <FilterSelect name="group" label="类型" all="全部类型" options={auditGroups} />
            <FilterSelect
              name="staffId"
              label="工作人员"
              all="全部人员"
              options={first.people.map(({ staffId, name }) => [staffId, name])}
            />
            <FilterKeyword placeholder="商品、订单或提现编号" />
          </FilterBar>
        </div>
      </div>
      <AuditChain chain={chain} />
      <section className="panel overflow-hidden" aria-label="操作记录">
        {items.length === 0 ? (
          <EmptyState title="没有符合条件的记录" />
        ) : (
          <>
            <AdminTable columns={['时间', '人员', '操作', '对象', '内容', '地址']}>
              {items.map((a) => (
                <tr key={a.id}>
                  <td className="text-12 whitespace-nowrap text-ink-3">{fullAt(a.time)}</td>
                  <td className="whitespace-nowrap">{a.staffName ?? '系统'}</td>
                  <td className="font-medium whitespace-nowrap">{a.actName}</td>
                  <td className="text-12 text-ink-2">{a.target}</td>
                  <td data-wide="">{a.detail}</td>
                  <td className="text-12 whitespace-nowrap text-ink-3">{a.ip}</td>
                </tr>
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
    </>
  );
}
