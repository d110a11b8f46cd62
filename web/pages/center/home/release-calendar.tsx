import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { shortAt } from '#web/lib/format/times.ts';
import { holdParts } from '#subjects/payments/web/parts/money/hold-parts.ts';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { Amount } from '#web/ui/price.tsx';
import type { HomeData } from './home-loader.ts';

const VISIBLE = 4;

/** The next frozen amounts, by release time; nothing if none has a time. */
export function ReleaseCalendar({ holds }: { holds: HomeData['holds'] }) {
  const due = holds
    .flatMap((hold) =>
      holdParts(hold).flatMap(({ amount, time, released }) =>
        time === null || released
          ? []
          : [{ key: `${hold.code} ${hold.ref} ${time} ${amount}`, amount, time, of: hold }],
      ),
    )
    .toSorted((a, b) => a.time.localeCompare(b.time));
  if (due.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="releases">
      <div className="panel-head">
        <h2 id="releases">放款日历</h2>
        <p>保护期满、无申诉自动到余额</p>
        <Link to="/center/mywallets" className="more">
          全部 {due.length} 笔
          <ChevronRight className="icon size-3.5" aria-hidden="true" />
        </Link>
      </div>
      <ul className="px-4 py-1.5 text-13">
        {due.slice(0, VISIBLE).map(({ key, amount, time, of }) => (
          <li
            key={key}
            className="grid grid-cols-[88px_minmax(0,1fr)_auto] items-center gap-3 border-b border-line-soft py-2 last:border-b-0"
          >
            <time dateTime={time} className="text-ink-3">
              {shortAt(time)}
            </time>
            {of.orderSn === null ? (
              <span className="truncate">{of.reason}</span>
            ) : (
              <Link to={orderPath(of.orderSn)} className="truncate hover:text-link">
                {of.reason}
              </Link>
            )}
            <b className="font-semibold">
              <Amount yuan={amount} />
            </b>
          </li>
        ))}
      </ul>
    </section>
  );
}
