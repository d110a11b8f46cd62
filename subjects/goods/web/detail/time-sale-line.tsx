import { Link } from 'react-router';
import { keptWhenLost } from '#web/lib/hydrated-later.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { Amount } from '#web/ui/price.tsx';
import { PriceLine } from './price-line.tsx';
import type { DetailData } from './loader.ts';

/** The limited-time price, if any; for the seller a link to set it. */
function TimeSaleLine({ data }: { data: DetailData }) {
  const { goods, timeSale } = data;
  const to = `/wares/${goods.goodsSn}/timePurchase`;
  const sale = timeSale?.sale;
  if (timeSale && sale && sale.state !== 'over') {
    return (
      <PriceLine label="限时价">
        <b className="font-semibold">
          <Amount yuan={sale.price} />
        </b>
        <span className="mx-2 text-ink-3">
          {sale.state === 'coming' ? '距开始 ' : '剩 '}
          <Countdown until={sale.state === 'coming' ? sale.startTime : sale.endTime} now={timeSale.now} />
        </span>
        <Link to={to} className="link">
          {goods.isMine ? '管理限时价' : '去抢购'}
        </Link>
      </PriceLine>
    );
  }
  if (!goods.isMine || !timeSale?.own || timeSale.own.closed) return null;
  return (
    <PriceLine label="限时价">
      <Link to={to} className="link">
        设置限时价
      </Link>
    </PriceLine>
  );
}

export default keptWhenLost(TimeSaleLine);
