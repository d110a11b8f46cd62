import { PublicationStatus } from '#contract/rules/statuses.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { publishNews, saveNews, type staffNewsInfo } from '#contract/backstage-content.ts';
import { newsCategories } from '#contract/content.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api.ts';
import { useMutation } from '#web/lib/use-mutation.ts';
import { CATEGORY_NAMES } from '#web/pages/content/names.ts';
import { Field } from '#web/ui/field.tsx';
import { Checkbox, Input, Select } from '#web/ui/input.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { ArticleForm } from './article-form.tsx';

const LIST = '/backstage/news';

function newsProblem({ title, code }: { title: string; code: string }): string | undefined {
  if (title.trim().length < 2) return '标题至少 2 个字';
  return /^[A-Za-z0-9-]{2,40}$/.test(code) ? undefined : '代码只能用 2 到 40 个字母、数字和短横线';
}

/** Editor of a new or an existing announcement. */
export function NewsForm({ data }: { data: Data<typeof staffNewsInfo> }) {
  const { news, sites } = data;
  const navigate = useNavigate();
  const [form, setForm] = useState({
    code: news?.code ?? '',
    distId: news?.distId ? String(news.distId) : '',
    category: news?.category ?? 'notice',
    title: news?.title ?? '',
    summary: news?.summary ?? '',
    body: news?.body ?? '',
    pinned: news?.pinned ?? false,
  });
  const { busy, error, send } = useMutation(
    async (publish: boolean, options) => {
      const saved = await call(
        saveNews,
        { ...form, ...(news && { id: news.id, version: news.version, gameId: news.gameId ?? undefined }) },
        options,
      );
      if (publish) await call(publishNews, { id: saved.id, act: 'publish' }, options);
    },
    {
      check: () => ({ send: newsProblem(form) }),
      done: async (_, publish) => {
        toast(publish ? '已发布' : '已保存', 'ok');
        await navigate(LIST);
      },
    },
  );
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });

  return (
    <ArticleForm
      name="公告"
      path={LIST}
      isNew={news === null}
      isPublished={news?.status === PublicationStatus.Published}
      note={news?.status === PublicationStatus.Published ? '已发布，保存后立即生效' : undefined}
      form={form}
      set={set}
      sites={sites}
      busy={busy}
      error={error}
      send={send}
      beside={
        <Checkbox checked={form.pinned} onChange={(e) => set({ pinned: e.target.checked })}>
          置顶（公告、活动、规则发布时会通知近 30 天来过的用户）
        </Checkbox>
      }
    >
      <div className="grid gap-4 md:grid-cols-4">
        <Field label="标题" required className="md:col-span-2">
          {(control) => (
            <Input {...control} maxLength={60} value={form.title} onChange={(e) => set({ title: e.target.value })} />
          )}
        </Field>
        <Field label="代码" required help="地址 /news/代码">
          {(control) => (
            <Input
              {...control}
              maxLength={40}
              value={form.code}
              onChange={(e) => set({ code: e.target.value.trim() })}
            />
          )}
        </Field>
        <Field label="分类" required>
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
      </div>
    </ArticleForm>
  );
}
