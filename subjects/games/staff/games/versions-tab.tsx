import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { type GameVersionRow, rollbackGame, staffGameVersion } from '#subjects/games/contract/staff-games.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { ChangeList } from './changes.tsx';
import type { GameInfo } from './use-game-form.ts';

const SOURCES: Readonly<Record<GameVersionRow['source'], string>> = {
  staff: '后台发布',
  file: '导入文件',
  shipped: '自带目录',
  rollback: '退回',
  before: '启用版本前',
};

/** Every version with its author, reason and changes; each can be restored with one click. */
export function VersionsTab({ info }: { info: GameInfo }) {
  const { revalidate } = useRevalidator();
  const [asking, setAsking] = useState<{ version: number; plan: Data<typeof staffGameVersion> } | null>(null);
  const look = useMutation(staffGameVersion, {
    place: ({ version }) => String(version),
    done: (plan, { version }) => setAsking({ version: Number(version), plan }),
  });
  if (info.versions.length === 0)
    return (
      <div className="panel">
        <EmptyState title="还没有版本">第一次发布后，每一版都留在这里。</EmptyState>
      </div>
    );
  return (
    <section className="panel" aria-label="版本">
      <ol>
        {info.versions.map((row) => (
          <li key={row.version} className="border-b border-line-soft px-4 py-2.5">
            <details>
              <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1">
                <b className="font-medium">第 {row.version} 版</b>
                {row.version === info.version && <Tag tone="safe">线上</Tag>}
                <span className="text-ink-2">{row.reason}</span>
                <span className="text-12 text-ink-3">
                  {SOURCES[row.source]}，{row.staffName ?? '系统'} {fullAt(row.createTime)}，{row.changes.length} 处改动
                </span>
                {info.may.publish && row.version !== info.version && (
                  <Button
                    size="sm"
                    kind="ghost"
                    className="ml-auto"
                    busy={look.pending?.version === row.version}
                    onClick={(event) => {
                      event.preventDefault();
                      void look.send({ gameId: info.gameId, version: row.version });
                    }}
                  >
                    退回这一版
                  </Button>
                )}
                <FormError className="basis-full">{look.errors[row.version]}</FormError>
              </summary>
              <div className="mt-2 pl-1">
                <ChangeList changes={row.changes} />
              </div>
            </details>
          </li>
        ))}
      </ol>
      {asking && (
        <ReasonDialog
          title={`退回第 ${asking.version} 版`}
          action="退回"
          question={
            <div className="grid gap-3">
              <p>
                第 {asking.version} 版的内容会成为第 {info.version + 1} 版，2
                秒内全站生效；之后的版本都留着，草稿也留着。
              </p>
              <div className="max-h-72 overflow-y-auto">
                <ChangeList changes={asking.plan.changes} />
              </div>
            </div>
          }
          reasons={['新版有误']}
          reasonLabel="原因"
          isReasonNeeded
          send={(reason, options) =>
            call(rollbackGame, { gameId: info.gameId, version: asking.version, live: info.version, reason }, options)
          }
          onDone={() => {
            setAsking(null);
            toast('已退回', 'ok');
            void revalidate();
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </section>
  );
}
