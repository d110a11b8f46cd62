import { yuanParts } from '#web/lib/format/format.ts';
import { cx } from './class-names.ts';

/**
 * The price that a buyer pays, in the one warm colour: ¥ smaller than the digits, always two decimals. `yuan` is the
 * wire's text.
 */
export function Price({
  yuan,
  size = 'md',
  className,
}: {
  yuan: string;
  size?: 'sm' | 'md' | 'lg' | 'xl';
  className?: string;
}) {
  const [whole, decimals] = yuanParts(yuan);
  return (
    <span className={cx('price', size !== 'md' && `price-${size}`, className)}>
      <i>¥</i>
      {whole}
      <u>{decimals}</u>
    </span>
  );
}

/** Any other amount (a fee line, a balance): the text colour. */
export function Amount({ yuan, className, sign }: { yuan: string; className?: string; sign?: '-' | '+' }) {
  const [whole, decimals] = yuanParts(yuan);
  return (
    <span className={cx('amount', className)}>
      {sign === '-' ? '−' : sign}
      <i>¥</i>
      {whole}
      {decimals}
    </span>
  );
}
