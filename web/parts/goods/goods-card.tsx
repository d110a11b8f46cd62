import { Link } from 'react-router';
import type { GoodsCard } from '#subjects/goods/contract/goods.ts';
import { coinRatio } from '#web/lib/format/coin-ratio.ts';
import { Price } from '#web/ui/price.tsx';
import { bandText, PriceBand, shownBand } from '#web/ui/forms/price-band.tsx';
import { GameName, GoodsChips, GoodsPicture } from './goods-parts.tsx';
import { Highlighted } from '../search/highlight.tsx';

/** One listing as a card with its picture on top, for browsing pages. */
export function GoodsTile({
  goods,
  withGame = false,
  eager = false,
}: {
  goods: GoodsCard;
  withGame?: boolean;
  eager?: boolean;
}) {
  const band = shownBand(goods.band);
  return (
    <li className="goods-card">
      <GoodsPicture goods={goods} width={232} height={154} eager={eager} />
      <div className="p-3 max-md:p-2.5">
        <h3 className="card-title">
          <Link to={goods.pageUrl} className="stretched">
            {withGame && (
              <GameName name={goods.gameName} title={goods.bigTitle} className="mr-1 font-semibold text-ink" />
            )}
            <Highlighted>{goods.bigTitle}</Highlighted>
          </Link>
        </h3>
        <GoodsChips goods={goods} max={3} />
        <div className="mt-2 h-3">{band && <PriceBand price={goods.price} band={band} />}</div>
        <p className="mt-1 flex flex-wrap items-baseline justify-between gap-x-2">
          <Price yuan={goods.allInPrice} />
          <span className="text-12 text-ink-3">{band ? bandText(band) : (coinRatio(goods)?.ratio ?? '全包价')}</span>
        </p>
      </div>
    </li>
  );
}
