/** The buyer's new number and one-time codes pass between the parties under seal, and nowhere else (mode A: the seller operates the game). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffImSidebar } from '#subjects/chat/contract/im-support.ts';
import * as c from '#subjects/orders/contract/order.ts';
import { codes } from '#contract/codes.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { addExchangeGame, boundTrade, exchangeOf, PHONE_STEP as step } from '#tests/support/orders/exchange.ts';
import { timeOver, type Trade, userPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '10' } });
  await addExchangeGame(t, 'seller');
});
afterAll(async () => await t.close());

const NUMBER = '13912342046';
const move = (at: Trade, party: TestUser, act: string, value?: string) =>
  party.client.call(c.exchangeMove, { orderId: at.orderId, step, act: act as 'start', ...(value && { value }) });
const open = (at: Trade, party: TestUser, part: 'target' | 'code') =>
  party.client.call(c.exchangeOpen, { orderId: at.orderId, step, part });
const done = async (at: Trade) =>
  await at.seller.client.call(c.handoverDone, {
    orderId: at.orderId,
    step,
    pictures: [await userPicture(at.seller)],
  });
const state = codes.ORDER_STATE[0];
const ok = async (call: Promise<{ code: number; msg: string }>) => expect(await call).toMatchObject({ code: 0 });

/** Everything about an order that a party or staff could read later as text. */
async function readable(orderId: number): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select concat((select string_agg(p.explain, ' ') from order_process p where p.order_id = ${orderId}), ' ',
      (select string_agg(m.content::text, ' ') from chat_message m join chat_group g on g.id = m.group_id where g.order_id = ${orderId}), ' ',
      (select string_agg(e.payload::text, ' ') from outbox e where e.payload->>'orderId' = ${String(orderId)}), ' ',
      (select row_to_json(x)::text from order_exchange x where x.order_id = ${orderId})) as text`.execute(t.ctx.db);
  return rows[0]?.text ?? '';
}

/** Up to the seller who has requested the code in the game. */
async function started(): Promise<Trade> {
  const at = await boundTrade(t);
  await ok(move(at, at.buyer, 'target', NUMBER));
  await ok(move(at, at.seller, 'start'));
  return at;
}

describe('the whole exchange', () => {
  test('number and code reach the seller, each turn is the right one, and nothing stays readable', async () => {
    const at = await boundTrade(t);
    const turn = async (party: TestUser) => {
      const { actor, mine, exchange } = await exchangeOf(at, party);
      return [actor, mine, exchange.moves.find((m) => m.state === 'current')?.move];
    };
    expect(await turn(at.buyer)).toEqual(['buyer', true, 'target']);
    expect(await turn(at.seller)).toEqual(['buyer', false, 'target']);
    expect(await done(at)).toMatchObject({ code: state, msg: '买家还没有封存新手机号' });
    await ok(move(at, at.buyer, 'target', NUMBER));
    expect(await turn(at.seller)).toEqual(['seller', true, 'start']);
    const { data: number } = await open(at, at.seller, 'target');
    expect(number?.fields).toEqual([{ key: 'target', label: '新手机号', value: NUMBER }]);
    await ok(move(at, at.seller, 'start'));
    expect(await turn(at.buyer)).toEqual(['buyer', true, 'code']);
    expect(await done(at)).toMatchObject({ code: state, msg: '对方还没有封存新手机收到的验证码' });
    await ok(move(at, at.buyer, 'code', '417093'));
    expect(await turn(at.buyer)).toEqual(['seller', false, 'finish']);
    expect(await done(at)).toMatchObject({ code: state });
    expect((await open(at, at.seller, 'code')).data?.fields[0]?.value).toBe('417093');
    await ok(done(at));

    await t.relay();
    const text = await readable(at.orderId);
    expect(text).toContain('139 •••• 2046');
    expect(text).not.toContain(NUMBER);
    expect(text).not.toContain('417093');
    expect(await open(at, at.seller, 'target')).toMatchObject({ code: state });
    const { rows } = await sql`
      select from order_exchange where order_id = ${at.orderId} and (target_enc is not null or code_enc is not null)`.execute(
      t.ctx.db,
    );
    expect(rows).toEqual([]);
  });

  test('missing steps name the current actor, in the refusal of a confirmation and on the card of customer service', async () => {
    const at = await boundTrade(t);
    const admin = await t.newStaff({ role: 'admin' });
    const named = async () => {
      const refusal = await at.buyer.client.call(c.confirmRecGoods, { orderId: at.orderId });
      const { rows } = await sql<{ id: number }>`
        select id from chat_group where order_id = ${at.orderId}`.execute(t.ctx.db);
      const { form } = await admin.client.ok(staffImSidebar, { groupId: String(rows[0]?.id) });
      const item = form.items.find((one) => one.step === step);
      return [refusal.msg, item?.actor, item?.needs];
    };
    await t.relay();
    expect(await named()).toEqual(['请先完成「phone」（买家）', 'buyer', ['新手机号']]);
    await ok(move(at, at.buyer, 'target', NUMBER));
    expect(await named()).toEqual(['请先完成「phone」（卖家）', 'seller', ['截图']]);
    await ok(move(at, at.seller, 'start'));
    expect(await named()).toEqual(['请先完成「phone」（买家）', 'buyer', ['验证码']]);
  });

  test('uses the account’s phone number when the buyer enters none', async () => {
    const at = await boundTrade(t);
    await ok(move(at, at.buyer, 'target'));
    const { data } = await open(at, at.seller, 'target');
    expect(data?.fields[0]?.value).toBe(at.buyer.phone);
  });
});

describe('who may do what', () => {
  test('the values are only for the other party, and a stranger finds no order', async () => {
    const at = await started();
    await ok(move(at, at.buyer, 'code', '417093'));
    const stranger = await t.newUser();
    for (const part of ['target', 'code'] as const) {
      expect((await open(at, at.buyer, part)).code).toBe(codes.ORDER_FORBIDDEN[0]);
      expect((await open(at, stranger, part)).code).toBe(codes.ORDER_NOT_FOUND[0]);
    }
    expect((await move(at, stranger, 'more')).code).toBe(codes.ORDER_NOT_FOUND[0]);
    expect((await exchangeOf(at, at.buyer)).exchange).toMatchObject({ canOpenTarget: false, canOpenCode: false });
  });

  test('a dispute closes the values', async () => {
    const at = await started();
    await sql`update orders set disputed = true where id = ${at.orderId}`.execute(t.ctx.db);
    expect((await open(at, at.seller, 'target')).code).toBe(codes.ORDER_DISPUTED[0]);
    expect((await move(at, at.buyer, 'code', '417093')).code).toBe(codes.ORDER_DISPUTED[0]);
  });

  test('the seller cannot seal in place of the buyer, and the buyer cannot move for the seller', async () => {
    const at = await boundTrade(t);
    for (const [party, act] of [
      [at.seller, 'target'],
      [at.buyer, 'start'],
      [at.buyer, 'refuse'],
      [at.buyer, 'code'],
    ] as const)
      expect((await move(at, party, act, NUMBER)).code).toBe(state);
    expect((await exchangeOf(at, at.buyer)).exchange.moves[0]?.state).toBe('current');
  });
});

describe('what goes wrong', () => {
  test('a number in use is sent back with a reason, and the next one begins anew', async () => {
    const at = await started();
    await ok(move(at, at.seller, 'refuse'));
    expect((await exchangeOf(at, at.buyer)).exchange).toMatchObject({
      isTargetRefused: true,
      acts: ['target', 'more'],
    });
    expect((await move(at, at.buyer, 'code', '417093')).code).toBe(state);
    await ok(move(at, at.buyer, 'target', '13800002046'));
    expect((await exchangeOf(at, at.seller)).exchange).toMatchObject({
      isTargetRefused: false,
      targetHint: '138 •••• 2046',
    });
  });

  test('a code expires after ten minutes unread, and the seller requests another one', async () => {
    const at = await started();
    await ok(move(at, at.buyer, 'code', '417093'));
    await passTime(t.ctx.db, 'order_exchange', { order_id: at.orderId }, { minutes: 11 });
    expect((await exchangeOf(at, at.seller)).exchange).toMatchObject({ code: 'expired', canOpenCode: false });
    expect(await open(at, at.seller, 'code')).toMatchObject({ code: state, msg: '验证码已过期或已看过，请重新获取' });
    await ok(move(at, at.seller, 'start'));
    await ok(move(at, at.buyer, 'code', '220011'));
    expect((await open(at, at.seller, 'code')).data?.fields[0]?.value).toBe('220011');
  });

  test('a code that was read closes a minute later, and can be requested again', async () => {
    const at = await started();
    await ok(move(at, at.buyer, 'code', '417093'));
    await ok(open(at, at.seller, 'code'));
    await ok(open(at, at.seller, 'code'));
    await passTime(t.ctx.db, 'order_exchange', { order_id: at.orderId }, { seconds: 61 });
    expect((await open(at, at.seller, 'code')).code).toBe(state);
    await ok(move(at, at.seller, 'again'));
    expect((await exchangeOf(at, at.buyer)).exchange.acts).toContain('code');
  });

  test('no code arrived: the seller requests it again', async () => {
    const at = await started();
    await ok(move(at, at.buyer, 'missing'));
    expect(await exchangeOf(at, at.seller)).toMatchObject({ actor: 'seller', exchange: { isCodeMissing: true } });
  });

  test('wrong forms are refused with what to do, and change nothing', async () => {
    const at = await boundTrade(t);
    expect(await move(at, at.buyer, 'target', '123')).toMatchObject({
      code: codes.BAD_INPUT[0],
      msg: '请填写完整的新手机号',
    });
    await ok(move(at, at.buyer, 'target', NUMBER));
    await ok(move(at, at.seller, 'start'));
    expect((await move(at, at.buyer, 'code', '12')).msg).toContain('4 到 8 位');
    expect((await exchangeOf(at, at.buyer)).exchange.code).toBe('none');
  });

  test('the deadline is extended once, for both', async () => {
    const at = await boundTrade(t);
    const before = (await exchangeOf(at, at.buyer)).dueTime ?? '';
    await ok(move(at, at.seller, 'more'));
    const [buyer, seller] = [await exchangeOf(at, at.buyer), await exchangeOf(at, at.seller)];
    expect(Date.parse(buyer.dueTime ?? '') - Date.parse(before)).toBe(1_800_000);
    expect(seller.dueTime).toBe(buyer.dueTime);
    expect(await move(at, at.buyer, 'more')).toMatchObject({ code: state });
  });

  test('ten concurrent requests for more time: one counts', async () => {
    const at = await boundTrade(t);
    const answers = await Promise.all(Array.from({ length: 10 }, () => move(at, at.buyer, 'more')));
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
  });
});

describe('mode B: the buyer operates', () => {
  let b: TestApp;
  beforeAll(async () => {
    b = await testApp({ env: { DATABASE_POOL: '6' } });
    await addExchangeGame(b, 'buyer');
  });
  afterAll(async () => await b.close());

  const finish = (at: Trade) => at.buyer.client.call(c.handoverDone, { orderId: at.orderId, step, pictures: [] });

  test("the old phone's code goes from seller to buyer, who finishes", async () => {
    const at = await boundTrade(b);
    expect((await exchangeOf(at, at.buyer)).exchange.moves.map((m) => m.move)).toEqual(['start', 'code', 'finish']);
    expect((await move(at, at.buyer, 'target', NUMBER)).code).toBe(state);
    await ok(move(at, at.buyer, 'start'));
    expect(await finish(at)).toMatchObject({ msg: '对方还没有封存旧手机收到的验证码' });
    await ok(move(at, at.seller, 'code', '417093'));
    expect((await open(at, at.seller, 'code')).code).toBe(codes.ORDER_FORBIDDEN[0]);
    expect((await open(at, at.buyer, 'code')).data?.fields[0]?.value).toBe('417093');
    await ok(finish(at));
  });

  test('while the seller withholds the code, the time to look at the order releases no money', async () => {
    const at = await boundTrade(b);
    await ok(move(at, at.buyer, 'start'));
    await timeOver(b, at.orderId);
    const detail = await at.buyer.client.ok(c.orderDetail, { orderSn: at.orderSn });
    expect(detail).toMatchObject({ status: 2, deadlineText: expect.stringContaining('自动确认已停止') as string });
  });
});
