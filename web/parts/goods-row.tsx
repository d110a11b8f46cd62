import type { GoodsCard } from '#contract/goods.ts';
import { Link } from 'react-router';
import { coinRatio } from '#web/lib/coin-ratio.ts';
import { grouped } from '#web/lib/format.ts';
import { cx } from '#web/ui/class-names.ts';
import { Amount, Price } from '#web/ui/price.tsx';
import { bandText, PriceBand, shownBand } from '#web/ui/price-band.tsx';
import { TypeTag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { CompareButton, WhyButton } from './compare.tsx';
import { FavouriteButton } from './favourite.tsx';
import { GoodsChips, GoodsPicture, PriceLines, TrustBadges } from './goods-parts.tsx';
import { Highlighted } from './highlight.tsx';

/** The seller in three short lines: online or last active, level, record. */
function SellerLines({ seller }: { seller: GoodsCard['seller'] }) {
  return (
    <span className="row-seller">
      <span className="flex items-center gap-1.5">
        <i className={cx('dot', seller.online && 'dot-on')} aria-hidden="true" />
        <b className="truncate font-medium text-ink">{seller.nickName}</b>
      </span>
      <span>
        {seller.levelName}
        <i className="mx-1 not-italic">·</i>
        {seller.online ? '在线' : <TimeLabel at={seller.lastSeenTime} />}
      </span>
      <span>
        成交 {grouped(seller.soldNum)}
        {seller.goodRate !== null && ` · 好评 ${Number(seller.goodRate.toFixed(1))}%`}
      </span>
    </span>
  );
}

/** One listing as a row: all properties needed for comparing are at the same place in every row. */
export function GoodsRow({
  goods,
  eager = false,
  ranked = false,
}: {
  goods: GoodsCard;
  eager?: boolean;
  /** In a search, whose order can be explained. */
  ranked?: boolean;
}) {
  const { seller } = goods;
  const band = shownBand(goods.band);
  const coin = coinRatio(goods);
  return (
    <li className="goods-row">
      <GoodsPicture goods={goods} width={136} height={90} eager={eager} className="row-picture" squareOnPhones />
      <div className="min-w-0">
        <h3 className="row-title">
          <TypeTag typeId={goods.goodsTypeId} name={goods.goodsTypeStr} className="mr-1.5" />
          <Link to={goods.pageUrl} className="stretched">
            <Highlighted>{goods.bigTitle}</Highlighted>
          </Link>
        </h3>
        <GoodsChips goods={goods} max={5} />
        <p className="trust">
          <TrustBadges goods={goods} />
          <span className="md:hidden">
            <i className={cx('dot', seller.online && 'dot-on')} aria-hidden="true" />
            {seller.levelName}
          </span>
          {goods.bargainOpen && <span className="max-md:hidden">可议价</span>}
        </p>
      </div>
      <div className="row-band">
        {band ? (
          <>
            <PriceBand price={goods.price} band={band} labels />
            <span className="text-12 text-ink-2">{bandText(band)}</span>
          </>
        ) : (
          coin && (
            <>
              <b className="text-13 font-semibold">{coin.ratio}</b>
              <span className="text-12 text-ink-3">{coin.unitPrice}</span>
            </>
          )
        )}
      </div>
      <SellerLines seller={seller} />
      <div className="row-price">
        <span className="price-anchor">
          <Price yuan={goods.allInPrice} size="lg" />
          <PriceLines goods={goods} />
        </span>
        <span className="row-includes">
          <span className={cx(coin && 'max-md:hidden')}>
            全包价<span className="max-md:hidden">，含服务费</span>
          </span>
          {coin && <span className="md:hidden">{coin.ratio}</span>}
          <span className="max-md:hidden">
            {' '}
            <Amount yuan={goods.serviceFee} />
          </span>
        </span>
        <span className="row-actions">
          <FavouriteButton goodsSn={goods.goodsSn} />
          <CompareButton goods={goods} />
          {ranked && <WhyButton goods={goods} />}
        </span>
      </div>
    </li>
  );
}
