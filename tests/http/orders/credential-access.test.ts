/** Access to a sealed form, cell by cell of the access table; the checked version is the delivered one. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as b from '#subjects/orders/contract/staff-orders.ts';
import { codes, type ErrorName } from '#contract/codes.ts';
import * as c from '#subjects/orders/contract/order.ts';
import { type OpeningPurpose, openingPurposes } from '#subjects/orders/rules/sealed-fields.ts';
import { ACCESS, exchangeAccessOf, type FormKind, type OpeningRole } from '#subjects/orders/server/handover/access.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import {
  addCredentialGame,
  LOGIN,
  sealAndShip,
  type CredentialOrder,
  credentialOrder,
  stepsDone,
} from '#tests/support/orders/credentials.ts';
import { databaseOf, superuserClient } from '#tests/support/database/database.ts';
import { staffPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;
let staff: TestStaff;
let judge: TestStaff;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '16' } });
  await addCredentialGame(t);
  staff = await t.newStaff({ role: 'service' });
  judge = await t.newStaff({ role: 'service' });
});
afterAll(async () => await t.close());

const REPLACED = { account: LOGIN.account, password: 'Replaced-2' };
const seal = (d: CredentialOrder, fields: object = LOGIN, step = 1) => ({
  orderId: d.orderId,
  step,
  fields: JSON.stringify(fields),
});
const code = (name: ErrorName): number => codes[name][0];

describe('A10: one table says who opens a form', () => {
  type Cell = OpeningPurpose | ErrorName;
  type StepForm = Exclude<FormKind, 'exchangedByBuyer' | 'exchangedBySeller'>;
  type Line = readonly [buyer: Cell, seller: Cell, staff: Cell];
  const [NEVER, OVER, NOT_YET] = ['ORDER_FORBIDDEN', 'ORDER_STATE', 'SEAL_NOT_YET'] as const;
  const sold: Readonly<Record<string, Line>> = {
    unpaid: [OVER, NEVER, OVER],
    unchecked: [NOT_YET, NEVER, 'check_login'],
    checked: [NOT_YET, NEVER, 'assist'],
    shipped: ['accept', NEVER, 'assist'],
    checkedAgain: [NOT_YET, NEVER, 'check_login'],
    disputed: ['ORDER_DISPUTED', NEVER, 'assist'],
    completed: ['accept', NEVER, OVER],
    completedDisputed: ['ORDER_DISPUTED', NEVER, OVER],
    cancelled: [OVER, NEVER, OVER],
  };
  const forStaff = (line: Line): Line => [NEVER, NEVER, line[2]];
  const EXPECTED: Readonly<Record<StepForm, Readonly<Record<string, Line>>>> = {
    sold,
    recycled: { ...sold, completedDisputed: ['accept', NEVER, OVER] },
    boosted: {
      unpaid: [NEVER, OVER, OVER],
      unaccepted: [NEVER, 'SEAL_NOT_ACCEPTED', 'assist'],
      working: [NEVER, 'boost', 'assist'],
      paused: [NEVER, 'SEAL_PAUSED', 'assist'],
      shipped: [NEVER, 'SEAL_DELIVERED', 'assist'],
      disputed: [NEVER, 'ORDER_DISPUTED', 'assist'],
      completed: [NEVER, OVER, OVER],
      completedDisputed: [NEVER, OVER, OVER],
      cancelled: [NEVER, OVER, OVER],
    },
    other: Object.fromEntries(Object.entries(sold).map(([state, line]) => [state, forStaff(line)])),
  };
  const STATUS: Readonly<Record<string, number>> = {
    unpaid: 0,
    shipped: 2,
    checkedAgain: 2,
    completed: 3,
    completedDisputed: 3,
    cancelled: 8,
  };
  const TYPES: Readonly<Record<StepForm, number>> = { sold: 1, recycled: 52, boosted: 60, other: 1 };

  /** Brings an order into a state as its tables hold it; the triggers of the transitions are not part of this test. */
  async function bring(client: Awaited<ReturnType<typeof superuserClient>>, orderId: number, state: string) {
    const isDone = !['unchecked', 'checkedAgain'].includes(state);
    await client.query(
      `update orders set status = $2, disputed = $3, shut_at = case when $4 then now() end,
         touched_at = case when $5 then null else now() end, snapshot = snapshot || jsonb_build_object('service', type_id = 60) where id = $1`,
      [orderId, STATUS[state] ?? 1, /[dD]isputed/.test(state), state === 'paused', state === 'unaccepted'],
    );
    await client.query(
      `update order_handover set done_at = case when $2 then now() end where order_id = $1 and key = 'check_login'`,
      [orderId, isDone],
    );
  }

  async function attempt(d: CredentialOrder, role: OpeningRole): Promise<string> {
    const input = { orderId: d.orderId, step: 1 };
    const isParty = role === 'buyer' || role === 'seller';
    const response = isParty
      ? await d[role].client.call(c.revealSecret, input)
      : await (role === 'staff' ? staff : judge).client.call(b.staffReveal, input);
    if (response.code !== 0) return Object.entries(codes).find(([, [n]]) => n === response.code)?.[0] ?? response.msg;
    const { data } = response;
    const form = data && 'form' in data ? data.form : data;
    return Object.entries(openingPurposes).find(([, name]) => name === form?.purpose)?.[0] ?? 'unknown';
  }

  test.each(Object.keys(TYPES) as StepForm[])('every cell for a form of kind %s', async (kind) => {
    expect(Object.keys(EXPECTED[kind])).toEqual(Object.keys(ACCESS[kind]));
    const d = await credentialOrder(t, { staff, typeId: TYPES[kind] });
    await d[kind === 'boosted' ? 'buyer' : 'seller'].client.ok(c.sealSecret, seal(d));
    await sql`insert into dispute (sn, dist_id, order_id, opener_id, opener_belong, reason_code, want, staff_id, first_look_by)
      values (${`D${d.orderId}`}, 1, ${d.orderId}, ${d.buyer.id}, 0, 'not_as_described', 'refund', ${judge.id}, now())`.execute(
      t.ctx.db,
    );
    const client = await superuserClient(databaseOf(t.ctx));
    try {
      await client.query('set session_replication_role = replica');
      if (kind === 'other')
        await client.query('update sealed_credential set from_user = $2 where order_id = $1', [d.orderId, d.buyer.id]);
      for (const [state, line] of Object.entries(EXPECTED[kind])) {
        await bring(client, d.orderId, state);
        const found = [];
        for (const role of ['buyer', 'seller', 'staff', 'judge'] as const) found.push(await attempt(d, role));
        expect([state, ...found]).toEqual([state, ...line, 'dispute']);
      }
    } finally {
      await client.end();
    }
  });
});

test('every cell for values that the parties pass to each other: only the other party, only in the current step', () => {
  const ROLES = ['buyer', 'seller', 'staff', 'judge', 'taker'] as const;
  const STATES = {
    current: { isCurrent: true, disputed: false },
    disputed: { isCurrent: true, disputed: true },
    past: { isCurrent: false, disputed: false },
  };
  const NEVER = 'ORDER_FORBIDDEN';
  for (const from of ['buyer', 'seller'] as const) {
    const to = from === 'buyer' ? 'seller' : 'buyer';
    for (const [state, cell] of Object.entries({ current: 'bind', disputed: 'ORDER_DISPUTED', past: 'ORDER_STATE' })) {
      const found = ROLES.map((role) => {
        const access = exchangeAccessOf(STATES[state as keyof typeof STATES], role, from);
        return 'purpose' in access ? access.purpose : access.closed;
      });
      expect([from, state, ...found]).toEqual([from, state, ...ROLES.map((role) => (role === to ? cell : NEVER))]);
    }
  }
});

test('the staff member who takes over for the platform opens a recycled form only between the settlement and a case', () => {
  const cells = Object.entries(ACCESS).flatMap(([kind, states]) =>
    Object.entries(states).map(([state, { taker }]) => [`${kind} ${state}`, taker] as const),
  );
  expect(cells.filter(([, taker]) => taker !== 'ORDER_FORBIDDEN')).toEqual([['recycled completed', 'accept']]);
});

describe('A2: what staff checked is what the buyer receives', () => {
  const check = async (d: CredentialOrder) =>
    await staff.client.call(b.staffHandoverDone, {
      orderId: d.orderId,
      step: 2,
      pictures: [await staffPicture(staff)],
    });
  const steps = async (d: CredentialOrder) =>
    (await d.seller.client.ok(c.orderDetail, { orderSn: d.orderSn })).handover.map(
      ({ key, state }) => `${key} ${state}`,
    );
  const open = async (d: CredentialOrder) => await staff.client.ok(b.staffReveal, { orderId: d.orderId, step: 1 });

  /** Another step of the seller before the shipping, as accounts of real games have it: the check alone ships nothing. */
  const keepPaid = async ({ orderId }: CredentialOrder) =>
    await sql`insert into order_handover (order_id, step, key, title, actor, minutes, required, before_ship, evidence, secret, explain)
      values (${orderId}, 9, 'old_devices', '卖家解除旧设备', 'seller', 10, true, true, false, false, '移除旧设备')`.execute(
      t.ctx.db,
    );

  test('a version after the check opens the check again, and staff check the newest', async () => {
    const d = await credentialOrder(t, { staff });
    await keepPaid(d);
    await d.seller.client.ok(c.handoverDone, seal(d));
    const unread = await check(d);
    expect([unread.code, unread.msg]).toEqual([
      code('ORDER_STATE'),
      '请先打开「提交账号资料」最新一版密封信息，登录核对后再完成这一步',
    ]);
    await open(d);
    expect((await check(d)).code).toBe(0);
    expect((await steps(d))[1]).toBe('check_login done');
    expect(await d.seller.client.ok(c.sealSecret, seal(d, REPLACED))).toEqual({ version: 2 });
    expect((await steps(d))[1]).toBe('check_login current');
    expect((await d.seller.client.call(c.offlineTranSub, { orderId: d.orderId })).code).toBe(
      code('ORDER_HANDOVER_OPEN'),
    );
    // The version that staff read before does not count for the new one.
    expect((await check(d)).code).toBe(code('ORDER_STATE'));
    await open(d);
    expect((await check(d)).code).toBe(0);
    await d.seller.client.ok(c.handoverDone, { orderId: d.orderId, step: 9 });
    const { fields } = await d.buyer.client.ok(c.revealSecret, { orderId: d.orderId, step: 1 });
    expect(fields.map((f) => f.value)).toEqual([REPLACED.account, REPLACED.password]);
  });

  test('after shipping a version is refused until staff ask for it; then nobody receives it unchecked', async () => {
    const d = await credentialOrder(t, { staff });
    await sealAndShip(t, d);
    const refused = await d.seller.client.call(c.sealSecret, seal(d, REPLACED));
    expect([refused.code, refused.msg]).toEqual([
      code('ORDER_STATE'),
      '客服核对过的账号资料已交付买家，不能再改；资料有误请在交易群里联系客服，由客服要求重新提交',
    ]);
    const { handover } = await d.seller.client.ok(c.orderDetail, { orderSn: d.orderSn });
    expect(handover[0]?.sealed?.canSend).toBe(false);
    const again = { orderId: d.orderId, step: 1, reason: '买家登录不上' };
    expect((await judge.client.call(b.staffSealAgain, again)).code).toBe(code('ORDER_NOT_ASSIGNED'));
    await staff.client.ok(b.staffSealAgain, again);
    expect((await staff.client.call(b.staffSealAgain, again)).code).toBe(code('ORDER_STATE'));
    await d.seller.client.ok(c.sealSecret, seal(d, REPLACED));
    const reveal = () => d.buyer.client.call(c.revealSecret, { orderId: d.orderId, step: 1 });
    expect((await reveal()).code).toBe(code('SEAL_NOT_YET'));
    await stepsDone(t, d.orderId, 'phone', 'realname');
    expect((await d.buyer.client.call(c.confirmRecGoods, { orderId: d.orderId })).code).toBe(
      code('ORDER_HANDOVER_OPEN'),
    );
    await open(d);
    expect((await check(d)).code).toBe(0);
    expect((await reveal()).data?.fields.map((f) => f.value)).toEqual([REPLACED.account, REPLACED.password]);
  });

  test('a one-time code of a later step does not open the check', async () => {
    const d = await credentialOrder(t, { staff });
    await sealAndShip(t, d);
    await d.seller.client.ok(c.sealSecret, seal(d, { code: '720934' }, 3));
    expect((await steps(d))[1]).toBe('check_login done');
  });

  test('an account that goes to a recycler cannot be replaced after its inspection', async () => {
    const d = await credentialOrder(t, { staff, typeId: 52 });
    await d.seller.client.ok(c.sealSecret, seal(d));
    await stepsDone(t, d.orderId, 'seal', 'check_login');
    const refused = await d.seller.client.call(c.sealSecret, seal(d, REPLACED));
    expect([refused.code, refused.msg]).toEqual([
      code('ORDER_STATE'),
      '账号已经验过，密封信息不能再改；账号有变化请联系客服',
    ]);
    const again = { orderId: d.orderId, step: 1, reason: '密码已变' };
    expect((await staff.client.call(b.staffSealAgain, again)).code).toBe(code('ORDER_STATE'));
  });

  test('a check concurrent with a new version counts for the newest version only', async () => {
    for (let i = 0; i < 4; i++) {
      const d = await credentialOrder(t, { staff });
      await keepPaid(d);
      await d.seller.client.ok(c.handoverDone, seal(d));
      await open(d);
      const picture = await staffPicture(staff);
      await Promise.all([
        d.seller.client.ok(c.sealSecret, seal(d, REPLACED)),
        staff.client.call(b.staffHandoverDone, { orderId: d.orderId, step: 2, pictures: [picture] }),
      ]);
      expect((await steps(d))[1]).toBe('check_login current');
    }
  });
});
