import { ChevronLeft } from 'lucide-react';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { type ImportJob, importJob, importJobs, importRows } from '#subjects/back-office/contract/import.ts';
import { market } from '#web/lib/pages/context.ts';
import { grouped } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { NewImport } from './import/new-import.tsx';
import { Report, ROWS_PAGE, outcomeOf } from './import/report.tsx';
import { AdminTable } from './parts/admin-table.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '导入库存表', noindex: true });
}

/** Without `id` the list of imports, with it one import and its rows. */
export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const search = args.url.searchParams;
  const importId = search.get('id');
  if (importId === null) return { list: (await call(importJobs, { pageSize: 30 })).list, one: null };
  const [job, rows] = await Promise.all([
    call(importJob, { importId }),
    call(importRows, { importId, verdict: outcomeOf(search), pageSize: ROWS_PAGE }),
  ]);
  return { list: [], one: { job, rows } };
}

const TONES = { ready: undefined, running: 'attn', done: 'safe', failed: 'danger' } as const;

function Status({ job }: { job: ImportJob }) {
  const tone = TONES[job.status];
  return <Tag {...(tone && { tone })}>{job.statusName}</Tag>;
}

function Jobs({ list }: { list: readonly ImportJob[] }) {
  const begun = list.filter(({ status }) => status !== 'ready');
  return (
    <section className="panel overflow-hidden" aria-label="导入记录">
      <div className="panel-head">
        <h2>导入记录</h2>
      </div>
      {begun.length === 0 ? (
        <EmptyState title="还没有导入过">上传卖家发来的库存表，填上卖家手机号就可以开始。</EmptyState>
      ) : (
        <AdminTable columns={['文件', '卖家', '状态', { num: '行数' }, { num: '导入' }, { num: '拒绝' }, '时间']}>
          {begun.map((job) => (
            <tr key={job.importId}>
              <td data-wide="">
                <Link to={`?id=${job.importId}`} className="link">
                  {job.fileName}
                </Link>
              </td>
              <td>{job.sellerName}</td>
              <td>
                <Status job={job} />
              </td>
              <td className="num" data-label="行数">
                {grouped(job.doneRows)}
              </td>
              <td className="num" data-label="导入">
                {grouped(job.imported + job.corrected)}
              </td>
              <td className="num" data-label="拒绝">
                {grouped(job.refused)}
              </td>
              <td className="text-12 whitespace-nowrap text-ink-3">
                {job.staffName} {fullAt(job.createTime)}
              </td>
            </tr>
          ))}
        </AdminTable>
      )}
    </section>
  );
}

/** Imports of sellers' stock lists: a new one, the history, or one with the result of each row. */
export default function ImportPage() {
  const { list, one } = useLoaderData<typeof loader>();
  return (
    <>
      <div className="admin-head">
        {one ? (
          <Link to="/backstage/import" className="inline-flex items-center gap-1 text-ink-2 hover:text-link">
            <ChevronLeft className="icon" aria-hidden="true" />
            导入库存表
          </Link>
        ) : (
          <h1>导入库存表</h1>
        )}
      </div>
      {one ? (
        <Report job={one.job} rows={one.rows} />
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-[400px_minmax(0,1fr)]">
          <NewImport />
          <Jobs list={list} />
        </div>
      )}
    </>
  );
}
