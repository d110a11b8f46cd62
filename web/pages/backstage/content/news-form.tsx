import { ChevronLeft } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { publishNews, saveNews, type staffNewsInfo } from '#contract/backstage-content.ts';
import { newsCategories } from '#contract/content.ts';
import type { Data } from '#contract/endpoint.ts';
import { blocksOf } from '#contract/rules/article.ts';
import { call } from '#web/lib/api.ts';
import { CATEGORY_NAMES } from '#web/pages/content/names.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Checkbox, Input, Select, Textarea } from '#web/ui/input.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { BodyField } from './body-field.tsx';
import { SiteSelect } from './site-select.tsx';
import { useSave } from './use-save.ts';

const LIST = '/backstage/news';

function Foot({
  pinned,
  isPublished,
  busy,
  error,
  onPin,
  onPublish,
}: {
  pinned: boolean;
  isPublished: boolean;
  busy: boolean;
  error: string | null;
  onPin: (pinned: boolean) => void;
  onPublish: () => void;
}) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Checkbox checked={pinned} onChange={(e) => onPin(e.target.checked)}>
        置顶（公告、活动、规则发布时会通知近 30 天来过的用户）
      </Checkbox>
      <span className="ml-auto flex items-center gap-2">
        {error && (
          <span className="text-13 text-danger" role="alert">
            {error}
          </span>
        )}
        <Button type="submit" busy={busy}>
          {isPublished ? '保存' : '保存草稿'}
        </Button>
        {!isPublished && (
          <Button kind="primary" busy={busy} onClick={onPublish}>
            保存并发布
          </Button>
        )}
      </span>
    </div>
  );
}

/** A new text, or one that is there already. */
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
  const { busy, error, setError, save } = useSave();
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });
  const bodyProblem = form.body === '' ? undefined : blocksOf(form.body);

  const send = async (publish: boolean) => {
    if (form.title.trim().length < 2) return setError('标题至少 2 个字');
    if (!/^[A-Za-z0-9-]{2,40}$/.test(form.code)) return setError('代码只能用 2 到 40 个字母、数字和短横线');
    const done = await save(async () => {
      const saved = await call(
        saveNews,
        { ...form, ...(news && { id: news.id, version: news.version, gameId: news.gameId ?? undefined }) },
        { quiet: true },
      );
      if (publish) await call(publishNews, { id: saved.id, act: 'publish' }, { quiet: true });
    });
    if (!done) return;
    toast(publish ? '已发布' : '已保存', 'ok');
    await navigate(LIST);
  };

  return (
    <>
      <div className="office-head">
        <Link to={LIST} className="inline-flex items-center gap-1 text-13 hover:text-link">
          <ChevronLeft className="icon" aria-hidden="true" />
          公告
        </Link>
        <h1>{news ? '编辑公告' : '新建公告'}</h1>
        {news?.status === 1 && <p>已发布，保存后立即生效</p>}
      </div>
      <form
        className="panel grid gap-4 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          void send(false);
        }}
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
        <div className="grid gap-4 md:grid-cols-4">
          <Field label="摘要" className="md:col-span-3">
            {(control) => (
              <Textarea
                {...control}
                rows={2}
                maxLength={200}
                value={form.summary}
                onChange={(e) => set({ summary: e.target.value })}
              />
            )}
          </Field>
          <SiteSelect sites={sites} value={form.distId} onChange={(distId) => set({ distId })} />
        </div>
        <BodyField
          value={form.body}
          error={typeof bodyProblem === 'string' ? bodyProblem : undefined}
          onChange={(body) => set({ body })}
        />
        <Foot
          pinned={form.pinned}
          isPublished={news?.status === 1}
          busy={busy}
          error={error}
          onPin={(pinned) => set({ pinned })}
          onPublish={() => void send(true)}
        />
      </form>
    </>
  );
}
