import type { ReactNode } from 'react';
import { cx } from '#web/ui/class-names.ts';
import { Amount, Price } from '#web/ui/price.tsx';
import { type FeeLine, FeeRule } from './fee-lines.tsx';
import type { OrderMoney } from './money-card.tsx';

const CELL = 'px-4 py-2 text-left align-top font-normal';
/** Columns that phones show below the label instead. */
const WIDE = cx(CELL, 'max-md:hidden');

const signed = (amount: string) =>
  amount.startsWith('-') ? <Amount yuan={amount.slice(1)} sign="-" /> : <Amount yuan={amount} />;

function Total({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-0.5">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/**
 * The parts of the payment: the rule of each amount, where it is, until when, and what happens to it if the order is
 * cancelled; the total below, and for the seller the proceeds.
 */
export function MoneyParts({
  money,
  lines,
  total,
  totalLabel,
}: {
  money: OrderMoney;
  lines: readonly FeeLine[];
  total: string;
  totalLabel: string;
}) {
  const { parts, commission, sellerGets } = money;
  const isHeld = parts.some(({ onCancel }) => onCancel !== '');
  const rules = new Map(lines.map(({ code, rule }) => [code, rule]));
  const hasUntil = parts.some(({ until }) => until !== '');
  return (
    <section id="fees" aria-label="费用明细" className="scroll-mt-4 border-t border-line text-13">
      <table className="w-full">
        <thead>
          <tr className="bg-sunken text-12 text-ink-3 max-md:sr-only">
            <th className={CELL}>这部分钱</th>
            <th className={cx(CELL, 'text-right')}>金额</th>
            <th className={WIDE}>现在</th>
            {hasUntil && <th className={WIDE}>托管到什么时候</th>}
            {isHeld && <th className={WIDE}>如果取消</th>}
          </tr>
        </thead>
        <tbody>
          {parts.map(({ code, label, amount, state, until, onCancel }) => (
            <tr key={code} className="border-t border-line-soft">
              <th scope="row" className={CELL}>
                <span className="flex items-center gap-1">
                  {label}
                  <FeeRule label={label} rule={rules.get(code) ?? ''} />
                </span>
                <span className="block text-12 text-ink-3 md:hidden">{[state, until].filter(Boolean).join('，')}</span>
              </th>
              <td className={cx(CELL, 'text-right whitespace-nowrap text-ink')}>{signed(amount)}</td>
              <td className={cx(WIDE, 'whitespace-nowrap', isHeld && 'text-safe')}>{state}</td>
              {hasUntil && <td className={cx(WIDE, 'text-ink-2')}>{until}</td>}
              {isHeld && <td className={cx(WIDE, 'whitespace-nowrap text-ink-2')}>{onCancel}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="border-t border-line px-4 py-2.5">
        <Total label={totalLabel}>
          {sellerGets === null ? <Price yuan={total} size="md" /> : <Amount yuan={total} />}
        </Total>
        {commission !== null && (
          <Total label="平台佣金">{Number(commission) === 0 ? '不收' : <Amount yuan={commission} sign="-" />}</Total>
        )}
        {sellerGets !== null && (
          <Total label="您到手">
            <b className="font-semibold text-ink">
              <Amount yuan={sellerGets} />
            </b>
          </Total>
        )}
      </dl>
    </section>
  );
}
