import { z } from 'zod';
import { reviewItem } from './staff-review.ts';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { goodsList } from './list-goods.ts';
import { bulkResult, json, sn, text } from '#contract/wire.ts';

/** All listings that match the filters, newest first; staff of a distributor see those of its own sellers. */
export const staffGoodsList = staffRead('/api/backstage/goods/list', '全部商品（后台）', {
  input: goodsList.input,
  data: goodsList.data,
  limit: 'search',
});

/** One listing in any state, as reviewers see it. Throws GOODS_NOT_FOUND. */
export const staffListing = staffRead('/api/backstage/goods/listing', '商品（后台）', {
  input: z.object({ goodsSn: sn }),
  data: reviewItem,
});

/**
 * Takes listings down, each independently: they are removed from the search, and their sellers see the reason and may
 * correct them. A listing that is in an order or no longer offered is rejected.
 */
export const staffTakeDown = staffWrite('/api/backstage/goods/takeDown', '下架商品（后台）', {
  input: z.object({
    goodsSns: json(z.array(sn).min(1, '请选择商品').max(100, '一次最多 100 件'), '商品'),
    reason: text(200, { min: 1, label: '原因' }),
  }),
  data: bulkResult,
});
