import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { eventCaseInfo } from '#subjects/content/contract/content.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Article } from './parts/article/blocks.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';

export const handle = { phone: { back: true } };

export async function loader(args: LoaderFunctionArgs) {
  const id = args.url.searchParams.get('id') ?? '';
  return /^[1-9]\d{0,14}$/.test(id)
    ? await market(args).call(eventCaseInfo, { caseId: id })
    : notFound('案例不存在或已撤下');
}

export const meta: MetaFunction<typeof loader> = (args) => {
  const item = args.loaderData;
  if (!item) return pageMeta(args, { title: '案例详情', noindex: true });
  return pageMeta(args, {
    title: item.title,
    description: item.summary,
    canonicalQuery: `id=${item.caseId}`,
    image: item.cover ?? undefined,
    ogType: 'article',
    jsonLd: [
      {
        '@context': 'https://schema.org',
        '@type': 'Article',
        headline: item.title,
        description: item.summary,
        datePublished: item.publishTime,
        inLanguage: 'zh-CN',
      },
    ],
  });
};

/** One case: what happened, the decision, and the lesson. */
export default function CasePage() {
  const item = useLoaderData<typeof loader>();
  const details = [
    ['类型', item.kindName],
    ['游戏', item.gameName],
    ['发生日期', item.happenedDay],
    ['处理结果', item.result],
  ].filter((detail): detail is [string, string] => Boolean(detail[1]));
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb
          items={[{ label: '首页', to: '/' }, { label: '事件案例', to: '/eventCase' }, { label: item.title }]}
        />
      </div>
      <div className="mb-8 grid items-start gap-4 max-md:mt-3 lg:grid-cols-[1fr_280px]">
        <article className="panel overflow-hidden">
          <header className="border-b border-line-soft px-4 py-4 md:px-8 md:py-6">
            <h1 className="text-20 leading-title font-semibold">{item.title}</h1>
            <p className="mt-2 text-13 text-ink-2">{item.summary}</p>
          </header>
          <div className="px-4 py-5 md:px-8 md:py-6">
            <Article blocks={item.blocks} />
          </div>
        </article>
        <aside className="grid gap-4">
          <dl className="panel grid gap-2 p-4 text-13">
            {details.map(([name, value]) => (
              <div key={name} className="flex justify-between gap-4">
                <dt className="flex-none text-ink-3">{name}</dt>
                <dd className="text-right">{value}</dd>
              </div>
            ))}
            {item.amount && (
              <div className="flex justify-between gap-4">
                <dt className="text-ink-3">涉及金额</dt>
                <dd>
                  <Amount yuan={item.amount} className="font-semibold" />
                </dd>
              </div>
            )}
            <div className="flex justify-between gap-4">
              <dt className="text-ink-3">发布</dt>
              <dd>
                <TimeLabel at={item.publishTime} />
              </dd>
            </div>
          </dl>
          {item.related.length > 0 && (
            <section className="panel overflow-hidden" aria-labelledby="related">
              <div className="panel-head">
                <h2 id="related">相关案例</h2>
              </div>
              <ul className="py-1.5 text-13">
                {item.related.map(({ caseId, title, kindName }) => (
                  <li key={caseId}>
                    <Link
                      to={`/eventCase/detail?id=${caseId}`}
                      className="flex items-baseline gap-2 px-4 py-1.5 hover:text-link max-md:py-2.5"
                    >
                      <Tag>{kindName}</Tag>
                      <span className="min-w-0 truncate">{title}</span>
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </aside>
      </div>
    </>
  );
}
