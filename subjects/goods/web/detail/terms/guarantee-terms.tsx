import { GuaranteePays } from '#subjects/orders/web/parts/money/guarantee-pays.tsx';
import { GuaranteeWhy } from '#subjects/orders/web/parts/money/guarantee-why.tsx';
import type { Terms } from './guarantee.ts';

/**
 * The payouts of the available guarantees, and how their rates are determined. `chosen`: the ids of those that are
 * expanded.
 */
export default function GuaranteeTerms({ list, chosen }: { list: readonly Terms[]; chosen: readonly number[] }) {
  return (
    <div className="flex flex-wrap gap-x-5 [&>[open]]:basis-full">
      <GuaranteePays list={list} chosen={list.filter(({ id }) => chosen.includes(id))} />
      <GuaranteeWhy list={list} />
    </div>
  );
}
