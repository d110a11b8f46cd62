import { staffNewsVersion, type staffNewsInfo } from '#subjects/content/contract/staff-content.ts';
import type { Data } from '#contract/endpoint.ts';
import { PublicationStatus } from '#contract/rules/statuses.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Tag } from '#web/ui/tag.tsx';

type Info = Data<typeof staffNewsInfo>;

/** Every save of an article; an older one can be loaded into the form and saved as a new version. */
export function NewsVersions({
  news,
  versions,
  onTake,
}: {
  news: NonNullable<Info['news']>;
  versions: Info['versions'];
  onTake: (stored: Data<typeof staffNewsVersion>['news'], version: number) => void;
}) {
  const load = useMutation(staffNewsVersion, {
    place: ({ version }) => String(version),
    done: ({ news: stored }, { version }) => {
      onTake(stored, Number(version));
      window.scrollTo({ top: 0 });
    },
  });
  const isPublished = news.status === PublicationStatus.Published;
  return (
    <section className="panel mt-4" aria-labelledby="versions">
      <div className="flex flex-wrap items-baseline gap-2 border-b border-line-soft px-4 py-2.5">
        <h2 id="versions" className="text-14 font-semibold">
          版本
        </h2>
        <span className="text-12 text-ink-3">填入表单后保存，就恢复成那一版</span>
      </div>
      <ol className="px-4 py-1">
        {versions.map((row) => (
          <li
            key={row.version}
            className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line-soft py-2 text-13 last:border-b-0"
          >
            <b className="font-medium">第 {row.version} 版</b>
            {row.version === news.live && isPublished && <Tag tone="safe">线上</Tag>}
            {row.version > news.live && <Tag tone="attn">未发布</Tag>}
            <span className="min-w-0 flex-1 truncate text-ink-2">{row.title}</span>
            {row.restoredFrom !== null && <span className="text-12 text-ink-3">取自第 {row.restoredFrom} 版</span>}
            <span className="text-12 text-ink-3">
              {row.staffName ?? '系统'} {fullAt(row.createTime)}
            </span>
            <Button
              size="sm"
              kind="ghost"
              busy={load.pending?.version === row.version}
              onClick={() => void load.send({ id: news.id, version: row.version })}
            >
              填入表单
            </Button>
            <FormError className="basis-full">{load.errors[row.version]}</FormError>
          </li>
        ))}
      </ol>
    </section>
  );
}
