import { useEffect, useRef, useState } from 'react';
import { asFailure, readFailureMessage } from '#web/lib/api/call-errors.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';

/** A version of a text. */
export interface TextVersion {
  version: number;
  title: string;
  body: string;
  template?: string | null;
  removed?: boolean;
  changedBy: string | null;
  changeTime: string;
  reason: string;
  /** Optional additional text for it. */
  note?: string;
  /** Its state, replacing 'now' for the newest. */
  tag?: { name: string; tone: 'safe' | 'attn' | undefined };
}

/** The versions of a text, newest first; an older one can be loaded into the form. */
export function TextHistory({
  title,
  load,
  onRestore,
  onClose,
}: {
  title: string;
  load: () => Promise<readonly TextVersion[]>;
  onRestore?: (version: TextVersion) => void;
  onClose: () => void;
}) {
  const [list, setList] = useState<readonly TextVersion[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const loader = useRef(load);
  useEffect(() => {
    if (problem === null)
      loader.current().then(setList, (thrown: unknown) => setProblem(readFailureMessage(asFailure(thrown))));
  }, [problem]);
  return (
    <Dialog title={`${title}的历史`} onClose={onClose}>
      {problem !== null && <ErrorState message={problem} onRetry={() => setProblem(null)} />}
      {problem === null && list === null && <Skeleton className="h-40" />}
      <ol className="grid gap-3">
        {list?.map((one, n) => (
          <li key={one.version} className="grid gap-1 border-b border-line-soft pb-3 text-13 last:border-0">
            <div className="flex flex-wrap items-center gap-2">
              <b className="font-semibold">第 {one.version} 版</b>
              {one.tag && <Tag {...(one.tag.tone && { tone: one.tag.tone })}>{one.tag.name}</Tag>}
              {!one.tag && n === 0 && <Tag tone="safe">现在</Tag>}
              {onRestore && n > 0 && !one.removed && (
                <Button size="sm" kind="ghost" className="ml-auto" onClick={() => onRestore(one)}>
                  恢复这一版
                </Button>
              )}
            </div>
            <p className="text-12 text-ink-3">
              {fullAt(one.changeTime)}，{one.changedBy ?? '系统'}
              {one.reason !== '' && `：${one.reason}`}
              {one.note && `（${one.note}）`}
            </p>
            {one.removed ? (
              <p className="text-ink-3">取消单独的文案</p>
            ) : (
              <>
                <p className="font-medium">{one.title}</p>
                <p className="whitespace-pre-line text-ink-2">{one.body}</p>
                {one.template && <p className="text-12 text-ink-3">模板 {one.template}</p>}
              </>
            )}
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
