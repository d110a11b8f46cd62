import { framed } from '#web/lib/lazy-part.tsx';
import { GuaranteePays } from '#web/parts/order/guarantee-pays.tsx';
import { GuaranteeWhy } from '#web/parts/order/guarantee-why.tsx';
import type { Guarantee } from './guarantee.ts';

/** What the guarantees on offer pay, and how their rates come about. */
function GuaranteeTerms({ list, chosen }: { list: readonly Guarantee[]; chosen: readonly Guarantee[] }) {
  return (
    <>
      <GuaranteePays list={list} chosen={chosen} />
      <GuaranteeWhy list={list} />
    </>
  );
}

export default framed(GuaranteeTerms);
