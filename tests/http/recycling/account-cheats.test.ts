import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as c from '#subjects/recycling/contract/account-recycling.ts';
import {
  staffDisputeDetail,
  staffDisputeRule,
  staffDisputeSecond,
} from '#subjects/disputes/contract/staff-disputes.ts';
import { codes } from '#contract/codes.ts';
import { answerDispute, openDispute } from '#subjects/disputes/contract/dispute.ts';
import { sealSecret } from '#subjects/orders/contract/handover.ts';
import { onDue } from '#subjects/recycling/server/accounts/clock.ts';
import { MIN_FLOOR_FEN } from '#subjects/valuation/server/service.ts';
import { platformSpent } from '#subjects/recycling/server/accounts/rows.ts';
import { yuanText } from '#contract/wire.ts';
import { asSuperuser, databaseOf } from '#tests/support/database/database.ts';
import { AT_ONCE } from '#tests/support/orders/races.ts';
import { staffPicture } from '#tests/support/orders/orders.ts';
import { openRecycling, type Recycling, SAID, type Sold } from '#tests/support/services/recycling.ts';
import { putSetting } from '#tests/support/market/settings.ts';
import { fenOf } from '#web/lib/format/format.ts';

let m: Recycling;
beforeAll(async () => {
  m = await openRecycling();
});
afterAll(() => m.close());

const START = 1_000_000;
const FEE = 700;
/** The setting that a new market has (db/migrations/0001_baseline.sql). */
const HANDLING_BP = 800;
const accept = (q: { seller: Sold['seller']; sn: string }, price = '700.00') =>
  q.seller.client.call(c.recycleAccept, { requestSn: q.sn, price });
const ended = async ({ sn }: { sn: string }): Promise<string> => {
  const { rows } = await sql<{ status: string }>`select status from recycle_request where sn = ${sn}`.execute(
    m.t.ctx.db,
  );
  return rows[0]?.status ?? '';
};
/** The fields of a dispute over an account that differs. */
const differs = (orderSn: string) => ({
  orderSn,
  reason: 'not_as_described',
  want: 'refund' as const,
  answers: { field: '皮肤数量', found: '只剩 10 款' },
  text: '验号之后皮肤被分解，接管时只剩十款',
});
async function orderSn({ orderId }: Sold): Promise<string> {
  const { rows } = await sql<{ sn: string }>`select sn from orders where id = ${orderId}`.execute(m.t.ctx.db);
  return rows[0]?.sn ?? '';
}

test('A1: an account under recycling is not taken again under another writing, and its own log-in is sealed', async () => {
  const sold = await m.quoted();
  const accountNo = m.lastAccount().replace('acc', 'ac\u200Bс-');
  const again = await (await m.t.newUser()).client.call(c.recycleApply, {
    gameId: 1,
    details: SAID as never,
    accountNo,
  });
  expect([again.code, again.msg]).toEqual([codes.BAD_INPUT[0], '这个账号正在回收中，请到回收申请里查看']);
  const { data } = await accept(sold);
  const seal = (account: string) =>
    sold.seller.client.call(sealSecret, { orderId: data.orderId, step: 1, fields: { account, password: 'Tiger-77' } });
  expect((await seal('another-account')).code).toBe(codes.SEAL_OTHER_ACCOUNT[0]);
  // A form without the account could be of any.
  const nameless = await sold.seller.client.call(sealSecret, {
    orderId: data.orderId,
    step: 1,
    fields: { notes: '见群' },
  });
  expect([nameless.code, nameless.field]).toEqual([codes.BAD_INPUT[0], 'fields.account']);
  expect((await seal(m.lastAccount())).code).toBe(0);
});

test('two acceptances, a withdrawal and the timer concurrently: one succeeds, and the bid has one owner', async () => {
  for (let round = 0; round < 4; round++) {
    const q = await m.quoted();
    const results = await Promise.all([
      accept(q),
      q.seller.client.call(c.recycleWithdraw, { requestSn: q.sn }),
      accept(q),
      q.seller.client.call(c.recycleWithdraw, { requestSn: q.sn }),
    ]);
    const state = await ended(q);
    expect(['accepted', 'withdrawn']).toContain(state);
    const acceptances = [results[0], results[2]].filter((r) => r?.code === 0);
    expect(acceptances).toHaveLength(state === 'accepted' ? 1 : 0);
    expect(await m.available(q.buyer)).toBe(state === 'accepted' ? START - 70_000 - FEE : START);
  }
});

test('overstating an account brings no more from the platform than the truth', async () => {
  const few = { skins: 100, clean: true };
  const honest = (await m.info(await m.ask(undefined, few))).floorPrice ?? '';
  const request = await m.soldToPlatform({ skins: 300, clean: true });
  const { floorPrice } = request;
  expect(fenOf(floorPrice)).toBeGreaterThan(fenOf(honest));
  const { data } = await m.inspect(request.sn, few);
  expect(data).toMatchObject({ status: 'reconfirm' });
  const { cut } = data as { cut: string };
  expect(fenOf(floorPrice) - fenOf(cut)).toBeLessThanOrEqual(fenOf(honest));
  // The lines that the seller reads add up to it.
  const { readings } = await m.info(request);
  expect(readings.reduce((sum, r) => sum + fenOf(r.cut), 0)).toBe(fenOf(cut));
  await request.seller.client.ok(c.recycleAnswer, { requestSn: request.sn, agree: '0' } as never);
});

test('an account worth less than the lowest floor brings at most that floor', async () => {
  const request = await m.soldToPlatform({ skins: 300, clean: true });
  // With so much kept for handling no floor is left to offer.
  await putSetting(m.t, 'recycling', { handlingBp: 9900 });
  const { data } = await m.inspect(request.sn, { skins: 100, clean: true });
  await putSetting(m.t, 'recycling', { handlingBp: HANDLING_BP });
  const { cut } = data as { cut: string };
  expect(fenOf(request.floorPrice) - fenOf(cut)).toBe(MIN_FLOOR_FEN);
  await request.seller.client.ok(c.recycleAnswer, { requestSn: request.sn, agree: '0' } as never);
});

test('an expired offer is not accepted, also by a concurrent timer and seller', async () => {
  const q = await m.quoted();
  await sql`update recycle_request set due_at = now() - interval '1 second' where id = ${q.id}`.execute(m.t.ctx.db);
  const results = await Promise.all([
    accept(q),
    onDue(m.t.ctx, q.id),
    accept(q),
    onDue(m.t.ctx, q.id),
    onDue(m.t.ctx, q.id),
  ]);
  expect(results[0].code).not.toBe(0);
  expect(results[2].code).not.toBe(0);
  expect(await ended(q)).toBe('expired');
  // Back once, not three times.
  expect(await m.available(q.buyer)).toBe(START);
});

test('a timer that runs early leaves a binding offer unchanged', async () => {
  const q = await m.quoted();
  const [accepted] = await Promise.all([accept(q), onDue(m.t.ctx, q.id), onDue(m.t.ctx, q.id)]);
  expect(accepted.code).toBe(0);
  expect(await ended(q)).toBe('accepted');
});

test('two concurrent inspections: one is stored, and the seller is paid once', async () => {
  const trade = await m.sold();
  const chief = await m.t.newStaff({ role: 'admin' });
  const pictures = [await staffPicture(chief)];
  const results = await Promise.all([
    m.inspect(trade.sn, SAID),
    m.inspect(trade.sn, { ...SAID, skins: 100 }, chief, pictures),
    m.inspect(trade.sn, SAID),
    m.inspect(trade.sn, { ...SAID, skins: 100 }, chief, pictures),
  ]);
  expect(results.filter((r) => r.code === 0)).toHaveLength(1);
  const state = await ended(trade);
  const { frozenFen } = await m.balances(trade.seller);
  expect([state, frozenFen]).toEqual(state === 'paid' ? ['paid', 70_000] : ['reconfirm', 0]);
  const { rows } = await sql<{ staff: number }>`
    select count(distinct staff_id)::int as staff from recycle_reading where request_id = ${trade.id}`.execute(
    m.t.ctx.db,
  );
  expect(rows[0]?.staff).toBe(1);
});

test('a second inspector needs their own pictures: a key of another upload is no evidence', async () => {
  const trade = await m.sold();
  expect((await m.inspect(trade.sn, SAID, m.kefu, ['p/none.jpg'])).code).not.toBe(0);
  const chief = await m.t.newStaff({ role: 'admin' });
  const foreign = [await staffPicture(m.kefu)];
  expect((await m.inspect(trade.sn, SAID, chief, foreign)).code).not.toBe(0);
  // Nothing was stored, and the step is still open.
  expect((await m.inspect(trade.sn, { clean: true })).field).toBe('details.skins');
  const { rows } =
    await sql`select from order_handover where order_id = ${trade.orderId} and step = 2 and done_at is null`.execute(
      m.t.ctx.db,
    );
  expect(rows).toHaveLength(1);
  // Above the limit of one person the second reader comes when the step is done; his proof is looked at all the same.
  const limit = async (fen: number) => {
    await sql`insert into setting (key, version, value) select key, version + 1, value || jsonb_build_object('secondPersonFen', ${fen}::bigint)
      from setting where key = 'withdraw' order by version desc limit 1`.execute(m.t.ctx.db);
    await m.t.ctx.dir.reload();
  };
  await limit(100);
  expect((await m.inspect(trade.sn, SAID)).data).toMatchObject({ waits: true });
  expect((await m.inspect(trade.sn, SAID, chief, foreign)).code).not.toBe(0);
  expect(await ended(trade)).toBe('accepted');
  await limit(100_000_000);
});

test('concurrent agreement and withdrawal: one succeeds, and the order’s money has one owner', async () => {
  const trade = await m.sold();
  await m.inspect(trade.sn, { ...SAID, skins: 150 });
  const cut = fenOf((await m.info(trade)).cut);
  const answers = await Promise.all(
    [1, 0, 1, 0].map((agree) =>
      trade.seller.client.call(c.recycleAnswer, { requestSn: trade.sn, agree: agree as 0 | 1 }),
    ),
  );
  expect(answers.filter((r) => r.code === 0)).toHaveLength(1);
  const isPaid = (await ended(trade)) === 'paid';
  expect(await m.available(trade.buyer)).toBe(isPaid ? START - 70_000 - FEE + cut : START);
  expect((await m.balances(trade.seller)).frozenFen).toBe(isPaid ? 70_000 - cut : 0);
});

test('a seller who changes the account after the inspection does not keep the money', async () => {
  const trade = await m.sold();
  await m.inspect(trade.sn, { ...SAID, skins: 250 });
  const cut = fenOf((await m.info(trade)).cut);
  await trade.seller.client.ok(c.recycleAnswer, { requestSn: trade.sn, agree: 1 });
  expect(await m.available(trade.seller)).toBe(0);
  const { disputeSn } = await trade.buyer.client.ok(openDispute, differs(await orderSn(trade)));
  // The hold has stopped: neither the clock nor the recycler frees it.
  await m.held(trade.orderId);
  await trade.buyer.client.call(c.recycleTaken, { requestSn: trade.sn });
  expect((await m.balances(trade.seller)).frozenFen).toBe(70_000 - cut);
  await trade.seller.client.ok(answerDispute, { disputeSn, agree: true, answers: {}, text: '' });
  expect(await m.balances(trade.seller)).toMatchObject({ availableFen: 0, frozenFen: 0 });
  // The inspection's deduction was returned before and is not returned again.
  const back = await m.available(trade.buyer);
  expect(back).toBeLessThanOrEqual(START);
  expect(back).toBeGreaterThanOrEqual(START - FEE);
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from debt where debtor_user = ${trade.seller.id}`.execute(m.t.ctx.db);
  expect(rows[0]?.n).toBe(0);
});

test('after concurrent take-over and dispute the money is either released or stopped', async () => {
  for (let round = 0; round < 3; round++) {
    const trade = await m.sold();
    await m.inspect(trade.sn, SAID);
    const sn = await orderSn(trade);
    const [takenOver, disputed] = await Promise.all([
      trade.buyer.client.call(c.recycleTaken, { requestSn: trade.sn }),
      trade.buyer.client.call(openDispute, differs(sn)),
      trade.buyer.client.call(c.recycleTaken, { requestSn: trade.sn }),
    ]);
    const { availableFen, frozenFen } = await m.balances(trade.seller);
    expect([availableFen, frozenFen]).toEqual(disputed.code === 0 ? [0, 70_000] : [70_000, 0]);
    if (disputed.code !== 0) expect(takenOver.code).toBe(0);
  }
});

test('bids are paid when placed: the same money and daily limit cannot cover two bids', async () => {
  const request = await Promise.all(Array.from({ length: AT_ONCE }, () => m.ask()));
  const poor = await m.recycler(80_000);
  const limited = await m.recycler(START, 80_000);
  for (const bidder of [poor, limited]) {
    const results = await Promise.all(request.map((a) => m.bid(bidder, a, '700')));
    expect(results.filter((r) => r.code === 0)).toHaveLength(1);
    expect(results.every((r) => r.code === 0 || r.field === 'price')).toBe(true);
  }
  expect(await m.available(poor)).toBe(80_000 - 70_000 - FEE);
  expect(await m.available(limited)).toBe(START - 70_000 - FEE);
});

test('an account is offered in one way at a time', async () => {
  const accountNo = 'same-account';
  const people = await Promise.all([m.t.newUser(), m.t.newUser(), m.t.newUser()]);
  const applied = await Promise.all(
    people.map((p) => p.client.call(c.recycleApply, { gameId: 1, details: SAID as never, accountNo })),
  );
  expect(applied.filter((r) => r.code === 0)).toHaveLength(1);
  const goods = sql`
    insert into goods (dist_id, seller_id, game_id, type_id, title, price_fen, fingerprint, status)
    select 1, user_id, 1, 1, '同一个账号', 10000, fingerprint, 2 from recycle_request order by id desc limit 1`;
  await expect(goods.execute(m.t.ctx.db)).rejects.toThrow('being recycled');
});

test('a recycled account is offered again only after its take-over', async () => {
  const trade = await m.sold();
  const accountNo = m.lastAccount();
  await m.inspect(trade.sn, SAID);
  const other = await m.t.newUser();
  const again = () => other.client.call(c.recycleApply, { gameId: 1, details: SAID as never, accountNo });
  expect(await again()).toMatchObject({ code: codes.BAD_INPUT[0], field: 'accountNo' });
  const goods = sql`
    insert into goods (dist_id, seller_id, game_id, type_id, title, price_fen, fingerprint, status)
    select 1, user_id, 1, 1, '还没有接管', 10000, fingerprint, 2 from recycle_request where sn = ${trade.sn}`;
  await expect(goods.execute(m.t.ctx.db)).rejects.toThrow('being taken over');
  await trade.buyer.client.ok(c.recycleTaken, { requestSn: trade.sn });
  expect((await again()).code).toBe(0);
});

test('a ruling on what the platform bought refunds at most the reduced price, also as a draft', async () => {
  const request = await m.soldToPlatform({ skins: 300, clean: true });
  const { data } = await m.inspect(request.sn, { skins: 100, clean: true });
  const { cut } = data as { cut: string };
  await request.seller.client.ok(c.recycleAnswer, { requestSn: request.sn, agree: 1 });
  const [first, second] = [await m.t.newStaff({ role: 'admin' }), await m.t.newStaff({ role: 'admin' })];
  const contest = { requestSn: request.sn, failed: true, note: '登录后与验号结果不符' };
  await first.client.ok(c.staffRecycleTaken, contest);
  await second.client.call(c.staffRecycleTaken, contest);
  const { rows } = await sql<{ sn: string }>`select sn from dispute where order_id = ${request.orderId}`.execute(
    m.t.ctx.db,
  );
  const disputeSn = rows[0]?.sn ?? '';
  const mostFen = fenOf(request.floorPrice) - fenOf(cut);
  const rule = (refund: string) =>
    first.client.call(staffDisputeRule, { disputeSn, refund, rules: ['2.2'], reason: '接管时的截图与验号结果不符' });
  await request.seller.client.ok(answerDispute, {
    disputeSn,
    answers: { answer: '交付时和描述一致' },
    text: '交付时和描述一致',
  } as never);
  expect(await rule(request.floorPrice)).toMatchObject({ code: codes.BAD_INPUT[0], field: 'refund' });
  expect((await rule(yuanText(mostFen))).data).toEqual({ waits: true });
  const { terms, draft } = await second.client.ok(staffDisputeDetail, { disputeSn });
  expect(terms).toMatchObject({ cut, refundable: yuanText(mostFen) });
  const decided = { disputeSn, draftId: draft?.draftId ?? 0, allow: true };
  expect((await second.client.call(staffDisputeSecond, decided)).code).toBe(0);
});

test('repeated requests for bids do not lock the budget', async () => {
  const seller = await m.t.newUser();
  const before = await platformSpent(m.t.ctx.db);
  for (let i = 0; i < 8; i++) {
    const request = await m.ask(seller);
    await seller.client.ok(c.recycleWithdraw, { requestSn: request.sn });
  }
  const ninth = await seller.client.call(c.recycleApply, { gameId: 1, details: SAID as never, accountNo: 'ninth' });
  expect(ninth.code).not.toBe(0);
  expect(ninth.msg).toContain('24 小时');
  // Failed purchases do not count against the budget.
  expect(await platformSpent(m.t.ctx.db)).toBe(before);
});

test('a colluding seller and recycler gain no more than the budget', async () => {
  const floor = fenOf((await m.info(await m.ask())).floorPrice ?? '0');
  const spent = await platformSpent(m.t.ctx.db);
  await sql`insert into setting (key, version, value) select key, version + 1, value || jsonb_build_object('budgetFen', ${spent + floor * 2 + 1}::bigint)
    from setting where key = 'recycling' order by version desc limit 1`.execute(m.t.ctx.db);
  await m.t.ctx.dir.reload();
  const request = await Promise.all(Array.from({ length: AT_ONCE }, () => m.ask()));
  const infos = await Promise.all(request.map((a) => m.info(a)));
  expect(infos.filter((i) => i.floorPrice !== null)).toHaveLength(2);
  expect(await platformSpent(m.t.ctx.db)).toBe(spent + floor * 2);
  // An accomplice who outbids the floor sets it free; what he bid for is his own money.
  const mate = await m.recycler();
  const [own] = request.filter((_, i) => infos[i]?.floorPrice !== null);
  if (!own) throw new Error('no floor');
  expect((await m.bid(mate, own, '900')).code).toBe(0);
  await m.due(own);
  expect(await platformSpent(m.t.ctx.db)).toBe(spent + floor);
  const { orderId } = await own.seller.client.ok(c.recycleAccept, { requestSn: own.sn, price: '900.00' });
  expect(orderId).toBeGreaterThan(0);
  expect((await m.available(mate)) + (await m.available(own.seller))).toBe(START - 90_000 - 900);
});

test('a reading that cannot be stored leaves the step of the check open, and the next attempt does both', async () => {
  const sold = await m.sold();
  const step = async (): Promise<boolean> => {
    const { rows } = await sql<{ isDone: boolean }>`
      select done_at is not null as "isDone" from order_handover where order_id = ${sold.orderId} and key = 'check_login'`.execute(
      m.t.ctx.db,
    );
    return rows[0]?.isDone ?? true;
  };
  const asOwner = (statement: string) => asSuperuser(databaseOf(m.t.ctx), statement);
  await asOwner(`create function reading_fails() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$;
    create trigger reading_fails before insert on recycle_reading for each row execute function reading_fails()`);
  expect((await m.inspect(sold.sn, SAID)).status).toBe(500);
  expect(await step()).toBe(false);
  expect(await ended(sold)).toBe('accepted');
  await asOwner('drop function reading_fails() cascade');
  expect(await m.inspect(sold.sn, SAID)).toMatchObject({ code: 0, data: { status: 'paid' } });
  expect(await step()).toBe(true);
});
