import { Link } from 'react-router';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { fenOf, grouped } from '#web/lib/format/format.ts';
import { GoodsPicture } from '#web/parts/goods/goods-parts.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Amount, Price } from '#web/ui/price.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import type { DetailData, DetailMore } from './loader.ts';
import { rate } from './rate.ts';
import SalesChart from './sales-chart.tsx';

type Goods = DetailData['goods'] & DetailMore['goods'];

/** The chart is not meaningful with fewer dots. */
const MIN_DOTS = 6;

/** The seller with their track record. */
export function SellerCard({ goods, more }: { goods: Goods; more: DetailMore }) {
  const { seller, isMine } = goods;
  const figures: readonly [string, string | null][] = [
    ['成交', `${grouped(seller.soldNum)} 单`],
    ['好评', seller.goodRate === null ? null : `${rate(seller.goodRate)}%`],
    ['等级', seller.levelName],
    ['在售', seller.onSaleNum === undefined ? null : `${grouped(seller.onSaleNum)} 件`],
  ];
  return (
    <section className="panel p-4" aria-label="卖家">
      <div className="flex items-center gap-3">
        <Avatar name={seller.nickName} src={seller.avatar} size={44} />
        <div className="min-w-0">
          <b className="block truncate font-semibold">{seller.nickName}</b>
          <span className="flex items-center gap-1.5 text-12 text-ink-3">
            <i className={cx('dot', seller.online && 'dot-on')} aria-hidden="true" />
            <span>
              {seller.online ? '在线' : <TimeLabel at={seller.lastSeenTime} />}
              {seller.joinTime && ` · ${fullTime(Date.parse(seller.joinTime)).slice(0, 4)} 年加入`}
            </span>
          </span>
        </div>
      </div>
      <dl className="my-4 grid grid-cols-2 gap-x-3 gap-y-2 text-13">
        {figures.map(
          ([label, value]) =>
            value && (
              <div key={label}>
                <dt className="text-12 text-ink-3">{label}</dt>
                <dd className="font-semibold">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {more.ownSite && <p className="-mt-2 mb-4 text-12 text-ink-3">在{more.ownSite}发布，由本站直接服务</p>}
      {seller.levelNote && <p className="-mt-2 mb-4 text-12 text-ink-3">{seller.levelNote}</p>}
      <ButtonLink to={`/seller/${seller.sellerId}`} className="mb-2 w-full">
        进店看评价
      </ButtonLink>
      <ButtonLink to={more.sellerList} className="w-full">
        {isMine ? '查看我在售的商品' : '看 TA 在售的商品'}
      </ButtonLink>
    </section>
  );
}

/** Recent prices of comparable sales. */
function Comparables({ goods }: { goods: Goods }) {
  if (goods.comparables.length === 0) return null;
  return (
    <section className="panel" aria-label="同类成交">
      <div className="panel-head">
        <h2>同类成交</h2>
        {goods.band && <span className="more">{grouped(goods.band.samples)} 件</span>}
      </div>
      {goods.sales.length >= MIN_DOTS && <SalesChart {...goods} />}
      <ul>
        {goods.comparables.map(({ title, price, dealTime }) => (
          <li
            key={`${title}${dealTime}`}
            className="grid min-h-10 grid-cols-[44px_1fr_auto] items-center gap-1 border-b border-line-soft px-4 py-1.5 text-12 last:border-b-0"
          >
            <time dateTime={dealTime} className="text-ink-3">
              {fullTime(Date.parse(dealTime)).slice(5, 10)}
            </time>
            <span className="truncate" title={title}>
              {title}
            </span>
            <Price yuan={price} size="sm" />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Changes of the listing's price, newest first, and the initial price. */
function PriceHistory({ goods }: { goods: Goods }) {
  const { priceChanges } = goods;
  const first = priceChanges[0];
  if (!first) return null;
  const day = (at: string) => fullTime(Date.parse(at)).slice(5, 10);
  return (
    <section className="panel" aria-label="价格记录">
      <div className="panel-head">
        <h2>价格记录</h2>
        <span className="more">{priceChanges.length} 次改价</span>
      </div>
      <ul className="px-4 py-2 text-12">
        {priceChanges.toReversed().map(({ from, to, changeTime }) => (
          <li key={changeTime} className="flex min-h-8 items-center justify-between gap-2">
            <span className="text-ink-3">
              <time dateTime={changeTime}>{day(changeTime)}</time> {fenOf(to) < fenOf(from) ? '降价' : '涨价'}
            </span>
            <Amount yuan={to} />
          </li>
        ))}
        <li className="flex min-h-8 items-center justify-between gap-2">
          <span className="text-ink-3">
            <time dateTime={goods.createTime}>{day(goods.createTime)}</time> 上架价
          </span>
          <Amount yuan={first.from} />
        </li>
      </ul>
    </section>
  );
}

/** Similar goods on sale. */
function Similar({ similar, gameList }: { similar: DetailMore['similar']; gameList: string }) {
  if (similar.length === 0) return null;
  return (
    <section className="panel" aria-label="相似商品">
      <div className="panel-head">
        <h2>相似商品</h2>
        <Link to={gameList} className="more">
          更多
        </Link>
      </div>
      <ul>
        {similar.map((goods) => (
          <li
            key={goods.goodsSn}
            className="relative grid grid-cols-[84px_1fr] gap-3 border-b border-line-soft px-4 py-3 last:border-b-0 hover:bg-hover"
          >
            <GoodsPicture goods={{ ...goods, pictureNum: 0 }} width={84} height={56} />
            <div className="min-w-0 text-13 leading-[1.125rem]">
              <Link to={goods.pageUrl} className="stretched line-clamp-1">
                {goods.bigTitle}
              </Link>
              <p className="truncate text-12 text-ink-3">
                {goods.chips.map(({ label, value }) => `${label} ${value}`).join(' · ')}
              </p>
              <Price yuan={goods.allInPrice} size="sm" />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Prices of comparable sales, and similar goods on sale. */
export function Compared({ goods, more, gameList }: { goods: Goods; more: DetailMore; gameList: string }) {
  return (
    <>
      <PriceHistory goods={goods} />
      <Comparables goods={goods} />
      <Similar similar={more.similar} gameList={gameList} />
    </>
  );
}
