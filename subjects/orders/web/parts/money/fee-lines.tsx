import { Info } from 'lucide-react';
import { cx } from '#web/ui/class-names.ts';
import { Popover } from '#web/ui/overlays/popover.tsx';
import { Amount, Price } from '#web/ui/price.tsx';

export interface FeeLine {
  code: string;
  label: string;
  amount: string;
  rule: string;
}

/** The explanation of a fee, if it has one; opened by a click, so that it also works on phones. */
export function FeeRule({ label, rule }: { label: string; rule: string }) {
  return (
    <Popover
      label={`${label}的算法`}
      trigger={(props) => (
        <button
          {...props}
          type="button"
          className="hit -mx-2.5 grid w-10 place-items-center md:mx-0 md:size-5 text-ink-3 hover:text-link"
          aria-label={`${label}怎么算`}
        >
          <Info className="icon size-3.5" aria-hidden="true" />
        </button>
      )}
      className="max-w-72 p-3 text-13 text-ink-2"
    >
      {() => rule}
    </Popover>
  );
}

/** Every fee of an order with its rule; the total below in the price's colour. */
export function FeeLines({
  lines,
  total,
  totalLabel = '应付',
  rules = 'open',
  size = 'lg',
  className,
}: {
  lines: readonly FeeLine[];
  total: string;
  totalLabel?: string;
  /** `open` shows each rule next to its line, `folded` hides it behind a button. */
  rules?: 'open' | 'folded';
  size?: 'md' | 'lg';
  className?: string;
}) {
  return (
    <dl className={cx('text-13 text-ink-2', className)}>
      {lines.map(({ code, label, amount, rule }) => (
        <div key={code} className="flex min-h-6.5 items-center justify-between gap-4">
          <dt className="flex min-w-0 flex-wrap items-center gap-x-2">
            {label}
            {rule &&
              (rules === 'open' ? (
                <small className="text-12 text-ink-3">{rule}</small>
              ) : (
                <FeeRule label={label} rule={rule} />
              ))}
          </dt>
          <dd>{amount.startsWith('-') ? <Amount yuan={amount.slice(1)} sign="-" /> : <Amount yuan={amount} />}</dd>
        </div>
      ))}
      <div className="mt-1.5 flex items-baseline justify-between gap-4 border-t border-line-soft pt-2 text-ink">
        <dt className="font-semibold">{totalLabel}</dt>
        <dd>
          <Price yuan={total} size={size} />
        </dd>
      </div>
    </dl>
  );
}
