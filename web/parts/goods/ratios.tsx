import { cx } from '#web/ui/class-names.ts';

/** Both ratios: units per yuan, and price per unit. */
export function Ratios({
  ratioText,
  unitPriceText,
  className,
}: {
  ratioText: string;
  unitPriceText: string;
  className?: string;
}) {
  return (
    <span className={cx('grid', className)}>
      <b className="font-semibold">{ratioText}</b>
      <span className="text-12 text-ink-3">{unitPriceText}</span>
    </span>
  );
}

/** Delivery methods as chips. */
export function Deliveries({ delivery }: { delivery: readonly { id: number; name: string }[] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {delivery.map(({ id, name }) => (
        <span key={id} className="chip">
          {name}
        </span>
      ))}
    </span>
  );
}
