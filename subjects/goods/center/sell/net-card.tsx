import { offerMoney, type OfferFees } from '../../rules/listing-states.ts';
import { isPrice } from '#contract/rules/amounts.ts';
import { rateText } from '#contract/rules/fee.ts';
import { fenOf, grouped, yuanOf } from '#web/lib/format/format.ts';
import { Amount } from '#web/ui/price.tsx';
import { PriceBand } from '#web/ui/forms/price-band.tsx';
import type { SellForm } from './form-state.ts';

/** The amounts that follow from the entered price; null while it is invalid. */
export function moneyOf(price: string, fees: OfferFees) {
  const text = price.trim();
  return isPrice(text) ? { priceFen: fenOf(text), ...offerMoney(fenOf(text), fees) } : null;
}

/** Hours as text: 24 小时, 3 天. */
function hoursText(hours: number): string {
  return hours > 24 && hours % 24 === 0 ? `${hours / 24} 天` : `${hours} 小时`;
}

/** Breakdown of what the seller receives, to the fen; what the buyer pays; and when the money is available. */
export function NetLines({
  price,
  fees,
  holdHours,
  unit = false,
  netLabel = unit ? '每件到手' : '到手',
}: {
  price: string;
  fees: OfferFees;
  /** Hours between the buyer's confirmation and the credit to the balance; not mentioned when absent. */
  holdHours?: number;
  /** Several pieces are sold; the amounts are per piece. */
  unit?: boolean;
  netLabel?: string;
}) {
  const money = moneyOf(price, fees);
  const capped = money !== null && money.commissionFen === fees.sellerMaxFen;
  const rowClass = 'flex items-baseline justify-between gap-3';
  return (
    <div className="grid gap-2.5 text-13" aria-live="polite">
      <dl className="grid gap-1.5">
        <div className={rowClass}>
          <dt className="text-ink-2">{unit ? '单价' : '标价'}</dt>
          <dd>{money ? <Amount yuan={yuanOf(money.priceFen)} /> : <span className="text-ink-4">—</span>}</dd>
        </div>
        <div className={rowClass}>
          <dt className="text-ink-2">
            平台佣金 {rateText(fees.sellerBp)}
            <span className="text-12 text-ink-3">
              {capped ? '（已封顶）' : `（最高 ${grouped(Math.round(fees.sellerMaxFen / 100))} 元）`}
            </span>
          </dt>
          <dd>
            {money ? <Amount yuan={yuanOf(money.commissionFen)} sign="-" /> : <span className="text-ink-4">—</span>}
          </dd>
        </div>
        <div className={`${rowClass} mt-0.5 border-t border-line-soft pt-2`}>
          <dt className="font-semibold">{netLabel}</dt>
          <dd className="text-20 font-bold text-ink">
            {money ? <Amount yuan={yuanOf(money.netFen)} /> : <span className="text-ink-4">—</span>}
          </dd>
        </div>
      </dl>
      <div className="grid gap-1 text-12 text-ink-3">
        <p>
          买家实付 {money ? <Amount yuan={yuanOf(money.allInFen)} /> : '—'}，含 {rateText(fees.buyerBp)}{' '}
          服务费，列表按实付价排序。
        </p>
        {holdHours !== undefined && (
          <p>
            {holdHours > 0
              ? `买家确认收货 ${hoursText(holdHours)}后，到手金额转入可用余额。`
              : '买家确认收货后，到手金额转入可用余额。'}
          </p>
        )}
      </div>
    </div>
  );
}

/**
 * The typical prices of such an account with the entered price on the band, or a message where no band is meaningful.
 */
export function BandHint({ band, price }: { band: SellForm['band']; price: string }) {
  const text = price.trim();
  if (!band) return <p className="text-12 text-ink-3">同类成交不足 30 笔，暂不给出参考价。</p>;
  if (band.wide)
    return <p className="text-12 text-ink-3">同类成交 {grouped(band.samples)} 笔，价格跨度大，不作参考。</p>;
  return (
    <div className="grid gap-1.5">
      <p className="text-12 text-ink-3">
        按近半年同类成交 {grouped(band.samples)} 笔，八成会卖在 <Amount yuan={band.low} /> 至{' '}
        <Amount yuan={band.high} />
        ，和估价、回收是同一个价
      </p>
      <PriceBand price={isPrice(text) ? text : undefined} band={band} labels />
    </div>
  );
}
