import { Link, type LoaderFunctionArgs, type MetaFunction, redirect, useLoaderData } from 'react-router';
import { caseKinds, eventCaseList } from '#subjects/content/contract/content.ts';
import type { Data } from '#contract/endpoint.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { canonicalQueryOf, pageNumber } from '#web/lib/lists/page-number.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { CASE_NAMES } from './names.ts';

export const handle = { phone: { refresh: true } };

export async function loader(args: LoaderFunctionArgs) {
  // A link by number opens its target, or the 404 page.
  const id = args.url.searchParams.get('id');
  if (id !== null)
    return /^[1-9]\d{0,14}$/.test(id) ? redirect(`/eventCase/detail?id=${id}`) : notFound('案例不存在或已撤下');
  const kind = caseKinds.find((key) => key === args.url.searchParams.get('kind'));
  const query = { pageSize: 20, ...(kind && { kind }) };
  const page = pageNumber(args.url.searchParams);
  const first = await market(args).call(eventCaseList, { ...query, ...(page > 1 && { pages: String(page) }) });
  return { query, kind: kind ?? null, page, first };
}

export const meta: MetaFunction<typeof loader> = (args) => {
  const kind = args.loaderData?.kind;
  return pageMeta(args, {
    title: kind ? `${CASE_NAMES[kind]}案例` : '事件案例',
    description: '真实发生过的找回、诈骗与争议：经过、裁决和怎样避免',
    canonicalQuery: canonicalQueryOf({ kind }, args.loaderData?.page ?? 1),
    ...((args.loaderData?.page ?? 1) > 1 && args.loaderData?.first.list.length === 0 && { noindex: true }),
  });
};

type Item = Data<typeof eventCaseList>['list'][number];

function Row({ item }: { item: Item }) {
  const details = [item.gameName, item.happenedDay && `${item.happenedDay} 发生`].filter(Boolean).join(' · ');
  return (
    <li>
      <Link to={`/eventCase/detail?id=${item.caseId}`} className="news-item" prefetch="intent">
        <span className="flex items-baseline gap-2">
          <Tag tone={item.kind === 'claim' ? 'safe' : 'attn'}>{item.kindName}</Tag>
          <b className="line-clamp-2 min-w-0 text-14 font-semibold md:line-clamp-1">{item.title}</b>
          <TimeLabel at={item.publishTime} className="ml-auto flex-none text-12 text-ink-3 max-md:hidden" />
        </span>
        <span className="mt-1 line-clamp-2 text-13 text-ink-2">{item.summary}</span>
        <span className="mt-1.5 flex flex-wrap gap-x-3 text-12 text-ink-3">
          {details && <span>{details}</span>}
          {item.amount && (
            <span>
              涉及 <Amount yuan={item.amount} />
            </span>
          )}
          {item.result && <span className="text-ink-2">结果：{item.result}</span>}
          <TimeLabel at={item.publishTime} className="md:hidden" />
        </span>
      </Link>
    </li>
  );
}

/** Anonymised cases: what happened, the decision, and the lesson. */
export default function CasesPage() {
  const { query, kind, first } = useLoaderData<typeof loader>();
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(eventCaseList, { ...query, cursor }, { quiet: true }),
    ({ caseId }) => caseId,
  );
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '事件案例' }]} />
      </div>
      <section className="panel mb-8 overflow-hidden max-md:mt-3" aria-labelledby="cases">
        <div className="panel-head">
          <h1 id="cases" className="text-16 font-semibold">
            事件案例
          </h1>
          <p>已去除个人信息</p>
        </div>
        <LinkTabs
          label="案例类型"
          items={[null, ...caseKinds].map((key) => ({
            key: key ?? 'all',
            label: key ? CASE_NAMES[key] : '全部',
            to: key ? `/eventCase?kind=${key}` : '/eventCase',
            isCurrent: key === kind,
          }))}
        />
        {items.length === 0 ? (
          <EmptyState
            title="还没有这类案例"
            action={
              <ButtonLink to="/news/security" size="sm">
                看看怎样安全交易
              </ButtonLink>
            }
          />
        ) : (
          <>
            <ul>
              {items.map((item) => (
                <Row key={item.caseId} item={item} />
              ))}
            </ul>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
    </>
  );
}
