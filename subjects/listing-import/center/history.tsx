import { Link } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { type listingImportList, listingImportRemove } from '#subjects/listing-import/contract/listing-import.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';

type File = Data<typeof listingImportList>['list'][number];

const ABOUT = { publish: '发布商品', stock: '改价改库存' } as const;

function countsText({ kind, counts }: File): string {
  const parts: [number | undefined, string][] = [
    [counts.done, kind === 'publish' ? '已发布' : '已修改'],
    [(counts.ready ?? 0) + (counts.running ?? 0), '可处理'],
    [counts.refused, '有问题'],
    [counts.existing, kind === 'publish' ? '已存在' : '无变化'],
  ];
  return parts
    .filter(([n]) => (n ?? 0) > 0)
    .map(([n, name]) => `${name} ${n}`)
    .join('，');
}

/** The seller's earlier files. */
export function ImportHistory({ files }: { files: readonly File[] }) {
  const remove = useMutation(listingImportRemove, { toasts: true, revalidates: true });
  return (
    <section className="panel" aria-labelledby="imports">
      <div className="panel-head">
        <h2 id="imports">导入记录</h2>
        <p>保留 30 天；移除记录不影响已发布的商品</p>
      </div>
      {files.length === 0 ? (
        <EmptyState title="还没有导入过">下载模板填好，或上传您自己的表格。</EmptyState>
      ) : (
        <ul className="divide-y divide-line-soft">
          {files.map((file) => (
            <li key={file.importId} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
              <div className="min-w-0 flex-1 basis-60">
                <Link to={`?id=${file.importId}`} className="link block truncate font-medium">
                  {file.fileName}
                </Link>
                <p className="text-12 text-ink-3">
                  {ABOUT[file.kind]}
                  {file.gameName && ` · ${file.gameName} ${file.goodsTypeStr}`} · <TimeLabel at={file.createTime} />
                </p>
                <p className="text-12 text-ink-2">{countsText(file)}</p>
              </div>
              <Tag {...(file.status !== 'running' && { tone: file.status === 'done' ? 'safe' : 'attn' })}>
                {file.statusName}
              </Tag>
              <Button
                size="sm"
                kind="ghost"
                busy={remove.busy && remove.pending?.importId === file.importId}
                onClick={() => void remove.send({ importId: file.importId })}
                aria-label={`移除 ${file.fileName}`}
              >
                移除
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
