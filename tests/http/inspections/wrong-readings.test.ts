/** Readings that prove wrong, the worked examples of inspections, and attempts to profit from them (decision 293). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeAccountCheck } from '#subjects/accounts/contract/email-and-closing.ts';
import * as c from '#subjects/inspections/contract/inspection.ts';
import { confirmRecGoods, offlineTranSub, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { wrongPaysFen } from '#subjects/inspections/server/rules.ts';
import type { TestStaff, TestUser } from '#tests/support/servers/build.ts';
import { type Inspections, openInspections, type Shelf } from '#tests/support/services/inspections.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { Book, example } from '#tests/support/market/ledger-book.ts';
import { userPicture } from '#tests/support/orders/orders.ts';

let m: Inspections;
let finance: TestStaff;

beforeAll(async () => {
  m = await openInspections();
  finance = await m.t.newStaff({ role: 'finance' });
});
afterAll(async () => await m.close());

/** Sells a listing, received unless `open`. */
async function sell(goods: Shelf, buyer: TestUser): Promise<number> {
  const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId });
  await goods.seller.client.ok(offlineTranSub, { orderId });
  await buyer.client.ok(confirmRecGoods, { orderId });
  return orderId;
}

const claim = async (buyer: TestUser, orderId: number, input: object = {}) =>
  await buyer.client.call(c.inspectionWrong, {
    orderId,
    field: 'skins',
    found: '只有 280 款',
    pictures: [await userPicture(buyer)] as never,
    ...input,
  });

async function bought(
  priceFen = 200_000,
): Promise<{ goods: Shelf & { taskId: number }; buyer: TestUser; orderId: number }> {
  const goods = await m.inspected(1, { priceFen });
  const buyer = await m.t.newUser({ balanceFen: priceFen * 2 });
  return { goods, buyer, orderId: await sell(goods, buyer) };
}

const propose = (claimId: number, who = finance, pay = 1) =>
  who.client.call(c.staffWrongDecide, { claimId, pay: pay as 1, note: '截图与验号结果不符' });
async function second(claimId: number, who: TestStaff): Promise<{ code: number }> {
  const { list } = await who.client.ok(c.staffWrongReadings, {});
  const draftId = list.find((k) => k.claimId === claimId)?.draft?.draftId ?? 1;
  return await who.client.call(c.staffWrongSecond, { claimId, draftId, allow: 1 });
}

test.each([
  [200_000, 10_000],
  [100_000, 5000],
  [20_000, 5000],
  [3000, 3000],
])('a price of %i fen pays %i', (priceFen, fen) => {
  expect(wrongPaysFen(priceFen, { wrongBp: 500, wrongMinFen: 5000 })).toBe(fen);
});

describe('a wrong reading', () => {
  test('is paid by two persons who did not read it, once, and becomes the seller’s debt', async () => {
    const { goods, buyer, orderId } = await bought();
    const { orders } = await buyer.client.ok(c.inspectionList, {});
    expect(orders).toMatchObject([{ orderId, amount: '100.00' }]);
    const [before, fund] = [await m.available(buyer), await m.fund()];
    const made = await claim(buyer, orderId);
    expect(made.code, made.msg).toBe(0);
    const { claimId } = made.data as { claimId: number };
    // Neither the inspector nor the person who proposed the payment can approve it.
    expect((await propose(claimId, m.kefu)).code).not.toBe(0);
    expect((await propose(claimId)).code).toBe(0);
    expect((await second(claimId, finance)).code).not.toBe(0);
    expect((await second(claimId, m.kefu)).code).not.toBe(0);
    expect(await m.available(buyer)).toBe(before);
    const answers = await Promise.all([second(claimId, m.second), second(claimId, m.third)]);
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(await m.available(buyer)).toBe(before + 10_000);
    expect(await m.fund()).toBe(fund - 10_000);
    const { rows } = await sql<{ code: string; fen: number }>`
      select code, amount_fen as fen from debt where debtor_user = ${goods.seller.id}`.execute(m.t.ctx.db);
    expect(rows).toEqual([{ code: 'reading', fen: 10_000 }]);
    expect((await claim(buyer, orderId)).code).not.toBe(0);
    expect((await propose(claimId)).code).not.toBe(0);
  });

  test('is rejected by one person with a reason', async () => {
    const { buyer, orderId } = await bought();
    const { claimId } = (await claim(buyer, orderId)).data as { claimId: number };
    const before = await m.available(buyer);
    expect((await propose(claimId, finance, 0)).code).toBe(0);
    expect((await propose(claimId)).code).not.toBe(0);
    expect(await m.available(buyer)).toBe(before);
    const { claims } = await buyer.client.ok(c.inspectionList, {});
    expect(claims).toMatchObject([{ statusName: '未通过', note: '截图与验号结果不符' }]);
  });

  test('requires a reading of this order, pictures, and differing values', async () => {
    const { goods, buyer, orderId } = await bought();
    expect(await claim(buyer, orderId, { field: 'nothing' })).toMatchObject({ field: 'field' });
    expect(await claim(buyer, orderId, { pictures: [] })).toMatchObject({ field: 'pictures' });
    expect((await claim(goods.seller, orderId)).code).not.toBe(0);
    const plain = await m.shelf();
    const other = await m.t.newUser({ balanceFen: 200_000 });
    expect((await claim(other, await sell(plain, other))).msg).toContain('不能就验号结果');
  });
});

/** Changes the setting of inspections from now on. */
async function setInspection(change: object): Promise<void> {
  await sql`insert into setting (key, version, value) select key, version + 1, value || ${JSON.stringify(change)}::jsonb from setting
    where key = 'inspection' order by version desc limit 1`.execute(m.t.ctx.db);
  await m.t.ctx.dir.reload();
}

describe('a seller who was paid', () => {
  const unmet = async (seller: TestUser) =>
    (await seller.client.ok(closeAccountCheck, {})).conditions.filter(({ met }) => !met).map(({ text }) => text);
  const READINGS = '售出的已验号账号已过验号理赔期，没有处理中的验号理赔';

  test('cannot close the account while a reading can be disputed, is disputed, or is owed', async () => {
    const { goods, buyer, orderId } = await bought();
    expect(await unmet(goods.seller)).toContain(READINGS);
    const { claimId } = (await claim(buyer, orderId)).data as { claimId: number };
    await passTime(m.t.ctx.db, 'orders', { id: orderId }, { days: 9 });
    expect(await unmet(goods.seller)).toContain(READINGS);
    expect(await unmet(buyer)).toContain(READINGS);
    expect((await propose(claimId)).code).toBe(0);
    expect((await second(claimId, m.second)).code).toBe(0);
    expect(await unmet(goods.seller)).not.toContain(READINGS);
    expect(await unmet(goods.seller)).toContain('没有未还清的欠款');
  });

  test('can close the account after the time for claims', async () => {
    const { goods, orderId } = await bought();
    expect(await unmet(goods.seller)).toContain(READINGS);
    await passTime(m.t.ctx.db, 'orders', { id: orderId }, { days: 8 });
    expect(await unmet(goods.seller)).not.toContain(READINGS);
  });
});

describe('with the settings at 0', () => {
  test('a re-inspection is free, and no claims on readings are taken', async () => {
    const { buyer, orderId } = await bought();
    const goods = await m.inspected(8);
    await setInspection({ feeFen: 0, wrongBp: 0, wrongMinFen: 0 });
    try {
      expect((await claim(buyer, orderId)).msg).toContain('暂不受理');
      expect((await buyer.client.ok(c.inspectionList, {})).orders).toEqual([]);
      const poor = await m.t.newUser({ stepUp: true });
      const taskId = await m.again(goods, poor);
      expect(await m.read(taskId, { skins: 280, clean: true }, m.second)).toEqual({ status: 'done', differs: 1 });
      expect(await m.available(poor)).toBe(0);
    } finally {
      await setInspection({ feeFen: 990, wrongBp: 500, wrongMinFen: 5000 });
    }
  });
});

describe('no one gains', () => {
  test('a seller who changes the listing after the inspection loses its mark', async () => {
    const goods = await m.inspected(1);
    await sql`update goods set attrs = '{"skins": 900, "clean": true}' where id = ${goods.id}`.execute(m.t.ctx.db);
    const buyer = await m.t.newUser({ balanceFen: 500_000 });
    const orderId = await sell(goods, buyer);
    expect((await claim(buyer, orderId)).msg).toContain('不能就验号结果');
  });

  test('colluding buyer and seller gain nothing: the seller owes what the buyer gets', async () => {
    const goods = await m.inspected(1, { priceFen: 20_000 });
    const buyer = await m.t.newUser({ balanceFen: 100_000 });
    const both = async () => (await m.available(buyer)) + (await m.available(goods.seller));
    const before = await both();
    const orderId = await sell(goods, buyer);
    const { claimId } = (await claim(buyer, orderId)).data as { claimId: number };
    await propose(claimId);
    expect((await second(claimId, m.second)).code).toBe(0);
    await sql`update hold set release_at = now() - interval '1 second' where ref = ${String(orderId)}`.execute(
      m.t.ctx.db,
    );
    await sql`update timer set due_at = now() - interval '1 second' where kind = 'hold.release'`.execute(m.t.ctx.db);
    await m.t.timers();
    const { rows } = await sql<{ open: boolean }>`
      select settled_at is null as open from debt where debtor_user = ${goods.seller.id}`.execute(m.t.ctx.db);
    expect(rows).toEqual([{ open: false }]);
    expect(await both()).toBeLessThan(before);
  });

  test('one person with two accounts can neither claim nor have it read again', async () => {
    const goods = await m.inspected(8);
    const buyer = await m.t.newUser({ balanceFen: 500_000 });
    const link = sql`insert into user_browser (user_id, browser_hash) select x, decode('aa01', 'hex') from unnest(${[buyer.id, goods.seller.id]}::bigint[]) x`;
    await link.execute(m.t.ctx.db);
    expect((await buyer.client.call(c.inspectionAgain, { goodsSn: goods.sn })).msg).toContain('关联');
    expect((await claim(buyer, await sell(goods, buyer))).msg).toContain('不能就验号结果');
  });

  test('staff who share a browser with the seller can neither read nor confirm', async () => {
    const goods = await m.shelf();
    const id = await m.ask(goods);
    await sql`insert into user_browser (user_id, browser_hash) values (${goods.seller.id}, decode('bb02', 'hex'))`.execute(
      m.t.ctx.db,
    );
    await sql`insert into staff_browser (staff_id, browser_hash) values (${m.second.id}, decode('bb02', 'hex'))`.execute(
      m.t.ctx.db,
    );
    expect((await m.claim(id, m.second)).msg).toContain('交给同事');
    await sql`delete from staff_browser where staff_id = ${m.second.id}`.execute(m.t.ctx.db);
    await m.read(id);
  });

  test('repeated requests are limited per day', async () => {
    const buyer = await m.t.newUser({ balanceFen: 100_000 });
    for (let i = 0; i < 3; i++) await buyer.client.ok(c.inspectionAgain, { goodsSn: (await m.inspected()).sn });
    const more = await buyer.client.call(c.inspectionAgain, { goodsSn: (await m.inspected()).sn });
    expect(more.msg).toContain('每天最多');
  });

  test('the fund pays both only with two persons', async () => {
    const post = (code: string) => sql`
      select ledger_post(${JSON.stringify([{ code, ref: 'inspection:424242', debit: 'platform:guarantee_fund:1', credit: 'user:1:available', fen: 990, dist: 1 }])}::jsonb)`;
    for (const code of ['inspection_repaid', 'inspection_wrong'])
      await expect(post(code).execute(m.t.ctx.db)).rejects.toThrow(/approved by two staff members/);
  });
});

describe('the worked examples of docs/LEDGER.md', () => {
  let book: Book;
  const agrees = async (heading: string): Promise<void> =>
    expect(await book.lines(), heading).toEqual(example(heading));

  /** A re-inspection that a book writes down; `found` null is not read. */
  async function reinspection(found: object | null): Promise<void> {
    const goods = await m.inspected();
    const buyer = await m.t.newUser({ balanceFen: 10_000 });
    book = new Book(m.t);
    book.name('buyer', buyer);
    await book.open();
    const id = await m.again(goods, buyer);
    if (found === null) await m.due(id);
    else if ((await m.read(id, found, m.second)).status === 'review')
      await m.third.client.ok(c.staffInspectionSecond, { taskId: id, act: 'repay', allow: 1 });
  }

  test('re-inspections', async () => {
    await reinspection({ skins: 300, clean: true });
    await agrees('A re-inspection that agrees');
    await reinspection({ skins: 200, clean: true });
    await agrees('A re-inspection that differs');
    await reinspection(null);
    await agrees('A re-inspection that is not done');
  });

  test('a wrong reading', async () => {
    const { goods, buyer, orderId } = await bought();
    await m.t.fund(goods.seller.id, 50_000);
    book = new Book(m.t);
    book.name('buyer', buyer);
    book.name('seller', goods.seller);
    await book.open();
    const { claimId } = (await claim(buyer, orderId)).data as { claimId: number };
    await propose(claimId);
    expect((await second(claimId, m.second)).code).toBe(0);
    await agrees('A wrong reading');
  });
});
