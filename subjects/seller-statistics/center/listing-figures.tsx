import { Link } from 'react-router';
import { fenOf, grouped, yuanLabel, yuanOf } from '#web/lib/format/format.ts';
import { cx } from '#web/ui/class-names.ts';
import type { ListingsPage } from './figures.ts';

type Listing = ListingsPage['list'][number];

/** The price against the reference, also in yuan. */
function priceText({ price, typicalPrice, diffPercent }: Listing): string {
  if (typicalPrice === null) return '同类成交不足，暂无对比';
  if (diffPercent === null) return '同类价格跨度大，不作对比';
  if (diffPercent === 0) return `与参考价 ${yuanLabel(typicalPrice)} 相当`;
  const apart = yuanLabel(yuanOf(Math.abs(fenOf(price) - fenOf(typicalPrice))));
  return `比参考价 ${yuanLabel(typicalPrice)} ${diffPercent > 0 ? '高' : '低'} ${apart}（${Math.abs(diffPercent)}%）`;
}

function daysText({ days, usualDays }: Listing): string {
  const own = days === 0 ? '今天上架' : `上架 ${days} 天`;
  return usualDays === null ? own : `${own}，同类一半在 ${usualDays} 天内卖出`;
}

/** Views of the last four weeks, as small bars with the numbers for screen readers. */
function Weeks({ weeks }: { weeks: readonly (number | null)[] }) {
  const most = Math.max(1, ...weeks.map((n) => n ?? 0));
  if (weeks.every((n) => n === null)) return null;
  return (
    <span className="flex items-end gap-2">
      <span className="flex h-8 items-end gap-1" aria-hidden="true">
        {weeks.map((n, i) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a week is identified by its position
            key={i}
            className={cx('w-2 rounded-tag', i === weeks.length - 1 ? 'bg-brand-500' : 'bg-brand-200')}
            style={{ height: `${Math.max(8, ((n ?? 0) / most) * 100)}%` }}
          />
        ))}
      </span>
      <span className="text-12 text-ink-3">
        近四周浏览 {weeks.map((n) => (n === null ? '—' : grouped(n))).join('、')}
      </span>
    </span>
  );
}

function ListingRow({ listing }: { listing: Listing }) {
  const { goodsSn, bigTitle, pageUrl, gameName, price, views, follows, questions, orders, weeks, advice } = listing;
  return (
    <li className="grid gap-x-6 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,5fr)_minmax(0,4fr)]">
      <div className="grid min-w-0 content-start gap-1">
        <Link to={pageUrl} className="link truncate font-medium">
          {bigTitle}
        </Link>
        <p className="text-12 text-ink-3">
          {gameName} · {daysText(listing)}
        </p>
        <p className="text-13">
          <b className="tabular-nums">{yuanLabel(price)}</b> <span className="text-ink-3">{priceText(listing)}</span>
        </p>
      </div>
      <div className="grid min-w-0 content-start gap-1.5">
        <p className="flex flex-wrap gap-x-4 text-13 tabular-nums">
          <span>浏览 {grouped(views)}</span>
          <span>收藏 {grouped(follows)}</span>
          <span>提问 {grouped(questions)}</span>
          <span>下单 {grouped(orders)}</span>
        </p>
        <Weeks weeks={weeks} />
      </div>
      {advice.length > 0 && (
        <ul className="grid gap-1 rounded-control bg-attn-bg px-3 py-2 text-13 md:col-span-2">
          {advice.map((text) => (
            <li key={text} className="flex flex-wrap gap-x-3">
              <span className="min-w-0">{text}</span>
            </li>
          ))}
          <li>
            <Link to={`/center/sell?goodsSn=${goodsSn}`} className="hit link">
              修改商品
            </Link>
          </li>
        </ul>
      )}
    </li>
  );
}

/** The listings on sale with their figures, a page at a time. */
export function ListingFigures({ list, next }: ListingsPage) {
  return (
    <>
      <ul className="divide-y divide-line-soft">
        {list.map((listing) => (
          <ListingRow key={listing.goodsSn} listing={listing} />
        ))}
      </ul>
      {next !== null && (
        <p className="border-t border-line-soft px-4 py-3 text-center">
          <Link className="link" to={`?cursor=${next}`}>
            下一页
          </Link>
        </p>
      )}
    </>
  );
}
