import { CoinOfferStatus } from '#contract/rules/statuses.ts';
import type { ReactNode } from 'react';
import { coinText } from '../../../rules/coin.ts';
import { Button } from '#web/ui/button.tsx';
import { Price } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Deliveries, Ratios } from '#web/parts/goods/ratios.tsx';

/** The owner's actions for an offer: put it on sale again, take it off sale, remove it. */
export type OfferAction = 'push' | 'pull' | 'remove';

interface OwnOffer {
  delivery: Parameters<typeof Deliveries>[0]['delivery'];
  ratioText: string;
  unitPriceText: string;
  lotPrice: string;
  lotUnits: number;
  unit: Parameters<typeof coinText>[1];
  /** 1 = open. */
  status: number;
}

/** One coin offer as its owner, a shop or a recycler, sees it: item, ratio and price, amount, state, actions. */
export function OwnOfferRow({
  offer,
  regionText,
  sn,
  lotNote,
  amount,
  amountNote,
  stateName,
  labels,
  onEdit,
  onAction,
}: {
  offer: OwnOffer;
  regionText: string;
  sn: string;
  /** After the size of a lot. */
  lotNote?: string;
  amount: ReactNode;
  amountNote: string;
  stateName: string;
  /** The labels of the two actions here. */
  labels: { push: string; pull: string };
  onEdit: () => void;
  onAction: (action: OfferAction) => void;
}) {
  const isOpen = offer.status === CoinOfferStatus.OnSale;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b border-line-soft px-4 py-3 last:border-b-0 lg:grid-cols-[minmax(0,1fr)_165px_150px_120px_84px_auto]">
      <span className="min-w-0 max-lg:col-span-2">
        <b className="block truncate font-medium">{regionText}</b>
        <span className="flex flex-wrap items-center gap-x-2 text-12 text-ink-3">
          <span className="whitespace-nowrap">{sn}</span>
          <Deliveries delivery={offer.delivery} />
        </span>
      </span>
      <Ratios ratioText={offer.ratioText} unitPriceText={offer.unitPriceText} className="text-13" />
      <span className="grid text-13">
        <Price yuan={offer.lotPrice} size="sm" />
        <span className="text-12 text-ink-3">
          {coinText(offer.lotUnits, offer.unit)}
          {lotNote}
        </span>
      </span>
      <span className="text-13">
        {amount}
        <span className="block text-12 text-ink-3">{amountNote}</span>
      </span>
      <span>
        <Tag {...(isOpen && { tone: 'safe' as const })}>{stateName}</Tag>
      </span>
      <span className="flex justify-end gap-2 max-lg:col-span-2">
        <Button size="sm" onClick={onEdit}>
          修改
        </Button>
        <Button size="sm" onClick={() => onAction(isOpen ? 'pull' : 'push')}>
          {isOpen ? labels.pull : labels.push}
        </Button>
        <Button size="sm" kind="danger" onClick={() => onAction('remove')}>
          删除
        </Button>
      </span>
    </li>
  );
}

/** Figures of a business in a row. */
export function Figures({
  figures,
  className,
}: {
  figures: readonly (readonly [label: string, value: ReactNode])[];
  className: string;
}) {
  return (
    <dl className={`grid gap-3 border-t border-line-soft px-4 py-3.5 ${className}`}>
      {figures.map(([label, value]) => (
        <div key={label} className="grid gap-0.5">
          <dt className="text-12 text-ink-3">{label}</dt>
          <dd className="text-16 font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
