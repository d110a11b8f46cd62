import { grouped } from '#web/lib/format/format.ts';
import { useEffect } from 'react';
import { Link, useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { type listingImportRows, listingImportRun } from '#subjects/listing-import/contract/listing-import.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import type { ImportFile } from './file.ts';
import { MendRow } from './mend-row.tsx';
import { MissingPictures } from './pictures.tsx';
import { ReadingNotes } from './reading-notes.tsx';

type Rows = Data<typeof listingImportRows>;
type State = Rows['list'][number]['state'];

const POLL_MS = 2000;

/** Reloads the page while its file is being published. */
function useProgress(isRunning: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void revalidate(), POLL_MS);
    return () => clearInterval(timer);
  }, [isRunning, revalidate]);
}

function tabsOf({ kind, counts, importId }: ImportFile, state: State) {
  const names: [State, string][] = [
    ['refused', '有问题'],
    ['ready', kind === 'publish' ? '可发布' : '可修改'],
    ['done', kind === 'publish' ? '已发布' : '已修改'],
    ['existing', kind === 'publish' ? '已存在' : '无变化'],
  ];
  return names.map(([key, label]) => ({
    key,
    label,
    to: `?id=${importId}&state=${key}`,
    isCurrent: state === key,
    count: (counts[key] ?? 0) + (key === 'ready' ? (counts.running ?? 0) : 0),
  }));
}

const EMPTY: Readonly<Record<State, string>> = {
  refused: '没有有问题的行',
  ready: '没有等待处理的行',
  running: '没有正在处理的行',
  done: '还没有处理好的行',
  existing: '没有这样的行',
};

function ShownRow({ file, row }: { file: ImportFile; row: Rows['list'][number] }) {
  const { values, notes, goodsSn, line } = row;
  const title = values.bigTitle ?? values.code ?? '';
  return (
    <li className="grid gap-1 px-4 py-3">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-12 text-ink-3">第 {line} 行</span>
        {goodsSn === null ? (
          <span className="min-w-0 flex-1 truncate">{title}</span>
        ) : (
          <Link to={`/detail/${goodsSn}`} className="link min-w-0 flex-1 truncate">
            {title || goodsSn}
          </Link>
        )}
        {values.price && <span className="tabular-nums">¥{grouped(values.price)}</span>}
        {values.stock && <span className="text-13 text-ink-3">库存 {values.stock}</span>}
      </p>
      {notes.length > 0 && <p className="text-12 text-ink-3">{notes.join('；')}</p>}
      {file.kind === 'publish' && row.state === 'done' && <p className="text-12 text-ink-3">已提交审核</p>}
    </li>
  );
}

function Status({ file }: { file: ImportFile }) {
  const ready = (file.counts.ready ?? 0) + (file.counts.running ?? 0);
  const done = file.counts.done ?? 0;
  if (file.waitTime !== null)
    return (
      <>
        今日的额度已用完，剩下 {ready} 件会自动继续，下次在 {fullTime(Date.parse(file.waitTime))}
      </>
    );
  if (file.status === 'running')
    return (
      <>
        正在处理，已完成 {done} 件，还有 {ready} 件；可以离开这个页面
      </>
    );
  if (file.failure !== null) return <span className="text-danger">已停止：{file.failure}</span>;
  if (ready > 0)
    return (
      <>
        {ready} 件通过检查{(file.counts.refused ?? 0) > 0 && '，有问题的行可以先改，也可以之后再改'}
      </>
    );
  return <>{(file.counts.refused ?? 0) > 0 ? '改好有问题的行，就可以继续' : '全部处理好了'}</>;
}

/** The rows of a file: invalid rows are corrected here, valid ones are published. */
export function ImportRows({ file, state, rows }: { file: ImportFile; state: State; rows: Rows }) {
  const isRunning = file.status === 'running';
  useProgress(isRunning && file.waitTime === null);
  const ready = file.counts.ready ?? 0;
  const { busy, error, send } = useMutation(listingImportRun, { revalidates: true });
  return (
    <section className="panel" aria-labelledby="rows">
      <div className="panel-head flex-wrap">
        <h1 id="rows" className="text-16 font-semibold">
          {file.kind === 'publish' ? '检查并发布' : '检查并修改'}
        </h1>
        <p className="min-w-0 truncate">
          {file.fileName} · {file.total} 行{file.gameName && ` · ${file.gameName} ${file.goodsTypeStr}`}
        </p>
        <span className="ml-auto flex gap-2">
          {!isRunning && (
            <ButtonLink size="sm" to={`?id=${file.importId}&columns`}>
              重新对应列
            </ButtonLink>
          )}
          <ButtonLink size="sm" to="?">
            返回
          </ButtonLink>
        </span>
      </div>
      <ReadingNotes file={file} />
      <LinkTabs label="各行" items={tabsOf(file, state)} />
      {!isRunning && file.missingPictures.length > 0 && <MissingPictures file={file} />}
      {rows.list.length === 0 ? (
        <EmptyState title={EMPTY[state]} />
      ) : (
        <ul className="divide-y divide-line-soft">
          {rows.list.map((row) =>
            row.state === 'refused' ? (
              <MendRow key={row.line} file={file} row={row} />
            ) : (
              <ShownRow key={row.line} file={file} row={row} />
            ),
          )}
        </ul>
      )}
      {rows.next !== null && (
        <p className="border-t border-line-soft px-4 py-3 text-center">
          <Link className="link" to={`?id=${file.importId}&state=${state}&cursor=${rows.next}`}>
            下一页
          </Link>
        </p>
      )}
      <div className="bulk-bar">
        <p className="min-w-0 flex-1 basis-48 text-13 text-ink-3" aria-live="polite">
          <Status file={file} />
        </p>
        <FormError>{error}</FormError>
        {file.status === 'done' ? (
          <ButtonLink to="/center/sellOutGoods">查看我的商品</ButtonLink>
        ) : (
          <Button
            kind="primary"
            busy={busy || (isRunning && file.waitTime === null)}
            disabled={ready === 0 || isRunning}
            onClick={() => void send({ importId: file.importId })}
          >
            {file.kind === 'publish' ? `发布 ${ready} 件` : `修改 ${ready} 件`}
          </Button>
        )}
      </div>
    </section>
  );
}
