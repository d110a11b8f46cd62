/** A whole order by calls only: where another call is needed, the error names it (product.md 7). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import * as order from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { webhookCreate } from '#subjects/open-api/contract/webhooks.ts';
import { endpoints } from '#contract/registry.ts';
import { NEXT_CALLS } from '#server/http/openapi/next-calls.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { accountOffer, type OfferFixture, offerFixture } from '#tests/support/goods/offers.ts';
import { releaseGoods } from '#subjects/goods/contract/goods.ts';

let t: TestApp;
let offers: OfferFixture;

beforeAll(async () => {
  t = await testApp();
  offers = await offerFixture(t);
});
afterAll(async () => await t.close());

/** A call with the call that its error names. */
async function named(user: TestUser, url: string, input: Record<string, string>) {
  const response = await user.client.raw({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(input).toString(),
  });
  return response.json<{ code: number; msg: string; call?: string }>();
}

test('every named call exists', () => {
  const declared = new Set(endpoints.map(({ method, path }) => `${method} ${path}`));
  const calls = [...Object.values(NEXT_CALLS), 'POST /api/order/sealSecret'];
  expect(calls.length).toBeGreaterThan(5);
  expect(calls.filter((call) => !declared.has(call))).toEqual([]);
});

describe('an error names the call that clears the way', () => {
  test('before a publication: the real name', async () => {
    const fresh = await t.newUser({ verified: false });
    const { details, ...rest } = accountOffer();
    const input = { ...(rest as unknown as Record<string, string>), details: JSON.stringify(details) };
    const refused = await named(fresh, releaseGoods.path, input);
    expect(refused).toMatchObject({ code: codes.REAL_NAME_REQUIRED[0], call: 'POST /api/comm/submitCertificate' });
  });

  test('a missing step-up names the step-up call', async () => {
    const user = await t.newUser();
    const refused = await named(user, webhookCreate.path, { url: 'https://example.com/a', events: '["order.paid"]' });
    expect(refused).toMatchObject({ code: codes.STEP_UP_REQUIRED[0], call: 'POST /api/user/stepUp' });
  });

  test('during an order: the steps before shipping, and what has ended', async () => {
    const seller = await offers.sellerWith(5);
    const goodsSn = await offers.onSale(seller);
    const buyer = await t.newUser({ balanceFen: 1_000_000 });
    const { orderId } = await buyer.client.ok(order.placeOrder, { goodsSn });
    await buyer.client.ok(balancePay, { orderId });
    const early = await named(seller, order.offlineTranSub.path, { orderId: String(orderId) });
    expect(early.code).toBe(codes.ORDER_HANDOVER_OPEN[0]);
    expect(['POST /api/order/handoverDone', 'POST /api/order/sealSecret']).toContain(early.call);
    const other = await offers.onSale(seller);
    const second = await buyer.client.ok(order.placeOrder, { goodsSn: other });
    await buyer.client.ok(order.cancelOrder, { orderId: second.orderId });
    const late = await named(buyer, balancePay.path, { orderId: String(second.orderId) });
    expect(late).toMatchObject({ code: codes.ORDER_STATE[0], msg: '订单已取消' });
  });

  test('an invalid choice comes with the permitted ones, and a missing number is not a malformed one', async () => {
    const user = await t.newUser();
    const wrong = await user.client.call(order.requestCancel, { orderId: 1, act: 'nonsense' } as never);
    expect(wrong.errors).toEqual([expect.objectContaining({ field: 'act', allowed: ['ask', 'agree', 'decline'] })]);
    expect((await user.client.call(balancePay, {} as never)).msg).toBe('订单内部编号不能为空');
    expect((await user.client.call(balancePay, { orderId: 'x' } as never)).msg).toBe('订单内部编号应为整数');
  });
});
