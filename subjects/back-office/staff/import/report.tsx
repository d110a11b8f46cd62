import { Download } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useRevalidator, useSearchParams } from 'react-router';
import { type ImportJob, importRows, rejectedRows } from '#subjects/back-office/contract/import.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { grouped } from '#web/lib/format/format.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { ListNotes } from './list-notes.tsx';
import { StatusTabs } from '../parts/status-tabs.tsx';
import { saveText } from '#web/lib/media/save-file.ts';
import { AdminTable } from '../parts/admin-table.tsx';
import { FormError } from '#web/ui/forms/field.tsx';

const POLL_MS = 1000;
export const ROWS_PAGE = 50;

type Rows = Data<typeof importRows>;

/** Reloads the page's data while the import runs. */
function useRunning(running: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => void revalidate(), POLL_MS);
    return () => clearInterval(timer);
  }, [running, revalidate]);
}

function Progress({ job }: { job: ImportJob }) {
  const percent = job.totalRows === 0 ? 100 : Math.floor((job.doneRows / job.totalRows) * 100);
  return (
    <div className="grid gap-1.5">
      <progress className="admin-progress" max={100} value={percent} aria-label="导入进度" />
      <p className="flex flex-wrap justify-between gap-x-4 text-12 text-ink-3" aria-live="polite">
        <span>
          {job.statusName}，{grouped(job.doneRows)} / {grouped(job.totalRows)} 行
        </span>
        <span>{job.finishTime ? `${fullAt(job.finishTime)} 结束` : `${percent}%`}</span>
      </p>
      {job.failure && <p className="text-13 text-danger">{job.failure}</p>}
    </div>
  );
}

const TONES = { imported: 'safe', corrected: 'safe', existing: undefined, refused: 'danger' } as const;

function RowTable({ first, job, outcome }: { first: Rows; job: ImportJob; outcome: ReturnType<typeof outcomeOf> }) {
  const { importId, publish } = job;
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(importRows, { importId, verdict: outcome, pageSize: ROWS_PAGE, cursor }, { quiet: true }),
    ({ line }) => line,
  );
  if (items.length === 0) return <EmptyState title="没有这一类的行" />;
  return (
    <>
      <AdminTable columns={[{ num: '行' }, '商家编号', '结果', '说明', '商品编号']}>
        {items.map((row) => {
          const tone = TONES[row.verdict];
          return (
            <tr key={row.line}>
              <td className="num text-ink-3" data-label="第">
                {row.line}
              </td>
              <td className="whitespace-nowrap">{row.key ?? <span className="text-ink-3">无</span>}</td>
              <td className="whitespace-nowrap">
                <Tag {...(tone && { tone })}>{row.verdictName}</Tag>
              </td>
              <td data-wide="" className="text-ink-2">
                {row.note}
              </td>
              <td className="whitespace-nowrap">
                {row.goodsSn && !publish ? (
                  <Link to={`/backstage/goods?keyWord=${row.goodsSn}`} className="link">
                    {row.goodsSn}
                  </Link>
                ) : (
                  row.goodsSn
                )}
              </td>
            </tr>
          );
        })}
      </AdminTable>
      <ListEnd next={next} busy={busy} error={error} onMore={more} />
    </>
  );
}

/** The outcome filter of the URL; undefined = all. */
export function outcomeOf(search: URLSearchParams): 'imported' | 'corrected' | 'existing' | 'refused' | undefined {
  const param = search.get('verdict');
  return param === 'imported' || param === 'corrected' || param === 'existing' || param === 'refused'
    ? param
    : undefined;
}

/** One import: its progress, the result of each row, and the rejected rows as a file. */
export function Report({ job, rows }: { job: ImportJob; rows: Rows }) {
  const [search] = useSearchParams();
  useRunning(job.status === 'running');
  const { busy, error, send } = useMutation(rejectedRows, {
    done: ({ fileName, text }) => saveText(fileName, text),
  });
  return (
    <section className="panel overflow-hidden" aria-label={`导入 ${job.fileName}`}>
      <div className="grid gap-3 p-4">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h2 className="text-16 font-semibold break-all">{job.fileName}</h2>
          <span className="text-12 text-ink-3">
            卖家 {job.sellerName}，{job.publish ? '直接上架' : '进入审核'}，{job.staffName} {fullAt(job.createTime)}
          </span>
          {job.refused > 0 && job.status !== 'running' && (
            <Button size="sm" className="ml-auto" busy={busy} onClick={() => void send({ importId: job.importId })}>
              <Download className="icon size-3.5" aria-hidden="true" />
              下载被拒绝的 {grouped(job.refused)} 行
            </Button>
          )}
          <FormError className="basis-full">{error}</FormError>
        </div>
        <Progress job={job} />
        <ListNotes job={job} />
      </div>
      <StatusTabs
        name="verdict"
        label="结果"
        items={[
          { key: 'all', text: '全部', count: job.doneRows },
          { key: 'imported', text: '已导入', count: job.imported },
          { key: 'corrected', text: '修正后导入', count: job.corrected },
          { key: 'existing', text: '已存在', count: job.existing },
          { key: 'refused', text: '被拒绝', count: job.refused },
        ]}
      />
      <RowTable first={rows} job={job} outcome={outcomeOf(search)} />
    </section>
  );
}
