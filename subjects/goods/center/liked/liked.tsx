import { HeartOff } from 'lucide-react';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { followGoods, goodsUserFollow } from '#subjects/goods/contract/follows.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { marketContext } from '#web/lib/pages/context.ts';
import { goodsPath } from '#web/lib/pages/paths.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fallen, type Followed, isOnSale, stateText } from '#web/parts/goods/followed.ts';
import { attempt } from '#web/lib/api/attempt.ts';
import { GoodsSummary } from '#subjects/orders/web/parts/order/goods-line.tsx';
import { ListBody } from '#web/ui/lists/list-body.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { FollowBells } from '#subjects/offers/center/follow-bells.tsx';
import { LIKED_PAGE, LIKED_PATH, LIKED_TABS, type LikedShow, likedPath, likedShow } from './liked-query.ts';

export const handle = { phone: { refresh: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '我的收藏', noindex: true });
}

export async function loader({ context, url }: LoaderFunctionArgs) {
  const show = likedShow(url.searchParams);
  const query = { show, pageSize: LIKED_PAGE };
  return { show, result: await attempt(context.get(marketContext).call(followGoods, query)) };
}

/** Follows or unfollows. The row stays until the page is left, so that a slip can be undone. */
function useLiked(goodsSn: string) {
  const [liked, setLiked] = useState(true);
  const { busy, send } = useMutation(goodsUserFollow, { toasts: true, done: ({ followed }) => setLiked(followed) });
  const set = (next: boolean): void => {
    void send({ goodsSn, status: next });
  };
  return { liked, busy, set };
}

function Details({ item }: { item: Followed }) {
  const fall = fallen(item);
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-12 text-ink-3">
      <span className={cx(isOnSale(item) && 'text-safe')}>{stateText(item.status)}</span>
      {fall && (
        <span>
          比收藏时降 <Amount yuan={fall} className="text-ink-2" />
        </span>
      )}
      <span>
        收藏于 <TimeLabel at={item.followTime} />
      </span>
    </p>
  );
}

function Row({ item }: { item: Followed }) {
  const { liked, busy, set } = useLiked(item.goodsSn);
  const to = goodsPath(item.goodsSn, item.goodsTypeId);
  if (!liked)
    return (
      <li className="flex items-center gap-3 border-b border-line-soft px-4 py-2.5 text-13 text-ink-3 last:border-b-0">
        <span className="min-w-0 flex-1 truncate">已取消收藏：{item.bigTitle}</span>
        <Button size="sm" busy={busy} onClick={() => set(true)}>
          撤销
        </Button>
      </li>
    );
  return (
    <li className="flex items-center gap-4 border-b border-line-soft px-4 py-3 last:border-b-0 max-md:flex-wrap max-md:gap-y-2">
      <GoodsSummary
        title={item.bigTitle}
        gameName={item.gameName}
        typeId={item.goodsTypeId}
        thumbnail={item.thumbnail}
        seed={item.goodsSn}
        to={to}
        lines={2}
        className="flex-1 max-md:basis-full"
      >
        <Details item={item} />
        <FollowBells item={item} />
      </GoodsSummary>
      <span className="grid justify-items-end max-md:mr-auto max-md:justify-items-start">
        <Price yuan={item.allInPrice} />
        <span className="text-12 text-ink-3">全包价</span>
      </span>
      <span className="flex items-center gap-2">
        <ButtonLink to={to} size="sm" {...(isOnSale(item) && { kind: 'primary' })}>
          {isOnSale(item) ? '去购买' : '查看'}
        </ButtonLink>
        <Button size="sm" busy={busy} aria-label={`取消收藏 ${item.goodsSn}`} onClick={() => set(false)}>
          <HeartOff className="icon size-3.5" aria-hidden="true" />
          取消收藏
        </Button>
      </span>
    </li>
  );
}

const EMPTY: Readonly<Record<Exclude<LikedShow, 'all'>, string>> = {
  onSale: '收藏的商品都已不在售',
  fallen: '还没有降价的商品',
  gone: '没有失效的商品',
};

function Rows({ show, first }: { show: LikedShow; first: Data<typeof followGoods> }) {
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(followGoods, { show, pageSize: LIKED_PAGE, cursor }, { quiet: true }),
    ({ goodsSn }) => goodsSn,
  );
  if (items.length === 0)
    return show === 'all' ? (
      <EmptyState
        title="还没有收藏商品"
        action={
          <ButtonLink to="/wares" kind="primary">
            去挑一件
          </ButtonLink>
        }
      >
        看到喜欢的先收藏，降价和重新上架会提醒您。
      </EmptyState>
    ) : (
      <EmptyState title={EMPTY[show]} action={<ButtonLink to={LIKED_PATH}>查看全部收藏</ButtonLink>} />
    );
  return (
    <>
      <ul>
        {items.map((item) => (
          <Row key={item.goodsSn} item={item} />
        ))}
      </ul>
      <ListEnd next={next} busy={busy} error={error} onMore={more} />
    </>
  );
}

/** Followed listings: price drops, availability, and a link to buy. */
export default function LikedPage() {
  const { show, result } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  return (
    <section className="panel" aria-labelledby="liked">
      <div className="panel-head">
        <h1 id="liked" className="text-16 font-semibold">
          我的收藏
        </h1>
        {result.ok && result.data.counts.fallen > 0 && <p>{result.data.counts.fallen} 件降价</p>}
      </div>
      <LinkTabs
        label="收藏的商品"
        items={LIKED_TABS.map((tab) => ({
          key: tab.show,
          label: tab.label,
          to: likedPath(tab.show),
          isCurrent: tab.show === show,
          ...(result.ok && { count: result.data.counts[tab.show] }),
        }))}
      />
      <ListBody path={LIKED_PATH}>
        {result.ok ? (
          <Rows key={show} show={show} first={result.data} />
        ) : (
          <ErrorState message={result.msg} onRetry={() => void revalidate()} />
        )}
      </ListBody>
    </section>
  );
}
