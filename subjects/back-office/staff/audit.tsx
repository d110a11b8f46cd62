import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { auditChain, auditList } from '#subjects/back-office/contract/audit.ts';
import { auditRows } from '#subjects/back-office/contract/list-audit.ts';
import type { Data } from '#contract/endpoint.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { loadList, rowsOf } from './list/list-loader.ts';
import { ListPage } from './list/list-page.tsx';
import type { CellViews } from './list/table.tsx';
import { AuditChain } from './system/audit-chain.tsx';

export { shouldRevalidate } from './list/list-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '操作记录', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const [list, chain] = await Promise.all([loadList(args, auditRows, auditList), market(args).call(auditChain, {})]);
  return { ...list, chain };
}

type Entry = Data<typeof auditList>['list'][number];

const VIEWS = [
  { name: '今天', query: 'time=today' },
  { name: '员工与登录', query: 'group=staff' },
  { name: '交易设置', query: 'group=setting' },
] as const;

const read = rowsOf(auditList);

const cells: CellViews<Entry> = {
  time: (a) => <time dateTime={a.time}>{fullAt(a.time)}</time>,
  actName: (a) => <b className="font-medium">{a.actName}</b>,
  detail: (a) => <span className="list-wrap">{a.detail}</span>,
};

function Card({ entry }: { entry: Entry }) {
  return (
    <>
      <span className="flex items-baseline gap-2">
        <b className="font-medium">{entry.actName}</b>
        <span className="ml-auto text-12 text-ink-3">
          {entry.staffName ?? '系统'} {shortAt(entry.time)}
        </span>
      </span>
      <span className="text-12 text-ink-3">
        {entry.target} {entry.detail}
      </span>
    </>
  );
}

/** The audit log: what staff did to listings, orders, money and users, and when. Entries cannot be changed. */
export default function AuditPage() {
  const { chain, ...data } = useLoaderData<typeof loader>();
  const people = data.first.people.map(({ staffId, name }) => [String(staffId), name] as const);
  const filters = { ...auditRows.filters, staffId: { ...auditRows.filters.staffId, options: people } };
  return (
    <ListPage
      list={{ ...auditRows, filters }}
      data={data}
      load={read}
      builtIn={VIEWS}
      views={cells}
      card={(entry) => <Card entry={entry} />}
      head={<p className="text-12 text-ink-3">只能查看，不能修改或删除</p>}
      intro={
        <details className="list-intro">
          <summary>校验链与每夜核对</summary>
          <AuditChain chain={chain} />
        </details>
      }
    />
  );
}
