import { coinText } from '../rules/coin.ts';
import { ButtonLink } from '#web/ui/button.tsx';

/** The remaining amount after this order, with a link back. */
export function LeftOver({ units, unit, to }: { units: number; unit: string; to: string }) {
  return (
    <p className="mx-4 mt-4 rounded-control bg-sunken px-3 py-2 text-13 text-ink-2" role="note">
      这是凑单的一家。付款后还差 {coinText(units, unit)}，
      <ButtonLink to={to} size="sm">
        配剩下的
      </ButtonLink>
    </p>
  );
}
