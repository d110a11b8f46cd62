import type { LoaderFunctionArgs } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { bargainingList, bargainRule } from '#subjects/offers/contract/offers.ts';
import { BargainStatus, ENDED_TAB } from '../../rules/bargain.ts';
import { type Belong, BUYS, SELLS } from '#contract/rules/parties.ts';
import { market, marketContext, optional } from '#web/lib/pages/context.ts';
import { attempt } from '#web/lib/api/attempt.ts';

/** One bargain of the list. */
export type BargainItem = Data<typeof bargainingList>['list'][number];

/** Offers that still have a next step. */
export const isOpen = ({ status }: Pick<BargainItem, 'status'>): boolean => status <= BargainStatus.BuyerAgreed;

const PAGE = 20;

/** URLs of the two pages (product.md 2). */
export const BARGAIN_PATHS: Readonly<Record<Belong, string>> = {
  [BUYS]: '/center/buyBargainGoods',
  [SELLS]: '/center/sellBargainGoods',
};

interface Tab {
  status: number | null;
  label: string;
}

/** The states with the labels of each party; those pending on the viewer come before those pending on the other party. */
export const BARGAIN_TABS: Readonly<Record<Belong, readonly Tab[]>> = {
  [BUYS]: [
    { status: null, label: '全部' },
    { status: BargainStatus.SellerAgreed, label: '可下单' },
    { status: BargainStatus.Countered, label: '待我答复' },
    { status: BargainStatus.Pending, label: '待卖家答复' },
    { status: ENDED_TAB, label: '已结束' },
  ],
  [SELLS]: [
    { status: null, label: '全部' },
    { status: BargainStatus.Pending, label: '待我答复' },
    { status: BargainStatus.Countered, label: '待买家答复' },
    { status: BargainStatus.SellerAgreed, label: '已谈成' },
    { status: ENDED_TAB, label: '已结束' },
  ],
};

export interface BargainQuery {
  status: number | null;
  keyWord: string;
}

/** Parses the query string; an unknown status means the whole list. */
export function bargainQuery(query: URLSearchParams): BargainQuery {
  const statusParam = query.get('status');
  const status =
    BARGAIN_TABS[BUYS].find((tab) => tab.status !== null && String(tab.status) === statusParam)?.status ?? null;
  return { status, keyWord: (query.get('keyWord') ?? '').trim().slice(0, 40) };
}

/** URL of a part of the list. */
export function bargainPath(belong: Belong, { status, keyWord }: BargainQuery): string {
  const query = new URLSearchParams();
  if (status !== null) query.set('status', String(status));
  if (keyWord) query.set('keyWord', keyWord);
  return `${BARGAIN_PATHS[belong]}${query.size > 0 ? `?${query}` : ''}`;
}

/** Input of the list endpoint, for the first page or after a cursor. */
export function bargainInput(belong: Belong, { status, keyWord }: BargainQuery, cursor?: string) {
  return {
    belong,
    pageSize: PAGE,
    ...(status !== null && { status }),
    ...(keyWord && { keyWord }),
    ...(cursor && { cursor }),
  };
}

/** Data of one party's page; an error of the list is shown in place of the list. */
export async function loadBargains(args: LoaderFunctionArgs, belong: Belong) {
  const state = bargainQuery(args.url.searchParams);
  const [result, rule] = await Promise.all([
    attempt(args.context.get(marketContext).call(bargainingList, bargainInput(belong, state))),
    belong === SELLS ? optional(market(args).call(bargainRule, {})) : null,
  ]);
  return { belong, state, result, floorPercent: rule?.floorPercent ?? null, now: new Date().toISOString() };
}

export type BargainsData = Awaited<ReturnType<typeof loadBargains>>;
