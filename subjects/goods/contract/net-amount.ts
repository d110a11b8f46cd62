import { endpoint } from '#contract/endpoint.ts';
import { z } from 'zod';
import { amount, int, money } from '#contract/wire.ts';

/**
 * Computes the seller's net amount for a price, after fees; transfers no money. Used by the publishing form and the
 * price-only dialog.
 */
export const netAmount = endpoint({
  method: 'GET',
  path: '/api/user/netAmount',
  auth: 'login',
  summary: '按价格计算到手金额',
  input: z.object({ price: amount({ label: '价格' }), goodsTypeId: int({ max: 99, label: '商品类型' }) }),
  data: z.object({ commission: money, net: money, rule: z.string(), holdText: z.string() }),
  limit: 'read',
});
