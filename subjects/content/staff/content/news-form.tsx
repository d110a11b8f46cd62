import { PublicationStatus } from '#contract/rules/statuses.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { saveNews, type staffNewsInfo, type staffNewsVersion } from '#subjects/content/contract/staff-content.ts';
import { pictureKeyOf } from '#subjects/distributors/contract/brand-content.ts';
import { newsCategories } from '#subjects/content/contract/content.ts';
import type { Data } from '#contract/endpoint.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { CATEGORY_NAMES } from '../../web/names.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, Select } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { PictureField } from '#subjects/back-office/staff/parts/picture-field.tsx';
import { ArticleForm } from './article-form.tsx';
import { NewsVersions } from './news-versions.tsx';

const LIST = '/backstage/news';
const FIELDS = {
  ...Object.fromEntries(
    ['code', 'distId', 'category', 'gameId', 'title', 'summary', 'body', 'fromTime', 'untilTime'].map((f) => [f, f]),
  ),
  coverKey: 'cover',
};

type Info = Data<typeof staffNewsInfo>;
type Stored = Data<typeof staffNewsVersion>['news'];

/** The versioned content, in the format of the form. */
const contentForm = (news: Stored | null) => ({
  code: news?.code ?? '',
  distId: news?.distId ? String(news.distId) : '',
  category: news?.category ?? ('notice' as const),
  gameId: news?.gameId ? String(news.gameId) : '',
  title: news?.title ?? '',
  summary: news?.summary ?? '',
  body: news?.body ?? '',
  pinned: news?.pinned ?? false,
  cover: news?.cover ?? '',
});

/** A time in the format of a datetime-local field, in China's time zone. */
const localTime = (iso: string | null | undefined): string => iso?.slice(0, 16) ?? '';

function newsProblems({ title, code }: { title: string; code: string }) {
  return {
    title: title.trim().length < 2 ? '标题至少 2 个字' : '',
    code: /^[A-Za-z0-9-]{2,40}$/.test(code) ? '' : '代码只能用 2 到 40 个字母、数字和短横线',
  };
}

function useNewsForm({ news }: Info) {
  const navigate = useNavigate();
  const [form, setForm] = useState({
    ...contentForm(news),
    fromTime: localTime(news?.publishTime),
    untilTime: localTime(news?.untilTime),
  });
  const [restoredFrom, setRestored] = useState<number>();
  const { form: formRef, ...mutation } = useMutation(saveNews, {
    fields: FIELDS,
    check: () => newsProblems(form),
    done: async ({ status }, { publish }) => {
      const isShown = status === PublicationStatus.Published;
      toast(publish ? '已发布' : isShown ? '已存为草稿版，读者看到的没有变' : '已保存草稿', 'ok');
      await navigate(LIST);
    },
  });
  const send = (publish: boolean) => {
    const { cover, ...rest } = form;
    return mutation.send({
      ...rest,
      coverKey: pictureKeyOf(cover) ?? '',
      ...(news && { id: news.id, version: news.version }),
      ...(restoredFrom !== undefined && { restoredFrom }),
      publish,
      keepDraft: !publish,
    });
  };
  const take = (stored: Stored, version: number) => {
    setForm((now) => ({ ...now, ...contentForm(stored) }));
    setRestored(version);
    toast(`已填入第 ${version} 版，看过后再保存`, 'ok');
  };
  return {
    ...mutation,
    formRef,
    form,
    send,
    take,
    set: (change: Partial<typeof form>) => setForm({ ...form, ...change }),
  };
}
type NewsFormState = ReturnType<typeof useNewsForm>;

/** Title, address, subject, picture and the time in which it is shown. */
function NewsFields({ state: { form, set, errors }, games }: { state: NewsFormState; games: Info['games'] }) {
  const input = (
    label: string,
    name: 'title' | 'code' | 'fromTime' | 'untilTime',
    more: { help?: string; className?: string; max?: number } = {},
  ) => {
    const isTime = name.endsWith('Time');
    return (
      <Field label={label} required={!isTime} help={more.help} error={errors[name]} className={more.className ?? ''}>
        {(control) => (
          <Input
            {...control}
            type={isTime ? 'datetime-local' : 'text'}
            maxLength={more.max}
            value={form[name]}
            onChange={(e) => set({ [name]: e.target.value })}
          />
        )}
      </Field>
    );
  };
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
      {input('标题', 'title', { max: 60, className: 'sm:col-span-2' })}
      {input('代码', 'code', { max: 40, help: '地址 /news/代码' })}
      <Field label="分类" required error={errors.category}>
        {(control) => (
          <Select
            {...control}
            value={form.category}
            onChange={(e) => set({ category: newsCategories.find((key) => key === e.target.value) ?? 'notice' })}
          >
            {newsCategories.map((key) => (
              <option key={key} value={key}>
                {CATEGORY_NAMES[key]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {input('从何时起显示', 'fromTime', { help: '北京时间；留空就在发布时' })}
      {input('到何时为止', 'untilTime', { help: '留空就一直显示' })}
      <Field label="游戏" error={errors.gameId}>
        {(control) => (
          <Select {...control} value={form.gameId} onChange={(e) => set({ gameId: e.target.value })}>
            <option value="">不限</option>
            {games.map(({ gameId, name }) => (
              <option key={gameId} value={gameId}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <PictureField
        label="封面"
        help="建议 1280 × 480"
        url={form.cover}
        error={errors.cover}
        onChange={(cover) => set({ cover })}
      />
    </div>
  );
}

/** Editor of a new or an existing announcement. */
export function NewsForm({ data }: { data: Info }) {
  const { news, sites, games, versions } = data;
  const state = useNewsForm(data);
  const { form, set, busy, error, errors, send } = state;
  const isPublished = news?.status === PublicationStatus.Published;
  const hasDraft = news !== null && news.version > news.live;
  return (
    <>
      <ArticleForm
        name="公告"
        path={LIST}
        isNew={news === null}
        isPublished={isPublished}
        note={
          isPublished && hasDraft ? `读者看到的是第 ${news.live} 版，这里是还没发布的第 ${news.version} 版` : undefined
        }
        keepsDrafts
        form={form}
        set={set}
        sites={sites}
        busy={busy}
        error={error}
        errors={errors}
        formRef={state.formRef}
        send={send}
        beside={
          <Checkbox checked={form.pinned} onChange={(e) => set({ pinned: e.target.checked })}>
            置顶（公告、活动、规则发布时会通知近 30 天来过的用户）
          </Checkbox>
        }
      >
        <NewsFields state={state} games={games} />
      </ArticleForm>
      {news && versions.length > 0 && <NewsVersions news={news} versions={versions} onTake={state.take} />}
    </>
  );
}
