import { Pin } from 'lucide-react';
import { Form, Link, type LoaderFunctionArgs, type MetaFunction, redirect, useLoaderData } from 'react-router';
import { getNews, newsCategories } from '#subjects/content/contract/content.ts';
import type { Data } from '#contract/endpoint.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { canonicalQueryOf, pageNumber } from '#web/lib/lists/page-number.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Input } from '#web/ui/forms/input.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { CATEGORY_NAMES } from './names.ts';

const PAGE_SIZE = 20;

export const handle = { phone: { refresh: true } };

export async function loader(args: LoaderFunctionArgs) {
  const of = (name: string) => args.url.searchParams.get(name)?.trim() ?? '';
  // A link by number opens its target, or the 404 page.
  if (args.url.searchParams.has('id'))
    return /^[A-Za-z0-9-]{1,40}$/.test(of('id')) ? redirect(`/news/${of('id')}`) : notFound('公告不存在或已撤下');
  const category = newsCategories.find((key) => key === of('category'));
  const keyWord = of('keyWord').slice(0, 40);
  const page = pageNumber(args.url.searchParams);
  const query = { pageSize: PAGE_SIZE, ...(category && { category }), ...(keyWord && { keyWord }) };
  const first = await market(args).call(getNews, { ...query, ...(page > 1 && { pages: String(page) }) });
  return { query, category: category ?? null, keyWord, page, first };
}

const isEmptyLaterPage = (data: { page: number; first: { list: readonly unknown[] } } | undefined): boolean =>
  data !== undefined && data.page > 1 && data.first.list.length === 0;

export const meta: MetaFunction<typeof loader> = (args) => {
  const category = args.loaderData?.category;
  return pageMeta(args, {
    title: category ? `${CATEGORY_NAMES[category]} - 公告中心` : '公告中心',
    description: '平台公告、交易规则、费用、包赔条款与安全指南',
    canonicalQuery: canonicalQueryOf({ category }, args.loaderData?.page ?? 1),
    ...((args.loaderData?.keyWord || isEmptyLaterPage(args.loaderData)) && { noindex: true }),
  });
};

type Item = Data<typeof getNews>['list'][number];

function Row({ item }: { item: Item }) {
  return (
    <li>
      <Link to={`/news/${item.code}`} className={cx('news-item', item.cover && 'news-item-cover')} prefetch="intent">
        {item.cover && <img src={item.cover} alt="" width={128} height={72} loading="lazy" className="news-cover" />}
        <span className="flex items-baseline gap-2">
          {item.pinned && <Pin className="icon size-3.5 flex-none self-center text-brand-700" aria-label="置顶" />}
          <b className="min-w-0 truncate text-14 font-semibold">{item.title}</b>
          <Tag>{item.categoryName}</Tag>
          <TimeLabel at={item.publishTime} className="ml-auto flex-none text-12 text-ink-3" />
        </span>
        {item.summary && <span className="mt-1 line-clamp-2 text-13 text-ink-2">{item.summary}</span>}
      </Link>
    </li>
  );
}

function Categories({
  counts,
  current,
  keyWord,
}: {
  counts: Record<string, number>;
  current: string | null;
  keyWord: string;
}) {
  const all = Object.values(counts).reduce((a, b) => a + b, 0);
  const tabs = [
    [null, '全部', all] as const,
    ...newsCategories.map((key) => [key, CATEGORY_NAMES[key], counts[key] ?? 0] as const),
  ];
  const to = (key: string | null) => {
    const query = new URLSearchParams({ ...(key && { category: key }), ...(keyWord && { keyWord }) }).toString();
    return query === '' ? '/news' : `/news?${query}`;
  };
  return (
    <LinkTabs
      label="公告分类"
      items={tabs
        .filter(([key, , n]) => key === null || n > 0 || key === current)
        .map(([key, name, n]) => ({ key: name, label: name, to: to(key), isCurrent: key === current, count: n }))}
    />
  );
}

/** The news centre: notices, rules and help, by subject. */
export default function NewsPage() {
  const { query, category, keyWord, first } = useLoaderData<typeof loader>();
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(getNews, { ...query, cursor }, { quiet: true }),
    ({ id }) => id,
  );
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '公告中心' }]} />
      </div>
      <section className="panel mb-8 overflow-hidden max-md:mt-3" aria-labelledby="news">
        <div className="panel-head flex-wrap max-md:h-auto max-md:gap-y-2 max-md:py-3">
          <h1 id="news" className="text-16 font-semibold">
            公告中心
          </h1>
          <p>{countText(first.total, first.totalCapped ?? false)} 篇</p>
          <p className="ml-auto flex gap-4 text-13">
            <Link to="/eventCase" className="link hit">
              事件案例
            </Link>
            <Link to="/competition" className="link hit">
              赛事
            </Link>
          </p>
          <Form className="flex gap-2 max-md:w-full" role="search" aria-label="搜公告" key={keyWord}>
            {category && <input type="hidden" name="category" value={category} />}
            <Input
              small
              type="search"
              name="keyWord"
              aria-label="搜索公告"
              placeholder="搜索标题和摘要"
              maxLength={40}
              defaultValue={keyWord}
              className="w-44 max-md:w-auto max-md:flex-1"
            />
            <Button size="sm" type="submit">
              搜索
            </Button>
          </Form>
        </div>
        <Categories counts={first.counts} current={category} keyWord={keyWord} />
        {items.length === 0 ? (
          <EmptyState
            title={keyWord ? '没有找到相关的公告' : '这个分类还没有公告'}
            action={
              <ButtonLink to="/news" size="sm">
                查看全部公告
              </ButtonLink>
            }
          />
        ) : (
          <>
            <ul className={cx(busy && 'opacity-80')}>
              {items.map((item) => (
                <Row key={item.id} item={item} />
              ))}
            </ul>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
    </>
  );
}
