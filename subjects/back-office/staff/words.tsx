import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { type BlockedWord, changeWord, endWord, wordList } from '#subjects/back-office/contract/blocked-words.ts';
import { type WordLevel, wordLevels } from '../rules/blocked-words.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/input.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AdminTable } from './parts/admin-table.tsx';
import { FilterBar, FilterKeyword, FilterSelect } from './parts/filter-bar.tsx';
import { ReasonDialog } from './parts/dialogs/reason-dialog.tsx';
import { AddBlockedWords } from './words/add-blocked-words.tsx';
import { TryBlockedWords } from './words/try-blocked-words.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '屏蔽词', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const of = (name: string) => args.url.searchParams.get(name) || undefined;
  const wanted = of('level');
  const level = wanted !== undefined && wanted in wordLevels ? (wanted as WordLevel) : undefined;
  const ended = of('ended') === '1' ? ('1' as const) : ('0' as const);
  return await market(args).call(wordList, { keyWord: of('keyWord'), level, ended });
}

const LEVELS = Object.entries(wordLevels);

/** The level of a word, changed on the spot. */
function LevelSelect({ item, onDone }: { item: BlockedWord; onDone: () => void }) {
  const { busy, error, send } = useMutation(changeWord, {
    revalidates: 'always',
    done: () => {
      toast('已修改，立即生效', 'ok');
      onDone();
    },
  });
  return (
    <>
      <Select
        small
        className="w-auto"
        aria-label={`${item.word}的级别`}
        disabled={busy}
        value={item.level}
        onChange={(event) =>
          void send({
            wordId: item.wordId,
            version: item.version,
            level: event.target.value as WordLevel,
            note: item.note,
          })
        }
      >
        {LEVELS.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </Select>
      <FormError className="row-error ml-0">{error}</FormError>
    </>
  );
}

function Row({
  item,
  canEdit,
  onEnd,
  onDone,
}: {
  item: BlockedWord;
  canEdit: boolean;
  onEnd: () => void;
  onDone: () => void;
}) {
  return (
    <tr>
      <td data-wide="">
        <span className="font-medium">{item.word}</span>
        {item.note !== '' && <span className="block text-12 text-ink-3">{item.note}</span>}
      </td>
      <td>{canEdit && item.endTime === null ? <LevelSelect item={item} onDone={onDone} /> : wordLevels[item.level]}</td>
      <td className="num" data-label="命中">
        {item.hits}
      </td>
      <td className="text-12 whitespace-nowrap text-ink-3" data-label="最近命中">
        {item.lastHit ? fullAt(item.lastHit) : '—'}
      </td>
      <td className="text-12 text-ink-3" data-label={item.endTime ? '停用' : '添加'}>
        {item.endTime
          ? `${fullAt(item.endTime)} 停用：${item.endReason ?? ''}`
          : `${item.createdBy ?? '系统'} ${fullAt(item.createTime)}`}
      </td>
      <td className="num">
        {canEdit && item.endTime === null && (
          <Button size="sm" kind="ghost" onClick={onEnd}>
            停用
          </Button>
        )}
      </td>
    </tr>
  );
}

/** Words blocked in texts: levels, hits, import, and a field that shows the filtered form of a text. */
export default function WordsPage() {
  const { list, total, totalCapped, canEdit } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [open, setOpen] = useState<'add' | BlockedWord | null>(null);
  const reload = () => {
    setOpen(null);
    void revalidate();
  };
  return (
    <>
      <div className="admin-head">
        <h1>屏蔽词</h1>
        <p>{countText(total, totalCapped)} 个，用于商品、评价、店铺、求购和聊天，修改立即生效</p>
        {canEdit && (
          <Button size="sm" kind="primary" className="ml-auto" onClick={() => setOpen('add')}>
            添加或导入
          </Button>
        )}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_360px]">
        <section className="panel overflow-hidden" aria-label="屏蔽词">
          <div className="border-b border-line-soft px-3 py-2">
            <FilterBar names={['keyWord', 'level', 'ended']}>
              <FilterKeyword placeholder="词语" />
              <FilterSelect name="level" label="级别" all="全部级别" options={LEVELS} />
              <FilterSelect name="ended" label="状态" all="使用中" options={[['1', '已停用']]} />
            </FilterBar>
          </div>
          {list.length === 0 ? (
            <EmptyState title="没有符合的屏蔽词" />
          ) : (
            <AdminTable columns={['词语', '级别', { num: '命中' }, '最近命中', '记录', { num: '操作' }]}>
              {list.map((item) => (
                <Row
                  key={`${item.wordId}:${item.version}`}
                  item={item}
                  canEdit={canEdit}
                  onEnd={() => setOpen(item)}
                  onDone={reload}
                />
              ))}
            </AdminTable>
          )}
        </section>
        <TryBlockedWords />
      </div>
      {open === 'add' && <AddBlockedWords onDone={reload} onClose={() => setOpen(null)} />}
      {open !== null && open !== 'add' && (
        <ReasonDialog
          title={`停用：${open.word}`}
          action="停用"
          danger
          question="停用后立即不再屏蔽，已经打码的文字不恢复。"
          reasonLabel="原因"
          isReasonNeeded
          send={(reason, options) => call(endWord, { wordId: open.wordId, version: open.version, reason }, options)}
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
