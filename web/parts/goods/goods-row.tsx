import type { GoodsCard } from '#subjects/goods/contract/goods.ts';
import { PackageCheck } from 'lucide-react';
import { Link } from 'react-router';
import { coinRatio } from '#web/lib/format/coin-ratio.ts';
import { grouped } from '#web/lib/format/format.ts';
import { cx } from '#web/ui/class-names.ts';
import { Amount, Price } from '#web/ui/price.tsx';
import { bandText, PriceBand, shownBand } from '#web/ui/forms/price-band.tsx';
import { TypeTag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { CompareButton } from './compare.tsx';
import { FavouriteButton } from './favourite.tsx';
import { GameName, GoodsChips, GoodsPicture, PriceLines, TrustBadges } from './goods-parts.tsx';
import { Highlighted } from '../search/highlight.tsx';

/** The seller in two short lines, and actions that do not require opening the listing. */
function SellerLines({ goods }: { goods: GoodsCard }) {
  const { seller } = goods;
  return (
    <span className="row-seller">
      <span className="flex items-center gap-1.5">
        <i className={cx('dot', seller.online && 'dot-on')} aria-hidden="true" />
        <b className="truncate font-medium text-ink">{seller.nickName}</b>
        {!seller.online && <TimeLabel at={seller.lastSeenTime} />}
      </span>
      <span>
        {[
          seller.levelName,
          seller.soldNum === 0 ? '还没有成交' : `成交 ${grouped(seller.soldNum)}`,
          ...(seller.goodRate === null ? [] : [`好评 ${Number(seller.goodRate.toFixed(1))}%`]),
        ].join(' · ')}
      </span>
      <span className="row-actions">
        <FavouriteButton goodsSn={goods.goodsSn} />
        <CompareButton goods={goods} />
      </span>
    </span>
  );
}

/** One listing as a row: all properties needed for comparing are at the same place in every row. */
export function GoodsRow({
  goods,
  eager = false,
  withGame = false,
  withType = true,
}: {
  goods: GoodsCard;
  eager?: boolean;
  /** In a list of several games the game comes first. */
  withGame?: boolean;
  /** In a list of several types. */
  withType?: boolean;
}) {
  const { seller } = goods;
  const band = shownBand(goods.band);
  const coin = coinRatio(goods);
  return (
    <li className="goods-row">
      <GoodsPicture goods={goods} width={136} height={90} eager={eager} className="row-picture" squareOnPhones />
      <div className="min-w-0">
        <h3 className="row-title">
          {withType && <TypeTag typeId={goods.goodsTypeId} name={goods.goodsTypeStr} className="mr-1.5" />}
          <Link to={goods.pageUrl} className="stretched">
            {withGame && <GameName name={goods.gameName} title={goods.bigTitle} className="mr-1.5 font-semibold" />}
            <Highlighted>{goods.bigTitle}</Highlighted>
          </Link>
        </h3>
        <GoodsChips goods={goods} max={5} />
        <p className="trust">
          <TrustBadges goods={goods} />
          {goods.isOfficialSell && (
            <span className="ok">
              <PackageCheck className="icon" aria-hidden="true" />
              平台交付
            </span>
          )}
          <span className="md:hidden">
            <i className={cx('dot', seller.online && 'dot-on')} aria-hidden="true" />
            {seller.levelName}
          </span>
          {goods.bargainOpen && <span className="max-md:hidden">可议价</span>}
        </p>
      </div>
      <SellerLines goods={goods} />
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
        {band ? (
          <span className="row-band">
            <PriceBand price={goods.price} band={band} />
            <span>{bandText(band)}</span>
          </span>
        ) : (
          coin && (
            <span className="row-band max-md:hidden!">
              {coin.ratio}，{coin.unitPrice}
            </span>
          )
        )}
      </div>
    </li>
  );
}
