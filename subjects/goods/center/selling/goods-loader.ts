import { GoodsStatus } from '#contract/rules/statuses.ts';
import type { LoaderFunctionArgs } from 'react-router';
import { getScaleConf } from '#subjects/orders/contract/site-figures.ts';
import { selfPublishGoodsList } from '#subjects/goods/contract/goods.ts';
import type { Data } from '#contract/endpoint.ts';
import type { OfferFees } from '../../rules/listing-states.ts';
import { market, marketContext } from '#web/lib/pages/context.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { attempt } from '#web/lib/api/attempt.ts';

/** Listings per page. */
export const GOODS_PAGE = 20;

/** States of the tabs, in the order of a listing's life cycle; the last two are visible only when not empty. */
export const GOODS_TABS = [
  { status: null, label: '全部', always: true },
  { status: GoodsStatus.OnSale, label: '出售中', always: true },
  { status: GoodsStatus.Reviewing, label: '审核中', always: true },
  { status: GoodsStatus.Rejected, label: '未通过', always: true },
  { status: GoodsStatus.OffSale, label: '已下架', always: true },
  { status: GoodsStatus.Locked, label: '交易中', always: true },
  { status: GoodsStatus.Sold, label: '已售出', always: true },
  { status: GoodsStatus.Hidden, label: '已隐藏', always: false },
] as const;

export type OwnGoods = Data<typeof selfPublishGoodsList>['list'][number];

/** Parses the query of the list. An unknown tab or page counts as absent. */
export function parseGoods(query: URLSearchParams): { status: number | null; page: number; keyWord: string } {
  const status = GOODS_TABS.find((tab) => tab.status !== null && String(tab.status) === query.get('status'))?.status;
  const page = Number(query.get('pages') ?? 1);
  return {
    status: status ?? null,
    page: Number.isInteger(page) && page >= 1 && page <= 1000 ? page : 1,
    keyWord: (query.get('keyWord') ?? '').trim().slice(0, 40),
  };
}

/** The URL of a list; defaults are left out. */
export function goodsListPath({
  status,
  page = 1,
  keyWord,
}: {
  status: number | null;
  page?: number;
  keyWord: string;
}): string {
  const query = new URLSearchParams();
  if (status !== null) query.set('status', String(status));
  if (keyWord) query.set('keyWord', keyWord);
  if (page > 1) query.set('pages', String(page));
  return query.size > 0 ? `/center/sellOutGoods?${query}` : '/center/sellOutGoods';
}

/** A page of the seller's listings with the fees used for a new price. */
export async function loader(args: LoaderFunctionArgs) {
  const state = parseGoods(args.url.searchParams);
  const { status, page, keyWord } = state;
  const [result, scale] = await Promise.all([
    attempt(
      args.context.get(marketContext).call(selfPublishGoodsList, {
        pages: page,
        pageSize: GOODS_PAGE,
        ...(status !== null && { status }),
        ...(keyWord && { keyWord }),
      }),
    ),
    market(args).call(getScaleConf, {}),
  ]);
  const fees: OfferFees = {
    sellerBp: scale.sellerCommissionBp,
    sellerMaxFen: fenOf(scale.sellerCommissionMax),
    buyerBp: scale.buyerServiceFeeBp,
  };
  return { state, result, fees };
}

export type GoodsData = Awaited<ReturnType<typeof loader>>;
