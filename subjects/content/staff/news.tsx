import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { publishNews, staffNewsInfo, staffNewsList } from '#subjects/content/contract/staff-content.ts';
import { newsCategories } from '#subjects/content/contract/content.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { CATEGORY_NAMES } from '../web/names.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Tag } from '#web/ui/tag.tsx';
import { NewsForm } from './content/news-form.tsx';
import { ArticleActions, ArticlePhase } from './content/article-status.tsx';
import { ArticleList } from './content/article-list.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '公告', noindex: true });
}

/** The list of announcements; with `id` the editor of one, with `id=new` an empty editor. */
export async function loader(args: LoaderFunctionArgs) {
  const { call: request } = market(args);
  const of = (name: string) => args.url.searchParams.get(name) || undefined;
  const id = of('id');
  if (id !== undefined) return { edit: await request(staffNewsInfo, id === 'new' ? {} : { id }), list: null };
  const query = {
    status: of('status'),
    category: newsCategories.find((key) => key === of('category')),
    keyWord: of('keyWord'),
    pageSize: 30,
  };
  return { edit: null, list: { first: await request(staffNewsList, query), query } };
}

type Listed = NonNullable<Awaited<ReturnType<typeof loader>>['list']>;

function NewsTable({ first, query }: Listed) {
  const list = useCursorList(
    first,
    (cursor) => call(staffNewsList, { ...query, cursor }, { quiet: true }),
    ({ id }) => id,
  );
  return (
    <ArticleList
      name="公告"
      path="/backstage/news"
      first={first}
      list={list}
      choices={[
        {
          name: 'category',
          label: '分类',
          all: '全部分类',
          options: newsCategories.map((key) => [key, CATEGORY_NAMES[key]]),
        },
      ]}
      columns={['标题', '分类', '站点', '状态', '作者', '更新', { num: '阅读' }, { num: '操作' }]}
    >
      {list.items.map((n) => (
        <tr key={n.id}>
          <td data-wide="">
            {n.cover && (
              <img
                src={n.cover}
                alt=""
                width={64}
                height={36}
                loading="lazy"
                className="float-left mr-2.5 h-9 w-16 rounded-tag object-cover"
              />
            )}
            <span className="font-medium">{n.title}</span>
            {n.pinned && (
              <Tag className="ml-1.5" tone="attn">
                置顶
              </Tag>
            )}
            <span className="block text-12 text-ink-3">/news/{n.code}</span>
          </td>
          <td className="whitespace-nowrap">{CATEGORY_NAMES[n.category]}</td>
          <td className="whitespace-nowrap">{n.distName}</td>
          <td>
            <ArticlePhase phase={n.phase} />
            {n.newest > n.version && <span className="block text-12 text-attn">有未发布的修改</span>}
            {n.phase === 'scheduled' && n.publishTime && (
              <span className="block text-12 whitespace-nowrap text-ink-3">{shortAt(n.publishTime)} 起</span>
            )}
            {(n.phase === 'live' || n.phase === 'ended') && n.untilTime && (
              <span className="block text-12 whitespace-nowrap text-ink-3">到 {shortAt(n.untilTime)}</span>
            )}
          </td>
          <td className="whitespace-nowrap">{n.authorName ?? '系统'}</td>
          <td className="text-12 whitespace-nowrap text-ink-3" data-label="更新">
            {fullAt(n.updateTime)}
          </td>
          <td className="num" data-label="阅读">
            {n.views}
          </td>
          <td className="num">
            <ArticleActions
              id={n.id}
              name={n.title}
              status={n.status}
              editTo={`/backstage/news?id=${n.id}`}
              send={(input, options) => call(publishNews, input, options)}
            />
          </td>
        </tr>
      ))}
    </ArticleList>
  );
}

/** Announcements of the sites: written, published and withdrawn here. */
export default function AdminNewsPage() {
  const { edit, list } = useLoaderData<typeof loader>();
  if (edit) return <NewsForm key={edit.news?.id ?? 'new'} data={edit} />;
  return list && <NewsTable {...list} />;
}
