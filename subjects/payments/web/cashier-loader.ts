import type { LoaderFunctionArgs } from 'react-router';
import { payCashier } from '#subjects/payments/contract/cashier.ts';
import { market } from '#web/lib/pages/context.ts';

/** A payment by its public token. WeChat returns here with `payer=unknown` when it did not identify the payer. */
export async function loader(args: LoaderFunctionArgs) {
  const payment = await market(args).call(payCashier, { payRand: args.params.payRand ?? '' });
  return {
    payment,
    now: new Date().toISOString(),
    address: args.url.href.replace(/\?.*/, ''),
    isPayerUnknown: args.url.searchParams.get('payer') === 'unknown',
  };
}

export type CashierData = Awaited<ReturnType<typeof loader>>;
