import { Star } from 'lucide-react';
import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { sellerReviews } from '#subjects/reviews/contract/review.ts';
import { reviewLevelNames, reviewLevels, type ReviewLevel } from '#subjects/reviews/rules/review.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { market } from '#web/lib/pages/context.ts';
import { grouped } from '#web/lib/format/format.ts';
import { listPath, parseList } from '#web/lib/lists/list-query.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ReviewItem } from '#subjects/reviews/web/parts/review/review-item.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';

const PAGE = 20;

export async function loader(args: LoaderFunctionArgs) {
  const { sellerId = '' } = args.params;
  if (!/^[1-9]\d{0,11}$/.test(sellerId)) return notFound('没有这位卖家');
  const query = args.url.searchParams;
  const level = reviewLevels.find((one) => one === query.get('level')) ?? null;
  const gt = /^\d{1,2}$/.test(query.get('gt') ?? '') ? Number(query.get('gt')) : null;
  const cursor = /^[A-Za-z0-9_-]{1,200}$/.test(query.get('cursor') ?? '') ? query.get('cursor') : null;
  const reviews = await market(args).call(sellerReviews, {
    sellerId,
    pageSize: PAGE,
    ...(level && { level }),
    ...(gt !== null && { goodsTypeId: gt }),
    ...(cursor && { cursor }),
  });
  const list = parseList(new URLSearchParams());
  const sellerList = listPath({ ...list, gid: null, gt: null, sellerId });
  return { reviews, filter: { level, gt, cursor }, sellerList };
}

type SellerData = Exclude<Awaited<ReturnType<typeof loader>>, Response>;

export const meta: MetaFunction<typeof loader> = (args) => {
  const data = args.loaderData as SellerData | undefined;
  if (!data?.reviews) return pageMeta(args, { title: '卖家主页', noindex: true });
  const { seller, counts } = data.reviews;
  return pageMeta(args, {
    title: `${seller.nickName}的店铺评价`,
    description: `${seller.levelName}卖家，成交 ${grouped(seller.soldNum)} 单，${grouped(counts.all)} 条真实交易评价。`,
    noindex: data.filter.cursor !== null,
    canonicalPath: `/seller/${seller.sellerId}`,
  });
};

function pathWith({ reviews, filter }: SellerData, part: Partial<SellerData['filter']>): string {
  const { level, gt, cursor } = { ...filter, cursor: null, ...part };
  const query = new URLSearchParams({
    ...(level && { level }),
    ...(gt !== null && { gt: String(gt) }),
    ...(cursor && { cursor }),
  });
  return `/seller/${reviews.seller.sellerId}${query.size > 0 ? `?${query}` : ''}`;
}

function Card({ data }: { data: SellerData }) {
  const { seller, goodRate, counts } = data.reviews;
  const figures: readonly [string, string][] = [
    ['成交', `${grouped(seller.soldNum)} 单`],
    ['好评率', goodRate === null ? '暂无评价' : `${Number(goodRate.toFixed(1))}%`],
    ['评价', `${grouped(counts.all)} 条`],
    ['等级', seller.levelName],
  ];
  return (
    <section className="panel p-4" aria-label="卖家">
      <div className="flex flex-wrap items-center gap-3">
        <Avatar name={seller.nickName} src={seller.avatar} size={48} />
        <div className="min-w-0 flex-1">
          <h1 className="truncate text-20 font-semibold">{seller.nickName}</h1>
          <p className="flex items-center gap-1.5 text-12 text-ink-3">
            <i className={cx('dot', seller.online && 'dot-on')} aria-hidden="true" />
            <span>
              {seller.online ? '在线' : <TimeLabel at={seller.lastSeenTime} />} ·{' '}
              {fullTime(Date.parse(seller.joinTime)).slice(0, 4)} 年加入
            </span>
          </p>
        </div>
        <ButtonLink to={data.sellerList} className="max-md:w-full">
          看 TA 在售的商品
        </ButtonLink>
      </div>
      <dl className="mt-4 grid grid-cols-4 gap-3 border-t border-line-soft pt-4 text-13 max-md:grid-cols-2">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt className="text-12 text-ink-3">{label}</dt>
            <dd className="text-16 font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Kinds({ data }: { data: SellerData }) {
  const { kinds } = data.reviews;
  if (kinds.length < 2) return null;
  return (
    <nav aria-label="商品类型" className="flex flex-wrap gap-2 px-4 pt-3">
      <Link
        to={pathWith(data, { gt: null })}
        preventScrollReset
        className={cx('pick', data.filter.gt === null && 'pick-on')}
      >
        全部类型
      </Link>
      {kinds.map(({ goodsTypeId, name, count, goodRate }) => (
        <Link
          key={goodsTypeId}
          to={pathWith(data, { gt: goodsTypeId })}
          preventScrollReset
          className={cx('pick', data.filter.gt === goodsTypeId && 'pick-on')}
        >
          {name} {grouped(count)}
          {goodRate !== null && `，好评 ${Number(goodRate.toFixed(1))}%`}
        </Link>
      ))}
    </nav>
  );
}

/** A seller's profile, and the reviews of completed trades. */
export default function SellerPage() {
  const data = useLoaderData() as SellerData;
  const { counts, list, next } = data.reviews;
  const tab = (key: ReviewLevel | null, label: string, count: number) => ({
    key: key ?? 'all',
    label,
    to: pathWith(data, { level: key }),
    isCurrent: data.filter.level === key,
    count,
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pb-4 max-md:pt-4 md:pb-6">
      <div className="-mb-4 max-md:hidden">
        <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '卖家主页' }]} />
      </div>
      <Card data={data} />
      <section className="panel" aria-labelledby="reviews">
        <div className="panel-head">
          <h2 id="reviews" className="flex items-center gap-1.5">
            <Star className="icon size-4 text-act" aria-hidden="true" />
            买家评价
          </h2>
          <p>只计入交易成功且未撤销的订单，有关联的账号不计</p>
        </div>
        <LinkTabs
          label="评价"
          items={[
            tab(null, '全部', counts.all),
            ...reviewLevels.map((level) => tab(level, reviewLevelNames[level], counts[level])),
          ]}
        />
        <Kinds data={data} />
        {list.length === 0 ? (
          <EmptyState
            title={counts.all === 0 ? '还没有评价' : '没有这一类评价'}
            action={
              counts.all === 0 ? null : (
                <ButtonLink to={pathWith(data, { level: null, gt: null })}>查看全部评价</ButtonLink>
              )
            }
          >
            交易完成后，买家的评价会显示在这里。
          </EmptyState>
        ) : (
          <ul>
            {list.map((review) => (
              <ReviewItem key={review.reviewId} review={review} />
            ))}
          </ul>
        )}
        {(next ?? data.filter.cursor) && (
          <p className="flex justify-center gap-3 border-t border-line-soft py-3">
            {data.filter.cursor && (
              <ButtonLink size="sm" to={pathWith(data, {})}>
                回第一页
              </ButtonLink>
            )}
            {next && (
              <ButtonLink size="sm" to={pathWith(data, { cursor: next })} rel="next nofollow">
                下一页
              </ButtonLink>
            )}
          </p>
        )}
      </section>
    </div>
  );
}
