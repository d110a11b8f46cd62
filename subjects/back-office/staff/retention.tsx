import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { type DeletedTable, type KeptTable, retentionList } from '#subjects/back-office/contract/retention.ts';
import { market } from '#web/lib/pages/context.ts';
import { grouped } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { AdminTable } from './parts/admin-table.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '数据保留', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  return await market(args).call(retentionList, {});
}

const MEGABYTE = 1024 ** 2;
const GIGABYTE = 1024 ** 3;

function sizeText(bytes: number): string {
  if (bytes >= GIGABYTE) return `${(bytes / GIGABYTE).toFixed(1)} GB`;
  return bytes >= MEGABYTE ? `${Math.round(bytes / MEGABYTE)} MB` : `${Math.ceil(bytes / 1024)} KB`;
}

/** The text of a row: the rule, with the table's name on hover. */
function RuleCell({ item }: { item: KeptTable }) {
  return <td title={item.table}>{item.rule}</td>;
}

function SizeCells({ item }: { item: KeptTable }) {
  return (
    <>
      <td className="num whitespace-nowrap" data-label="行数（约）">
        {grouped(item.rows)}
        <span className="block text-12 text-ink-3">{sizeText(item.bytes)}</span>
      </td>
      <td className="text-12 whitespace-nowrap" data-label="最早一行">
        {item.oldestTime ? fullAt(item.oldestTime) : '—'}
      </td>
    </>
  );
}

function LastRun({ item }: { item: DeletedTable }) {
  if (item.error !== null)
    return (
      <>
        <span className="text-danger">上次失败：{item.reason}</span>
        {item.error !== item.reason && (
          <details className="text-12 text-ink-3">
            <summary>技术信息</summary>
            <code lang="en">{item.error}</code>
          </details>
        )}
      </>
    );
  if (item.runTime === null) return <span className="text-ink-3">尚未运行</span>;
  return (
    <>
      {fullAt(item.runTime)}
      <span className="block text-ink-3">
        {item.lastDeletedTime
          ? `${fullAt(item.lastDeletedTime)} 删除 ${grouped(item.lastDeleted)} 行，累计 ${grouped(item.totalDeleted)} 行`
          : '没有到期的数据'}
      </span>
    </>
  );
}

/** Which rows of each table are deleted and when, and which are never deleted. */
export default function RetentionPage() {
  const { deleted, kept } = useLoaderData<typeof loader>();
  return (
    <>
      <div className="admin-head">
        <h1>数据保留</h1>
        <p>到期的数据每小时分小批删除；行数是数据库的估计值</p>
      </div>
      <section className="panel overflow-hidden" aria-labelledby="retention-deleted">
        <h2 id="retention-deleted" className="panel-head">
          到期删除
        </h2>
        <AdminTable columns={['规则', { num: '行数（约）' }, '最早一行', '最近一次运行']}>
          {deleted.map((item) => (
            <tr key={item.table}>
              <RuleCell item={item} />
              <SizeCells item={item} />
              <td className="text-12" data-label="最近一次运行">
                <LastRun item={item} />
              </td>
            </tr>
          ))}
        </AdminTable>
      </section>
      <section className="panel mt-4 overflow-hidden" aria-labelledby="retention-kept">
        <h2 id="retention-kept" className="panel-head">
          永久保存
        </h2>
        <AdminTable columns={['规则', { num: '行数（约）' }, '最早一行']}>
          {kept.map((item) => (
            <tr key={item.table}>
              <RuleCell item={item} />
              <SizeCells item={item} />
            </tr>
          ))}
        </AdminTable>
      </section>
    </>
  );
}
