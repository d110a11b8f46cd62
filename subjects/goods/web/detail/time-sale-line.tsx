import { Timer } from 'lucide-react';
import { Link } from 'react-router';
import { grouped } from '#web/lib/format/format.ts';
import { keptWhenLost } from '#web/lib/loading/hydrated-later.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { Price } from '#web/ui/price.tsx';
import { PriceLine } from './price-line.tsx';
import type { DetailData } from './loader.ts';

/** The limited-time price above the listing's own, with its end and its button; for a seller without one a link to set it. */
function TimeSaleLine({ data }: { data: DetailData }) {
  const { goods, timeSale } = data;
  const to = `/wares/${goods.goodsSn}/timePurchase`;
  const sale = timeSale?.sale;
  if (!timeSale || !sale || sale.state === 'over')
    return (
      <PriceLine label="限时价">
        <Link to={to} className="link">
          设置限时价
        </Link>
      </PriceLine>
    );
  const isOpen = sale.state === 'open';
  return (
    <section
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control border border-attn-line bg-attn-bg px-3 py-2.5"
      aria-label="限时价"
    >
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <b className="text-13 font-semibold text-attn">限时价</b>
          <Price yuan={sale.allInPrice} size="lg" />
          <span className="text-12 text-ink-2">全包价，省 {sale.offPercent}%</span>
        </p>
        <p className="flex flex-wrap items-center gap-x-1.5 text-12 text-ink-2">
          <Timer className="icon size-3.5" aria-hidden="true" />
          {isOpen ? (
            <span>
              剩 <Countdown until={sale.endTime} now={timeSale.now} />，{grouped(sale.leftNum)} 件
            </span>
          ) : (
            <span>
              {fullAt(sale.startTime)} 开始，还有 <Countdown until={sale.startTime} now={timeSale.now} />
            </span>
          )}
        </p>
      </div>
      <ButtonLink to={to} kind={isOpen && !goods.isMine ? 'primary' : 'plain'}>
        {goods.isMine ? '管理限时价' : isOpen ? '去抢购' : '查看'}
      </ButtonLink>
    </section>
  );
}

export default keptWhenLost(TimeSaleLine);
