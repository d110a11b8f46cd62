import { FileDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import {
  dataExportList,
  EXPORT_RETENTION_DAYS,
  requestDataExport,
} from '#subjects/data-export/contract/data-export.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { asFailure, readFailureMessage } from '#web/lib/api/call-errors.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { ErrorState } from '#web/ui/states.tsx';

type Exports = Data<typeof dataExportList>;

/** Polling interval while an export is being generated. */
const POLL_MS = 3000;
const STATUS = { waiting: '正在生成，好了会通知您', ready: '可以下载', removed: '已删除' } as const;

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Export of the user's data: requested after a step-up, downloadable for seven days. */
export function DataExport() {
  const [data, setData] = useState<Exports | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [reloadCount, setReloadCount] = useState(0);
  const isPending = data?.list[0]?.status === 'waiting';
  useEffect(() => {
    let isUnmounted = false;
    call(dataExportList, {}, { quiet: true }).then(
      (read) => {
        if (!isUnmounted) setData(read);
      },
      (thrown: unknown) => setProblem(readFailureMessage(asFailure(thrown))),
    );
    return () => {
      isUnmounted = true;
    };
  }, [reloadCount]);
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setTimeout(() => setReloadCount(reloadCount + 1), POLL_MS);
    return () => clearTimeout(timer);
  }, [isPending, reloadCount]);
  const { busy, error, send } = useMutation(
    (_: void, options) => withStepUp('export', () => call(requestDataExport, {}, options)),
    { done: () => setReloadCount(reloadCount + 1) },
  );
  if (problem)
    return (
      <ErrorState
        message={problem}
        onRetry={() => {
          setProblem(null);
          setReloadCount(reloadCount + 1);
        }}
      />
    );
  return (
    <section aria-labelledby="export" className="border-b border-line-soft">
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 pt-4 pb-2">
        <div className="min-w-0">
          <h2 id="export" className="text-14 font-semibold">
            导出个人数据
          </h2>
          <p className="text-12 text-ink-3">
            资料、登录、订单、商品、聊天、资金、理赔、申诉和评价，JSON 文件；每天一次，保留 {EXPORT_RETENTION_DAYS}{' '}
            天，只有您登录后能下载。
          </p>
        </div>
        <Button size="sm" busy={busy} disabled={!data || data.nextTime !== null} onClick={() => void send()}>
          申请导出
        </Button>
      </div>
      <div className="px-4">
        <FormError>{error}</FormError>
        {data?.nextTime && <p className="pb-2 text-12 text-ink-3">下次可申请的时间：{fullAt(data.nextTime)}</p>}
      </div>
      <ul aria-live="polite">
        {data?.list.map(({ exportId, status, bytes, url, expireTime, createTime }) => (
          <li key={exportId} className="flex items-center gap-3 border-t border-line-soft px-4 py-3">
            <FileDown className="icon size-5 text-ink-3" strokeWidth={1.5} aria-hidden="true" />
            <span className="grid min-w-0 flex-1">
              <span className="text-14">
                {fullAt(createTime)} 申请{bytes !== null && status === 'ready' && `，${sizeOf(bytes)}`}
              </span>
              <span className="text-12 text-ink-3">
                {STATUS[status]}
                {status === 'ready' && expireTime && `，${fullAt(expireTime)} 删除`}
              </span>
            </span>
            {url && (
              <a href={url} download className={buttonClass({ size: 'sm' })}>
                下载
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
