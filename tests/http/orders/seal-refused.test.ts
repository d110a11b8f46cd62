/** The button that seals another version of a form is offered exactly when the version would be stored. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { openDispute } from '#subjects/disputes/contract/dispute.ts';
import { orderDetail } from '#subjects/orders/contract/order.ts';
import { answerMilestone, serviceAct, serviceProgress } from '#subjects/services/contract/services.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import {
  addBoostGame,
  openedBooster,
  seal,
  serviceTrade,
  type ServiceTrade,
} from '#tests/support/services/boosting.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { userPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;
let one: Awaited<ReturnType<typeof openedBooster>>;

beforeAll(async () => {
  t = await testApp();
  await addBoostGame(t);
  one = await openedBooster(t, await t.newStaff(), { balanceFen: 200_000 });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

/** What the buyer's page offers, and the code and message of the write. */
async function sealing(trade: ServiceTrade) {
  const { handover } = await trade.buyer.client.ok(orderDetail, { orderSn: trade.orderSn });
  const { code, msg } = await seal(trade);
  return { offered: handover.find(({ sealed }) => sealed)?.sealed?.canSend, code, msg };
}
const object = async ({ buyer, orderSn }: ServiceTrade) =>
  await buyer.client.ok(openDispute, {
    orderSn,
    reason: 'service_quality',
    want: 'continue',
    answers: { done: '还没有完成' },
    text: '请平台客服介入看一下',
  });

test('of boosting until the final delivery, with which the booster loses access', async () => {
  const trade = await serviceTrade(t, one);
  expect(await sealing(trade)).toMatchObject({ offered: true, code: 0 });
  await trade.buyer.client.ok(serviceAct, { orderId: trade.orderId, act: 'pause' });
  expect(await sealing(trade)).toMatchObject({ offered: true, code: 0 });
  await trade.buyer.client.ok(serviceAct, { orderId: trade.orderId, act: 'resume' });
  for (const seq of [1, 2, 3]) {
    const pictures = JSON.stringify([await userPicture(trade.booster)]);
    await trade.booster.client.ok(serviceProgress, { orderId: trade.orderId, seq, percent: 100, pictures });
    if (seq < 3) await trade.buyer.client.ok(answerMilestone, { orderId: trade.orderId, seq, act: 'confirm' });
  }
  expect(await sealing(trade)).toEqual({
    offered: false,
    code: codes.ORDER_STATE[0],
    msg: '代练已全部交付，打手不能再打开账号资料，不用再更新',
  });
});

test('not the first form of a service during a case, but a newer one', async () => {
  const first = await serviceTrade(t, one, { sealed: false });
  await object(first);
  expect(await sealing(first)).toEqual({
    offered: false,
    code: codes.ORDER_DISPUTED[0],
    msg: '订单在申诉中，结案后再提交账号资料',
  });
  const second = await serviceTrade(t, one);
  await object(second);
  expect(await sealing(second)).toMatchObject({ offered: true, code: 0 });
});

test('not after the last of its versions', async () => {
  const trade = await serviceTrade(t, one);
  await sql`insert into sealed_credential (order_id, step, version, from_user, body_enc)
    select order_id, step, n, from_user, body_enc from sealed_credential, generate_series(2, 20) n where order_id = ${trade.orderId}`.execute(
    t.ctx.db,
  );
  expect(await sealing(trade)).toEqual({
    offered: false,
    code: codes.ORDER_STATE[0],
    msg: '这一步已封存 20 次，如需再改请联系客服',
  });
});
