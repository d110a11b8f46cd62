/** Sealed credentials: who can open them and when, what is stored and for how long (domain.md 2). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as b from '#subjects/orders/contract/staff-orders.ts';
import { codes, type ErrorName } from '#contract/codes.ts';
import * as c from '#subjects/orders/contract/order.ts';
import { eraseEnded } from '#subjects/orders/server/service.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import {
  addCredentialGame,
  LOGIN,
  sealAndShip,
  credentialOrder,
  stepsDone,
} from '#tests/support/orders/credentials.ts';

let t: TestApp;
let staff: TestStaff;
let other: TestStaff;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '16' } });
  await addCredentialGame(t);
  staff = await t.newStaff({ role: 'service' });
  other = await t.newStaff({ role: 'service' });
});
afterAll(async () => await t.close());

const code = (name: ErrorName): number => codes[name][0];
const sealInput = (orderId: number, fields: object = LOGIN, step = 1) => ({
  orderId,
  step,
  fields: JSON.stringify(fields),
});

async function openedState(orderId: number): Promise<{ opened: boolean; byBuyer: boolean }> {
  const { rows } = await sql<{ opened: boolean; byBuyer: boolean }>`
    select credential_opened_at is not null as opened, buyer_opened_at is not null as "byBuyer" from orders where id = ${orderId}`.execute(
    t.ctx.db,
  );
  return rows[0] ?? { opened: false, byBuyer: false };
}

async function openings(orderId: number): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select opener || ' v' || version || ' ' || purpose as line from credential_opening where order_id = ${orderId} order by id`.execute(
    t.ctx.db,
  );
  return rows.map((r) => r.line);
}

describe('P9: the form has required fields, and its versions are stored as evidence', () => {
  test('required fields must be filled in, and the stored form is encrypted', async () => {
    const d = await credentialOrder(t, { staff });
    const { client } = d.seller;
    const bare = await client.call(c.sealSecret, sealInput(d.orderId, { account: 'hero' }));
    expect([bare.code, bare.msg]).toEqual([code('BAD_INPUT'), '请填写密码']);
    expect(
      (await client.call(c.sealSecret, sealInput(d.orderId, { account: 'a'.repeat(101), password: 'x' }))).code,
    ).toBe(code('BAD_INPUT'));
    expect((await d.buyer.client.call(c.sealSecret, sealInput(d.orderId))).code).toBe(code('ORDER_FORBIDDEN'));
    expect(await client.ok(c.sealSecret, sealInput(d.orderId))).toEqual({ version: 1 });
    const { rows } = await sql<{ body: Buffer; wrapped: Buffer }>`
      select c.body_enc as body, k.wrapped from sealed_credential c join order_key k using (order_id) where order_id = ${d.orderId}`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.body.includes(Buffer.from('Tiger'))).toBe(false);
    expect(rows[0]?.wrapped.length).toBeGreaterThan(32);
  });

  test('submitting the form again adds a version; an opening shows the newest, and the first is kept', async () => {
    const d = await credentialOrder(t, { staff });
    await d.seller.client.ok(c.sealSecret, sealInput(d.orderId));
    await staff.client.ok(b.staffReveal, { orderId: d.orderId, step: 1 });
    expect(
      await d.seller.client.ok(c.sealSecret, sealInput(d.orderId, { account: 'other', password: 'Replaced-2' })),
    ).toEqual({
      version: 2,
    });
    const { form } = await staff.client.ok(b.staffReveal, { orderId: d.orderId, step: 1 });
    expect(form).toMatchObject({ version: 2, count: 2 });
    expect(form?.fields.find((f) => f.key === 'password')?.value).toBe('Replaced-2');
    const isStored =
      await sql`select version from sealed_credential where order_id = ${d.orderId} and body_enc is not null order by version`.execute(
        t.ctx.db,
      );
    expect(isStored.rows).toEqual([{ version: 1 }, { version: 2 }]);
    expect(await openings(d.orderId)).toEqual([`staff:${staff.id} v1 check_login`, `staff:${staff.id} v2 check_login`]);
    const rejected = await sql`set local role youshi_app; delete from credential_opening`
      .execute(t.ctx.db)
      .catch(() => 'no');
    expect(rejected).toBe('no');
  });

  test('a step with sealed fields cannot be completed without them, and one call both seals and completes', async () => {
    const d = await credentialOrder(t, { staff });
    const bare = await d.seller.client.call(c.handoverDone, { orderId: d.orderId, step: 1 });
    expect([bare.code, bare.msg]).toEqual([code('BAD_INPUT'), '请先填写密封信息，再完成这一步']);
    const half = await d.seller.client.call(c.handoverDone, {
      orderId: d.orderId,
      step: 1,
      fields: JSON.stringify({ account: 'only' }),
    });
    expect(half.msg).toBe('请填写密码');
    expect((await d.seller.client.ok(c.orderDetail, { orderSn: d.orderSn })).handover[0]).toMatchObject({
      state: 'current',
      sealed: { sent: false },
    });
    await d.seller.client.ok(c.handoverDone, { orderId: d.orderId, step: 1, fields: JSON.stringify(LOGIN) });
    expect((await d.buyer.client.ok(c.orderDetail, { orderSn: d.orderSn })).handover[0]).toMatchObject({
      state: 'done',
      sealed: { sent: true, version: 1, canOpen: false, openReason: '客服核对登录、卖家发货后可以打开' },
    });
  });

  test('a one-time code can be read for ten minutes', async () => {
    const d = await credentialOrder(t, { staff });
    await sealAndShip(t, d);
    await d.seller.client.ok(c.sealSecret, sealInput(d.orderId, { code: '720934' }, 3));
    const first = await d.buyer.client.ok(c.revealSecret, { orderId: d.orderId, step: 3 });
    expect(first.fields).toEqual([{ key: 'code', label: '一次性验证码', value: '720934' }]);
    await passTime(t.ctx.db, 'sealed_credential', { order_id: d.orderId, step: 3 }, { minutes: 11 });
    expect((await d.buyer.client.ok(c.revealSecret, { orderId: d.orderId, step: 3 })).fields[0]?.value).toBeNull();
  });

  test('a form can be submitted 20 times, not more', async () => {
    const d = await credentialOrder(t, { staff });
    for (let i = 0; i < 20; i++) await d.seller.client.ok(c.sealSecret, sealInput(d.orderId));
    expect((await d.seller.client.call(c.sealSecret, sealInput(d.orderId))).code).toBe(code('ORDER_STATE'));
  });
});

describe('P1: staff open the form first, the buyer only after the check and after shipping', () => {
  test('the buyer cannot open the form before both', async () => {
    const d = await credentialOrder(t, { staff });
    const open = () => d.buyer.client.call(c.revealSecret, { orderId: d.orderId, step: 1 });
    expect((await open()).code).toBe(code('SEAL_NONE'));
    await d.seller.client.ok(c.sealSecret, sealInput(d.orderId));
    expect((await open()).code).toBe(code('SEAL_NOT_YET'));
    await stepsDone(t, d.orderId, 'credentials', 'check_login');
    expect((await open()).code).toBe(code('SEAL_NOT_YET'));
    expect(await openedState(d.orderId)).toEqual({ opened: false, byBuyer: false });
    await d.seller.client.ok(c.offlineTranSub, { orderId: d.orderId });
    await sql`update order_handover set done_at = null where order_id = ${d.orderId} and key = 'check_login'`.execute(
      t.ctx.db,
    );
    expect((await open()).code).toBe(code('SEAL_NOT_YET'));
    await stepsDone(t, d.orderId, 'check_login');
    const opened = await d.buyer.client.ok(c.revealSecret, { orderId: d.orderId, step: 1 });
    expect(opened.fields.map((f) => f.value)).toEqual([LOGIN.account, LOGIN.password]);
    expect(opened.watermark).toContain(d.orderSn);
    expect(Date.parse(opened.openUntil) - Date.parse(opened.openedTime)).toBe(60_000);
    expect(await openedState(d.orderId)).toEqual({ opened: true, byBuyer: true });
  });

  test('the buyer can open it again; each opening is shown to both parties and in the chat', async () => {
    const d = await credentialOrder(t, { staff });
    await sealAndShip(t, d);
    await staff.client.ok(b.staffReveal, { orderId: d.orderId, step: 1 });
    for (const count of [1, 2])
      expect(await d.buyer.client.ok(c.revealSecret, { orderId: d.orderId, step: 1 })).toMatchObject({ count });
    await t.relay();
    for (const { client } of [d.buyer, d.seller]) {
      const seen = await client.ok(c.orderDetail, { orderSn: d.orderSn });
      expect(seen.openings.map((o) => [o.name.slice(0, 2), o.purpose])).toEqual([
        ['客服', '协助交付'],
        ['买家', '接收账号'],
        ['买家', '接收账号'],
      ]);
      expect(seen.process.filter((p) => p.explain.includes('查看了密封信息'))).toHaveLength(3);
    }
    const cards = await sql`select 1 from chat_message m join chat_group g on g.id = m.group_id
      where g.order_id = ${d.orderId} and m.content->>'card' = 'order.opened'`.execute(t.ctx.db);
    expect(cards.rows).toHaveLength(3);
  });

  test('the seller cannot open the form, other users cannot find the order, and a dispute closes the form to the parties', async () => {
    const d = await credentialOrder(t, { staff });
    await sealAndShip(t, d);
    expect((await d.seller.client.call(c.revealSecret, { orderId: d.orderId, step: 1 })).code).toBe(
      code('ORDER_FORBIDDEN'),
    );
    const stranger = await t.newUser();
    expect((await stranger.client.call(c.revealSecret, { orderId: d.orderId, step: 1 })).code).toBe(
      code('ORDER_NOT_FOUND'),
    );
    await sql`update orders set disputed = true where id = ${d.orderId}`.execute(t.ctx.db);
    expect((await d.buyer.client.call(c.revealSecret, { orderId: d.orderId, step: 1 })).code).toBe(
      code('ORDER_DISPUTED'),
    );
  });

  test('an opening at the same time as a cancellation succeeds only if it comes first', async () => {
    for (let i = 0; i < 4; i++) {
      const d = await credentialOrder(t, { staff });
      await sealAndShip(t, d);
      const [opened, cancelled] = await Promise.all([
        d.buyer.client.call(c.revealSecret, { orderId: d.orderId, step: 1 }),
        d.seller.client.call(c.cancelOrder, { orderId: d.orderId }),
      ]);
      expect([0, code('ORDER_STATE')]).toContain(opened.code);
      expect(cancelled.code).toBe(0);
      // An opening that succeeded is recorded, and none succeeds after the cancellation.
      expect((await openedState(d.orderId)).byBuyer).toBe(opened.code === 0);
      expect((await d.buyer.client.call(c.revealSecret, { orderId: d.orderId, step: 1 })).code).toBe(
        code('ORDER_STATE'),
      );
    }
  });
});

describe('P10: only the assigned member of staff opens the form, above the limit after a second person', () => {
  test('a colleague or an administrator who is not assigned to the order cannot open the form', async () => {
    const d = await credentialOrder(t, { staff });
    await d.seller.client.ok(c.sealSecret, sealInput(d.orderId));
    const admin = await t.newStaff({ role: 'admin' });
    for (const { client } of [other, admin])
      expect((await client.call(b.staffReveal, { orderId: d.orderId, step: 1 })).code).toBe(code('SEAL_NOT_ASSIGNED'));
    expect(await openedState(d.orderId)).toEqual({ opened: false, byBuyer: false });
    const { form } = await staff.client.ok(b.staffReveal, { orderId: d.orderId, step: 1 });
    expect(form).toMatchObject({ purpose: '核对登录', count: 1 });
    expect(await openedState(d.orderId)).toEqual({ opened: true, byBuyer: false });
    const { rows } =
      await sql`select act from audit_log where target = ${`order:${d.orderSn}`} and act = 'order.reveal'`.execute(
        t.ctx.db,
      );
    expect(rows).toHaveLength(1);
  });

  test('above the limit a colleague must approve first, with recorded reasons; a rejected request opens nothing', async () => {
    const d = await credentialOrder(t, { staff, priceFen: 730_800 });
    const open = (reason = '') => staff.client.call(b.staffReveal, { orderId: d.orderId, step: 1, reason });
    expect((await open('核对登录')).code).toBe(code('SEAL_NONE'));
    await d.seller.client.ok(c.sealSecret, sealInput(d.orderId));
    expect((await open()).msg).toContain('写明');
    expect(await open('核对登录')).toMatchObject({ code: 0, data: { waits: true, form: null } });
    expect((await open('核对登录')).code).toBe(code('SECOND_PERSON'));
    const second = { orderId: d.orderId, reason: '已看订单' };
    expect((await staff.client.call(b.staffRevealSecond, { ...second, decision: 'allow' })).code).toBe(
      code('SECOND_PERSON'),
    );
    const listed = await other.client.ok(b.staffOrderList, { second: '1' });
    expect(listed.list.map((o) => o.orderSn)).toContain(d.orderSn);
    expect((await other.client.ok(b.staffOrderDetail, { orderSn: d.orderSn })).sealAccess).toMatchObject({
      isMine: false,
      needsSecond: true,
      asked: { reason: '核对登录', isMine: false },
    });
    await other.client.ok(b.staffRevealSecond, { ...second, decision: 'refuse' });
    expect(await open('再次核对')).toMatchObject({ code: 0, data: { waits: true } });
    expect(await openedState(d.orderId)).toEqual({ opened: false, byBuyer: false });
    await other.client.ok(b.staffRevealSecond, { ...second, decision: 'allow' });
    expect((await open()).code).toBe(0);
    expect((await other.client.call(b.staffReveal, { orderId: d.orderId, step: 1 })).code).toBe(
      code('SEAL_NOT_ASSIGNED'),
    );
    const { rows } = await sql<{
      act: string;
    }>`select act from audit_log where target = ${`order:${d.orderSn}`} order by id`.execute(t.ctx.db);
    expect(rows.map((r) => r.act)).toEqual([
      'order.open.ask',
      'order.open.refuse',
      'order.open.ask',
      'order.open',
      'order.reveal',
    ]);
    await passTime(t.ctx.db, 'approval', { act: 'order.open', status: 'allowed' }, { hours: 25 });
    expect(await open('第三次')).toMatchObject({ code: 0, data: { waits: true } });
  });

  test('staff assigned to an open dispute can open the form; after the order ends no staff can', async () => {
    const d = await credentialOrder(t, { staff });
    await sealAndShip(t, d);
    await sql`insert into dispute (sn, dist_id, order_id, opener_id, opener_belong, reason_code, want, staff_id, first_look_by)
      values (${`D${d.orderId}`}, 1, ${d.orderId}, ${d.buyer.id}, 0, 'not_as_described', 'refund', ${other.id}, now())`.execute(
      t.ctx.db,
    );
    const { form } = await other.client.ok(b.staffReveal, { orderId: d.orderId, step: 1 });
    expect(form?.purpose).toBe('申诉取证');
    await sql`update dispute set status = 'closed', outcome = 'withdrawn', closed_at = now() where order_id = ${d.orderId}`.execute(
      t.ctx.db,
    );
    await d.seller.client.ok(c.cancelOrder, { orderId: d.orderId });
    expect((await other.client.call(b.staffReveal, { orderId: d.orderId, step: 1 })).code).toBe(
      code('SEAL_NOT_ASSIGNED'),
    );
    expect((await staff.client.call(b.staffReveal, { orderId: d.orderId, step: 1 })).code).toBe(code('ORDER_STATE'));
  });
});

describe('P9: a booster opens the form that the buyer submitted', () => {
  test('only while the order is open, and the buyer cannot open it', async () => {
    const d = await credentialOrder(t, { staff, typeId: 60 });
    expect((await d.seller.client.call(c.sealSecret, sealInput(d.orderId))).code).toBe(code('ORDER_FORBIDDEN'));
    await d.buyer.client.ok(c.sealSecret, sealInput(d.orderId));
    const opened = await d.seller.client.ok(c.revealSecret, { orderId: d.orderId, step: 1 });
    expect(opened.fields.map((f) => f.value)).toEqual([LOGIN.account, LOGIN.password]);
    expect((await d.buyer.client.call(c.revealSecret, { orderId: d.orderId, step: 1 })).code).toBe(
      code('ORDER_FORBIDDEN'),
    );
    expect((await d.buyer.client.ok(c.orderDetail, { orderSn: d.orderSn })).openings).toMatchObject([
      { name: '打手', purpose: '代练上号', mine: false },
    ]);
    await d.seller.client.ok(c.cancelOrder, { orderId: d.orderId });
    expect((await d.seller.client.call(c.revealSecret, { orderId: d.orderId, step: 1 })).code).toBe(
      code('ORDER_STATE'),
    );
  });
});

describe('P9: forms are stored until hold, dispute and cover have ended', () => {
  const isStored = async (orderId: number): Promise<boolean> => {
    const { rows } = await sql<{ kept: boolean }>`
      select bool_and(c.body_enc is not null) and bool_and(k.wrapped is not null) as kept
      from sealed_credential c join order_key k using (order_id) where order_id = ${orderId}`.execute(t.ctx.db);
    return rows[0]?.kept ?? false;
  };

  test('a completed order keeps them during the hold, a dispute or the cover; then all versions are erased with their key', async () => {
    const d = await credentialOrder(t, { staff });
    await d.seller.client.ok(c.sealSecret, sealInput(d.orderId));
    await sealAndShip(t, d);
    await stepsDone(t, d.orderId, 'phone', 'realname');
    await d.buyer.client.ok(c.confirmRecGoods, { orderId: d.orderId });
    await t.relay();
    const after = async (change: ReturnType<typeof sql>): Promise<boolean> => {
      await change.execute(t.ctx.db);
      await eraseEnded(t.ctx);
      return await isStored(d.orderId);
    };
    expect(await after(sql`select 1`)).toBe(true);
    // A21: who received an account still reads its log-in.
    const [form] = (await d.buyer.client.ok(c.orderDetail, { orderSn: d.orderSn })).handover;
    expect(form?.sealed).toMatchObject({ canOpen: true, openReason: null });
    await d.buyer.client.ok(c.revealSecret, { orderId: d.orderId, step: 1 });
    await sql`insert into dispute (sn, dist_id, order_id, opener_id, opener_belong, reason_code, want, first_look_by)
      values (${`D${d.orderId}`}, 1, ${d.orderId}, ${d.buyer.id}, 0, 'not_as_described', 'refund', now())`.execute(
      t.ctx.db,
    );
    expect(await after(sql`update hold set released_at = now() where ref = ${String(d.orderId)}`)).toBe(true);
    await sql`insert into guarantee_cover (dist_id, tier_id, kind, order_id, holder_id, price_fen, premium_fen, payout_max_fen, terms, status, starts_at)
      select 1, min(id), 'ensure', ${d.orderId}, ${d.buyer.id}, 10000, 100, 10000, '{}', 'active', now() from guarantee_tier`.execute(
      t.ctx.db,
    );
    expect(
      await after(
        sql`update dispute set status = 'closed', outcome = 'withdrawn', closed_at = now() where order_id = ${d.orderId}`,
      ),
    ).toBe(true);
    expect(await after(sql`update guarantee_cover set status = 'claimed' where order_id = ${d.orderId}`)).toBe(true);
    expect(
      await after(sql`update guarantee_cover set status = 'ended', ends_at = now() where order_id = ${d.orderId}`),
    ).toBe(false);
    const { rows } =
      await sql`select 1 from sealed_credential where order_id = ${d.orderId} and body_enc is not null`.execute(
        t.ctx.db,
      );
    expect(rows).toEqual([]);
    expect((await d.seller.client.ok(c.orderDetail, { orderSn: d.orderSn })).handover[0]?.sealed?.erased).toBe(true);
  });

  test('the sweep erases the forms of a cancelled order, not those of an open order', async () => {
    const [running, ended] = [await credentialOrder(t, { staff }), await credentialOrder(t, { staff })];
    for (const d of [running, ended]) await d.seller.client.ok(c.sealSecret, sealInput(d.orderId));
    await ended.seller.client.ok(c.cancelOrder, { orderId: ended.orderId });
    await t.relay();
    expect(await isStored(ended.orderId)).toBe(true);
    await makeDue(t.ctx.db, 'credential.sweep');
    await t.timers();
    expect([await isStored(ended.orderId), await isStored(running.orderId)]).toEqual([false, true]);
  });
});

describe('the steps depend on the attributes of the listing', () => {
  const view = async (overrides: Parameters<typeof credentialOrder>[1]) => {
    const d = await credentialOrder(t, { staff, ...overrides });
    const { handover, ruledOut } = await d.buyer.client.ok(c.orderDetail, { orderSn: d.orderSn });
    return { steps: handover.map((s) => `${s.step} ${s.key}`), ruledOut };
  };

  test('a binding that is missing or cannot be changed has no step, and the reason is shown', async () => {
    expect(await view({ attrs: { phone_bind: 3, second_realname: false } })).toEqual({
      steps: ['1 credentials', '2 check_login'],
      ruledOut: [
        { afterStep: 2, key: 'phone', title: '换绑手机', reason: '商品标明手机不可换绑' },
        { afterStep: 2, key: 'realname', title: '二次实名', reason: '商品标明不可二次实名' },
      ],
    });
    expect((await view({ attrs: { phone_bind: 2, second_realname: true } })).ruledOut).toEqual([]);
  });

  test('an inspection’s readings take precedence over what the seller states', async () => {
    expect((await view({ attrs: { phone_bind: 2 }, readings: { phone_bind: '未绑定' } })).ruledOut).toEqual([
      { afterStep: 2, key: 'phone', title: '换绑手机', reason: '验号显示手机未绑定' },
    ]);
    expect((await view({ attrs: { phone_bind: 1 }, readings: { phone_bind: '可换绑' } })).steps).toContain('3 phone');
  });
});
