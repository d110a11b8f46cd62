import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { cx } from '#web/ui/class-names.ts';
import { Amount } from '#web/ui/price.tsx';
import { fullAt } from '#web/lib/format/times.ts';

interface MoneyPoint {
  title: string;
  amount: string | null;
  text: string;
  state: 'done' | 'current' | 'waiting';
}

export interface OrderMoney {
  where: string;
  reason: string;
  refunded: string;
  late: string;
  sellerGets: string | null;
  commission: string | null;
  releaseTime: string | null;
  staged: boolean;
  released: boolean;
  points: readonly MoneyPoint[];
  parts: readonly { code: string; label: string; amount: string; state: string; until: string; onCancel: string }[];
}

/** One stage of the money's route; the line to the next stage is green once the money has reached it. */
function Point({ point, last }: { point: MoneyPoint; last: boolean }) {
  const { title, amount, text, state } = point;
  return (
    <li
      className={cx(
        'relative grid content-start gap-0.5 pb-4 pl-6 md:flex-1 md:pt-5 md:pr-4 md:pb-0 md:pl-0',
        state === 'waiting' && 'text-ink-3',
      )}
      aria-current={state === 'current' ? 'step' : undefined}
    >
      {!last && (
        <i
          className={cx(
            'absolute top-3.5 bottom-0 left-[4.5px] w-px md:top-[4.5px] md:right-1 md:bottom-auto md:left-3.5 md:h-px md:w-auto',
            state === 'done' ? 'bg-safe' : 'bg-line-strong',
          )}
          aria-hidden="true"
        />
      )}
      <i
        className={cx(
          'absolute top-1 left-0 size-2.5 rounded-full border-2 md:top-0',
          state === 'done' && 'border-safe bg-safe',
          state === 'current' && 'border-safe bg-panel ring-4 ring-safe-bg',
          state === 'waiting' && 'border-line-strong bg-panel',
        )}
        aria-hidden="true"
      />
      <b className="text-13 font-semibold">{title}</b>
      {amount !== null && (
        <span className="text-16 font-semibold">
          <Amount yuan={amount} />
        </span>
      )}
      <span className="text-12 text-ink-3">{text}</span>
    </li>
  );
}

/** Where the money of an order is: received, held, released or refunded, with the reason and the end of each hold. */
export function MoneyCard({
  money,
  now,
  children,
}: {
  money: OrderMoney;
  now: string;
  /** The parts of the sum, below the line. */
  children?: ReactNode;
}) {
  const isHeld = money.releaseTime !== null && !money.released && Date.parse(money.releaseTime) > Date.parse(now);
  return (
    <section className="panel" aria-label="资金去向">
      <div className="panel-head">
        <h2>资金去向</h2>
        <p>{money.where}</p>
        {children && (
          <Link to="/rules/7.2" className="more">
            托管规则
          </Link>
        )}
      </div>
      <ol className="px-4 pt-5 pb-1 md:flex md:pb-4">
        {money.points.map((point, index) => (
          <Point key={point.title} point={point} last={index === money.points.length - 1} />
        ))}
      </ol>
      {money.reason && (
        <p className="mx-4 mb-4 flex gap-2 rounded-control bg-safe-bg px-3 py-2.5 text-13 text-ink-2">
          <ShieldCheck className="icon mt-0.5 text-safe" aria-hidden="true" />
          <span>
            {money.reason}
            {isHeld && money.releaseTime && (
              <>
                预计 <time dateTime={money.releaseTime}>{fullAt(money.releaseTime)}</time>
                {money.staged ? ' 前分段放完。' : ' 放款。'}
              </>
            )}
          </span>
        </p>
      )}
      {children}
    </section>
  );
}
