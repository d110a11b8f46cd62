import type { LoaderFunctionArgs } from 'react-router';
import { latestDealRecord } from '#subjects/orders/contract/site-figures.ts';
import { currentdayDealGoodsList } from '#subjects/goods/contract/goods.ts';
import { everydayDealOrderList } from '#subjects/orders/contract/order.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { market, optional } from '#web/lib/pages/context.ts';

const PAGE_SIZE = 20;
const MARKET_ROWS = 10;
const LATEST = 8;

/** The list's filters, as in the URL. */
export interface SaleFilter {
  gameId: number | null;
  day: string | null;
}

/** URL of the sales of a game and a day. */
export function salesPath({ gameId, day }: SaleFilter): string {
  const query = new URLSearchParams({ ...(gameId !== null && { gid: String(gameId) }), ...(day !== null && { day }) });
  return query.size > 0 ? `/dealshow?${query}` : '/dealshow';
}

/** Input of the endpoint for one page of that list. */
export function salesInput({ gameId, day }: SaleFilter, cursor?: string) {
  return {
    pageSize: PAGE_SIZE,
    ...(gameId !== null && { gameId }),
    ...(day !== null && { day }),
    ...(cursor && { cursor }),
  };
}

export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const query = args.url.searchParams;
  const [gid, day] = [query.get('gid'), query.get('day')];
  if (gid !== null && !/^\d{1,6}$/.test(gid)) notFound();
  if (day !== null && !/^\d{4}-\d{2}-\d{2}$/.test(day)) notFound();
  const filter: SaleFilter = { gameId: gid === null ? null : Number(gid), day };
  const [sales, today, latest] = await Promise.all([
    call(everydayDealOrderList, salesInput(filter)),
    optional(call(currentdayDealGoodsList, { pageSize: MARKET_ROWS })),
    optional(call(latestDealRecord, { pageSize: LATEST })),
  ]);
  return { filter, sales, today: today?.list ?? [], latest: latest?.list ?? [] };
}

export type SalesData = Awaited<ReturnType<typeof loader>>;
