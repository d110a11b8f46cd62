import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import {
  LIST_EXPORT_PATH,
  listExportState,
  MAX_EXPORT_ROWS,
  startListExport,
} from '#subjects/back-office/contract/lists.ts';
import type { ListName } from '#contract/lists/names.ts';
import { call } from '#web/lib/api/api.ts';
import { failureMessage, asFailure } from '#web/lib/api/call-errors.ts';
import { countText, grouped } from '#web/lib/format/format.ts';
import { saveFile } from '#web/lib/media/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { Menu } from '#web/ui/overlays/menu.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { Query } from './state.ts';

type Format = 'csv' | 'xlsx';

/** A running export. */
interface Running {
  format: Format;
  total: number;
  totalCapped: boolean;
  written: number;
}

const POLL_MS = 700;

function nameOf(response: Response): string {
  const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return name === undefined ? 'export' : decodeURIComponent(name);
}

/** Runs one export at a time: starts it, polls its progress, and saves the file. */
export function useExport(list: ListName, unit: string) {
  const [running, setRunning] = useState<Running | null>(null);
  const stop = useRef<AbortController | null>(null);
  const start = async (format: Format, query: Query, columns: readonly string[]) => {
    if (stop.current) return;
    const abort = new AbortController();
    stop.current = abort;
    let timer: ReturnType<typeof setInterval> | undefined;
    try {
      const { exportId, total, totalCapped } = await call(
        startListExport,
        { list, format, query, columns: [...columns] },
        { quiet: true },
      );
      setRunning({ format, total, totalCapped, written: 0 });
      timer = setInterval(() => {
        call(listExportState, { exportId }, { quiet: true, signal: abort.signal })
          .then(({ written }) => setRunning((now) => now && { ...now, written: Math.max(now.written, written) }))
          // A missing response only affects the progress display.
          .catch(() => {});
      }, POLL_MS);
      const response = await fetch(`${LIST_EXPORT_PATH}?exportId=${exportId}`, {
        signal: abort.signal,
        credentials: 'include',
      });
      if (!response.ok) throw new Error(`the export returned HTTP ${response.status}`);
      saveFile(nameOf(response), await response.blob());
      toast(totalCapped ? '导出完成' : `已导出 ${grouped(total)} ${unit}`, 'ok');
    } catch (error) {
      if (!abort.signal.aborted)
        toast(
          error instanceof Error && error.message === 'no file' ? '导出中断，请重试' : failureMessage(asFailure(error)),
          'warn',
        );
    } finally {
      clearInterval(timer);
      stop.current = null;
      setRunning(null);
    }
  };
  return {
    running,
    start: (...args: Parameters<typeof start>) => void start(...args),
    cancel: () => stop.current?.abort(),
  };
}

/** Exports the list as displayed. */
export function ExportMenu({ onExport, isBusy }: { onExport: (format: Format) => void; isBusy: boolean }) {
  return (
    <Menu
      label="导出"
      trigger={(props) => (
        <button type="button" className="list-tool list-export" disabled={isBusy} {...props}>
          <Download className="icon size-3.5" aria-hidden="true" />
          导出
        </button>
      )}
    >
      {() => (
        <>
          <button type="button" role="menuitem" className="menu-item" onClick={() => onExport('xlsx')}>
            Excel 表格（XLSX）
          </button>
          <button type="button" role="menuitem" className="menu-item" onClick={() => onExport('csv')}>
            CSV 文件
          </button>
          <p className="px-3 py-1.5 text-12 text-ink-3">按现在的筛选、列和顺序，最多 {grouped(MAX_EXPORT_ROWS)} 行</p>
        </>
      )}
    </Menu>
  );
}

/** The progress of the export, with a button to stop it. */
export function ExportProgress({
  running,
  unit,
  columns,
  onCancel,
}: {
  running: Running;
  unit: string;
  columns: number;
  onCancel: () => void;
}) {
  const { total, totalCapped, written, format } = running;
  return (
    <section className="list-exporting" role="status" aria-label="导出进度">
      <p className="flex items-center gap-2">
        <b>
          正在导出 {countText(total, totalCapped)} {unit} {format.toUpperCase()}
        </b>
        <Button size="sm" kind="ghost" className="ml-auto" onClick={onCancel}>
          取消
        </Button>
      </p>
      <progress
        className="admin-progress"
        max={totalCapped ? undefined : Math.max(1, total)}
        value={totalCapped ? undefined : written}
      />
      <p className="text-12 text-ink-3">
        已写 {grouped(written)} {unit}，{columns} 列，手机号一律遮住
      </p>
    </section>
  );
}
