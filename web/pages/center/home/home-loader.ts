import { type LoaderFunctionArgs, redirect } from 'react-router';
import { queryOrderList } from '#subjects/orders/contract/order.ts';
import { payMethodShow } from '#subjects/payments/contract/pay.ts';
import { capitalManagement } from '#subjects/accounts/contract/user.ts';
import { CENTER_PAGE_SIZE } from '#contract/rules/limits.ts';
import { SELLS } from '#contract/rules/parties.ts';
import { nextSteps } from '#subjects/notices/contract/todo.ts';
import { marketContext, optional } from '#web/lib/pages/context.ts';
import { loadHome } from './home-data.ts';
import { nextCard } from './next-items.ts';

/** The centre's start data by the specification's rule, and optional data beside it. */
export async function loader({ context, url }: LoaderFunctionArgs) {
  const { call } = context.get(marketContext);
  const [start, sold, money, methods, next] = await Promise.all([
    loadHome(call),
    optional(call(queryOrderList, { belong: SELLS, pageSize: CENTER_PAGE_SIZE })),
    optional(call(capitalManagement, {})),
    optional(call(payMethodShow, {})),
    optional(call(nextSteps, {})),
  ]);
  if (!start) return redirect('/login');
  const now = new Date();
  return {
    ...start,
    sold,
    holds: money?.holds ?? [],
    methods,
    next: next && nextCard(next.steps, start.user, now),
    isNew: url.searchParams.get('welcome') === '1',
    now: now.toISOString(),
  };
}

export type HomeData = Exclude<Awaited<ReturnType<typeof loader>>, Response>;
