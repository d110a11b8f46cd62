import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import {
  dropMiss,
  endSynonym,
  type SearchMiss,
  type Synonym,
  synonymList,
} from '#subjects/goods/contract/staff-synonyms.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { FilterBar, FilterKeyword, FilterSelect } from '#subjects/back-office/staff/parts/filter-bar.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { SynonymForm } from '#subjects/goods/staff/synonym-form.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '搜索同义词', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const of = (name: string) => args.url.searchParams.get(name) || undefined;
  return await market(args).call(synonymList, { keyWord: of('keyWord'), ended: of('ended') === '1' ? '1' : '0' });
}

function SynonymRow({ item, onEdit, onEnd }: { item: Synonym; onEdit?: () => void; onEnd?: () => void }) {
  return (
    <tr>
      <td data-wide="" className="font-medium">
        {item.term}
      </td>
      <td data-wide="">
        {item.meant}
        {item.note !== '' && <span className="block text-12 text-ink-3">{item.note}</span>}
      </td>
      <td className="text-12 text-ink-3" data-label={item.endTime ? '停用' : '添加'}>
        {item.endTime
          ? `${fullAt(item.endTime)} 停用：${item.endReason ?? ''}`
          : `${item.createdBy ?? '系统'} ${fullAt(item.createTime)}${item.version > 1 ? `，改过 ${item.version - 1} 次` : ''}`}
      </td>
      <td className="num">
        {onEdit && onEnd && (
          <span className="inline-flex gap-1">
            <Button size="sm" onClick={onEdit}>
              修改
            </Button>
            <Button size="sm" kind="ghost" onClick={onEnd}>
              停用
            </Button>
          </span>
        )}
      </td>
    </tr>
  );
}

/** A keyword without results: add a synonym for it, or remove it from the list. */
function MissRow({ item, onAdd, onDone }: { item: SearchMiss; onAdd: (() => void) | undefined; onDone: () => void }) {
  const { busy, error, send } = useMutation(dropMiss, { revalidates: 'always', done: onDone });
  return (
    <li className="grid gap-1.5 border-b border-line-soft px-4 py-2.5 last:border-0">
      <span className="flex items-baseline gap-2 text-13">
        <b className="min-w-0 font-medium break-all">{item.keyword}</b>
        <span className="ml-auto whitespace-nowrap text-ink-3">{item.times} 次</span>
      </span>
      <span className="flex flex-wrap items-center gap-1.5 text-12 text-ink-3">
        {item.gameName ?? '全部游戏'} · 最近 {fullAt(item.lastTime)}
        {onAdd && (
          <span className="ml-auto inline-flex gap-1">
            <Button size="sm" aria-label={`为${item.keyword}设同义词`} onClick={onAdd}>
              设同义词
            </Button>
            <Button
              size="sm"
              kind="ghost"
              busy={busy}
              aria-label={`不处理${item.keyword}`}
              onClick={() => void send({ missId: item.missId })}
            >
              不处理
            </Button>
          </span>
        )}
      </span>
      <FormError>{error}</FormError>
    </li>
  );
}

type Open = { kind: 'form'; item?: Synonym; term?: string } | { kind: 'end'; item: Synonym };

/** Synonyms of the search, next to the keywords without results. */
export default function SynonymsPage() {
  const { list, total, totalCapped, misses, canEdit } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [open, setOpen] = useState<Open | null>(null);
  const reload = () => {
    setOpen(null);
    void revalidate();
  };
  return (
    <>
      <div className="admin-head">
        <h1>搜索同义词</h1>
        <p>{countText(total, totalCapped)} 个，买家搜索左边的词时，也找到右边的词能找到的商品；保存后立即生效</p>
        {canEdit && (
          <Button size="sm" kind="primary" className="ml-auto" onClick={() => setOpen({ kind: 'form' })}>
            添加
          </Button>
        )}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_400px]">
        <section className="panel overflow-hidden" aria-label="同义词">
          <div className="border-b border-line-soft px-3 py-2">
            <FilterBar names={['keyWord', 'ended']}>
              <FilterKeyword placeholder="词语" />
              <FilterSelect name="ended" label="状态" all="使用中" options={[['1', '已停用']]} />
            </FilterBar>
          </div>
          {list.length === 0 ? (
            <EmptyState title="没有符合的同义词" />
          ) : (
            <AdminTable columns={['搜索词', '也搜索', '记录', { num: '操作' }]}>
              {list.map((item) => (
                <SynonymRow
                  key={`${item.synonymId}:${item.version}`}
                  item={item}
                  {...(canEdit &&
                    item.endTime === null && {
                      onEdit: () => setOpen({ kind: 'form', item }),
                      onEnd: () => setOpen({ kind: 'end', item }),
                    })}
                />
              ))}
            </AdminTable>
          )}
        </section>
        <section className="panel overflow-hidden" aria-labelledby="misses">
          <div className="border-b border-line-soft px-4 py-3">
            <h2 id="misses" className="text-14 font-semibold">
              没有结果的搜索
            </h2>
            <p className="text-12 text-ink-3">最近 30 天，含电话、QQ、微信或邮箱的不记录</p>
          </div>
          {misses.length === 0 ? (
            <EmptyState title="最近没有搜不到的词" />
          ) : (
            <ul>
              {misses.map((item) => (
                <MissRow
                  key={item.missId}
                  item={item}
                  onAdd={canEdit ? () => setOpen({ kind: 'form', term: item.keyword }) : undefined}
                  onDone={() => toast('已移出列表', 'ok')}
                />
              ))}
            </ul>
          )}
        </section>
      </div>
      {open?.kind === 'form' && <SynonymForm {...open} onDone={reload} onClose={() => setOpen(null)} />}
      {open?.kind === 'end' && (
        <ReasonDialog
          title={`停用：${open.item.term}`}
          action="停用"
          danger
          question={`停用后搜索“${open.item.term}”不再找到“${open.item.meant}”的商品。`}
          reasonLabel="原因"
          isReasonNeeded
          send={(reason, options) =>
            call(endSynonym, { synonymId: open.item.synonymId, version: open.item.version, reason }, options)
          }
          onDone={() => {
            toast('已停用', 'ok');
            reload();
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}
