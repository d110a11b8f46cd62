import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { newsInfo, newsInfo2 } from '#subjects/content/contract/content.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta, type Site } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Article } from './parts/article/blocks.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';

export const handle = { phone: { back: true } };

/** By code; by number when the URL has one (the WeChat complaint notice is linked that way: product.md 2). */
export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const code = args.params.code ?? '';
  if (/^\d{1,15}$/.test(code) && Number(code) > 0) return await call(newsInfo, { id: code });
  return /^[A-Za-z0-9-]{2,40}$/.test(code) ? await call(newsInfo2, { code }) : notFound('公告不存在或已撤下');
}

export const meta: MetaFunction<typeof loader> = (args) => {
  const news = args.loaderData;
  if (!news) return pageMeta(args, { title: '公告', noindex: true });
  const site = args.matches.find((match) => match?.id === 'root')?.loaderData as Site | undefined;
  const publisher = { '@type': 'Organization', name: site?.name ?? '' };
  return pageMeta(args, {
    title: news.title,
    description: news.summary || undefined,
    canonicalPath: `/news/${news.code}`,
    image: news.cover ?? undefined,
    ogType: 'article',
    jsonLd: [
      {
        '@context': 'https://schema.org',
        '@type': 'NewsArticle',
        headline: news.title,
        description: news.summary,
        articleSection: news.categoryName,
        datePublished: news.publishTime,
        dateModified: news.updateTime,
        inLanguage: 'zh-CN',
        mainEntityOfPage: `${site?.origin ?? ''}/news/${news.code}`,
        author: publisher,
        publisher,
      },
    ],
  });
};

/** One notice, rule or guide. */
export default function NewsInfoPage() {
  const news = useLoaderData<typeof loader>();
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb
          items={[
            { label: '首页', to: '/' },
            { label: '公告中心', to: '/news' },
            { label: news.categoryName, to: `/news?category=${news.category}` },
            { label: news.title },
          ]}
        />
      </div>
      <article className="panel mb-8 overflow-hidden max-md:mt-3">
        <header className="border-b border-line-soft px-4 py-4 md:px-8 md:py-6">
          <h1 className="text-20 leading-title font-semibold">{news.title}</h1>
          <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-ink-3">
            <Tag>{news.categoryName}</Tag>
            <span>
              发布于 <TimeLabel at={news.publishTime} />
            </span>
            {news.legal && (
              <span>
                第 {news.legal.version} 版，自 {fullAt(news.legal.fromTime)} 起生效，
                <Link to={`/rules/${news.legal.code}`} className="hit link">
                  查看历史版本
                </Link>
              </span>
            )}
            {!news.legal && news.updateTime > news.publishTime && (
              <span>
                更新于 <TimeLabel at={news.updateTime} />
              </span>
            )}
            {news.views > 0 && <span>{news.views} 次阅读</span>}
          </p>
        </header>
        <div className="px-4 py-5 md:px-8 md:py-6">
          {news.cover && (
            <img
              src={news.cover}
              alt=""
              width={1280}
              height={480}
              fetchPriority="high"
              className="mb-5 aspect-[8/3] w-full rounded-card bg-sunken object-cover"
            />
          )}
          <Article blocks={news.blocks} />
        </div>
        {(news.previous || news.following) && (
          <nav
            aria-label="上一篇和下一篇"
            className="flex justify-between gap-4 border-t border-line-soft px-4 py-3 text-13 md:px-8"
          >
            {news.previous ? (
              <Link
                to={`/news/${news.previous.code}`}
                className="hit inline-flex min-w-0 items-center gap-1 hover:text-link"
              >
                <ChevronLeft className="icon flex-none" aria-hidden="true" />
                <span className="truncate">{news.previous.title}</span>
              </Link>
            ) : (
              <span />
            )}
            {news.following && (
              <Link
                to={`/news/${news.following.code}`}
                className="hit inline-flex min-w-0 items-center gap-1 hover:text-link"
              >
                <span className="truncate">{news.following.title}</span>
                <ChevronRight className="icon flex-none" aria-hidden="true" />
              </Link>
            )}
          </nav>
        )}
      </article>
    </>
  );
}
