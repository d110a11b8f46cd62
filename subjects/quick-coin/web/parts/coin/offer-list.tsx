import { Zap } from 'lucide-react';
import type { Data } from '#contract/endpoint.ts';
import type { getQuickCoinList } from '#subjects/quick-coin/contract/quick-coin.ts';
import { coinText } from '../../../rules/coin.ts';
import { durationText, grouped } from '#web/lib/format/format.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Price } from '#web/ui/price.tsx';
import { Deliveries, Ratios } from '#web/parts/goods/ratios.tsx';

export type CoinOffer = Data<typeof getQuickCoinList>['list'][number];

/** The page where an offer is ordered. */
export const coinOrderPath = (sn: string): string => `/fastGold/${sn}/order`;

function Shop({ shop, shipMinutes }: { shop: CoinOffer['shop']; shipMinutes: number }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Avatar name={shop.name} src={shop.avatar} />
      <span className="min-w-0">
        <span className="flex items-center gap-1.5">
          <b className="truncate font-medium">{shop.name}</b>
          <i
            className={cx('dot', shop.online && 'dot-on')}
            title={`${shop.online ? '在线' : '离线'}${shop.hoursText && `，营业时间 ${shop.hoursText}`}`}
          />
        </span>
        <span className="block truncate text-12 text-ink-3">
          {shop.depositName ? `${shop.depositName}，` : ''}成交 {grouped(shop.doneNum)}
          {shop.goodRate !== null && `，好评 ${shop.goodRate}%`}
        </span>
        <span className="flex items-center gap-1 text-12 text-ink-3">
          <Zap className="icon size-3" aria-hidden="true" />
          {shop.averageShipMinutes !== null
            ? `平均 ${durationText(shop.averageShipMinutes)}发货`
            : `承诺 ${durationText(shipMinutes)}内发货`}
        </span>
      </span>
    </span>
  );
}

function Row({ offer, withGame }: { offer: CoinOffer; withGame: boolean }) {
  const regionText = [withGame && offer.gameName, offer.areaName, offer.serverName, offer.camp]
    .filter(Boolean)
    .join(' ');
  return (
    <li className="coin-row">
      <Ratios ratioText={offer.ratioText} unitPriceText={offer.unitPriceText} />
      <span className="min-w-0 text-13">
        <span className="block truncate">{regionText}</span>
        <span className="mt-1 flex items-center gap-2 text-12 text-ink-3">
          <Deliveries delivery={offer.delivery} />
          <span className="truncate">
            库存 {grouped(offer.stock)} 份{offer.minNum > 1 && `，${offer.minNum} 份起`}
          </span>
        </span>
      </span>
      <Shop shop={offer.shop} shipMinutes={offer.shipMinutes} />
      <span className="coin-price">
        <Price yuan={offer.lotPrice} />
        <span className="text-12 text-ink-3">{coinText(offer.lotUnits, offer.unit)}</span>
      </span>
      <ButtonLink
        to={offer.isMine ? '/center/myshop/shopmanage' : coinOrderPath(offer.quickCoinSn)}
        kind={offer.isMine ? 'plain' : 'tonal'}
        aria-label={`${offer.isMine ? '管理' : '购买'} ${offer.shop.name} ${offer.ratioText}`}
      >
        {offer.isMine ? '管理' : '购买'}
      </ButtonLink>
    </li>
  );
}

/** Offers of coin, each with both ratios, its shop and the price of a lot. */
export function OfferList({ offers, withGame }: { offers: readonly CoinOffer[]; withGame: boolean }) {
  return (
    <ul>
      {offers.map((offer) => (
        <Row key={offer.quickCoinSn} offer={offer} withGame={withGame} />
      ))}
    </ul>
  );
}
