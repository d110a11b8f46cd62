import { Link } from 'react-router';
import type { bill } from '#subjects/payments/contract/pay.ts';
import type { Data } from '#contract/endpoint.ts';
import { Amount } from '#web/ui/price.tsx';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { fullAt } from '#web/lib/format/times.ts';

export type BillItem = Data<typeof bill>['list'][number];

/** Income or expense with its sign; neither is coloured, because colour is reserved for prices and safety. */
function Signed({ yuan }: { yuan: string }) {
  const out = yuan.startsWith('-');
  return <Amount yuan={out ? yuan.slice(1) : yuan} sign={out ? '-' : '+'} className="font-semibold" />;
}

/** Entries of an account: purpose, source and target, amount and the balance after it. */
export function BillList({ lines, label }: { lines: readonly BillItem[]; label: string }) {
  return (
    <ul aria-label={label}>
      {lines.map((line) => (
        <li
          key={line.id}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 border-b border-line-soft px-4 py-2.5 text-13 last:border-b-0 md:grid-cols-[minmax(0,1fr)_150px_110px_120px]"
        >
          <div className="min-w-0">
            <b className="font-medium">{line.title}</b>
            <p className="flex flex-wrap gap-x-3 text-12 text-ink-3">
              <span>{line.explain}</span>
              {line.number && <span className="break-all">单号 {line.number}</span>}
              {line.orderSn && (
                <Link to={orderPath(line.orderSn)} className="hit hover:text-link">
                  订单 {line.orderSn}
                </Link>
              )}
            </p>
          </div>
          <time dateTime={line.time} className="text-12 text-ink-3 max-md:order-3">
            {fullAt(line.time)}
          </time>
          <span className="text-right text-14">
            <Signed yuan={line.amount} />
          </span>
          <span className="text-right text-12 text-ink-3 max-md:order-4">
            余额 <Amount yuan={line.balanceAfter} />
          </span>
        </li>
      ))}
    </ul>
  );
}
