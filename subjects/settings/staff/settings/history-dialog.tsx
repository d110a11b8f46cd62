import { settingHistory } from '#subjects/settings/contract/staff-settings.ts';
import type { Data } from '#contract/endpoint.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { usePanel } from '#subjects/back-office/staff/parts/use-panel.ts';

export type HistoryItem = Data<typeof settingHistory>['list'][number];

const STATES = {
  counts: { tone: 'safe', name: '生效中' },
  planned: { tone: 'attn', name: '待生效' },
  past: { name: '已过去' },
  revoked: { name: '已撤销' },
} as const;

/** The author, date, start, reason and content of each change; an older version can be loaded into the form. */
export function HistoryDialog({
  name,
  settingKey,
  onRestore,
  onClose,
}: {
  name: string;
  settingKey: string;
  onRestore?: (item: HistoryItem) => void;
  onClose: () => void;
}) {
  const { data, failure, reload } = usePanel(settingHistory, { key: settingKey });
  return (
    <Dialog title={`${name}的历史`} onClose={onClose}>
      {data === null &&
        (failure === null ? <Skeleton className="h-40" /> : <ErrorState message={failure} onRetry={reload} />)}
      <ol className="grid gap-3">
        {data?.list.map((item) => (
          <li key={item.version} className="grid gap-1 border-b border-line-soft pb-3 text-13 last:border-0">
            <div className="flex flex-wrap items-center gap-2">
              <b className="font-semibold">第 {item.version} 版</b>
              <Tag {...STATES[item.state]}>{STATES[item.state].name}</Tag>
              <span className="text-12 text-ink-3">从 {fullAt(item.fromTime)} 起</span>
              {onRestore && item.state === 'past' && (
                <Button size="sm" kind="ghost" className="ml-auto" onClick={() => onRestore(item)}>
                  恢复这一版
                </Button>
              )}
            </div>
            <p className="text-12 text-ink-3">
              {fullAt(item.createTime)} · {item.createdBy ?? '系统'}
              {item.approvedBy && `，${item.approvedBy}复核`}
              {item.revokedBy && `，${item.revokedBy}撤销`}
              {item.reason !== '' && `：${item.reason}`}
            </p>
            <ul className="grid gap-0.5">
              {item.changes.map(({ label, before, after }) => (
                <li key={label} className="text-13">
                  <span className="text-ink-3">{label}</span> {before === '' ? '空' : before} →{' '}
                  {after === '' ? '空' : after}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
