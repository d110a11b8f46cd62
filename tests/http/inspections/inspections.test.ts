/** Inspections: the queue, readings beside the seller's words, what ends the mark, and re-inspections for a fee (decisions 290 to 292). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getGoodsList, goodsInfo, pushOrPullGoods } from '#subjects/goods/contract/goods.ts';
import * as c from '#subjects/inspections/contract/inspection.ts';
import { inspectionSteps } from '#subjects/inspections/server/rules.ts';
import { FIELDS, type Inspections, openInspections, SAID } from '#tests/support/services/inspections.ts';

const FEE = 990;
let m: Inspections;

beforeAll(async () => {
  m = await openInspections();
});
afterAll(async () => await m.close());

const isListed = async (sn: string): Promise<boolean> => {
  await m.t.relay();
  const { list } = await m.t.client().ok(getGoodsList, { gameId: 1, inspected: '1', pageSize: 50 });
  return list.some(({ goodsSn }) => goodsSn === sn);
};

describe('an inspection that confirms the listing', () => {
  test('is requested, read, and shown on the page, as mark and in the filter', async () => {
    const goods = await m.shelf();
    const id = await m.ask(goods);
    expect(await m.task(id)).toMatchObject({ status: 'queued', sealed: true });
    expect(await isListed(goods.sn)).toBe(false);
    expect(await m.read(id)).toEqual({ status: 'done', differs: 0 });
    expect(await m.task(id)).toMatchObject({ status: 'done', sealed: false, erased: true });
    expect(await isListed(goods.sn)).toBe(true);
    const page = await m.t.client().ok(goodsInfo, { goodsSn: goods.sn });
    expect(page.inspectedTime).not.toBeNull();
    expect(page.inspection.map((r) => [r.label, r.value, r.said])).toEqual([
      ['无违规', '是', null],
      ['皮肤数量', expect.stringContaining('300'), null],
    ]);
    const of = await m.t.client().ok(c.inspectionOf, { goodsSn: goods.sn });
    expect(of.record).toMatchObject({ differs: 0, pictures: [{ url: expect.stringContaining('/img/') }] });
    await m.t.relay();
    const { rows } = await sql<{ title: string }>`
      select title from notice where user_id = ${goods.seller.id}`.execute(m.t.ctx.db);
    expect(rows.map(({ title }) => title)).toContain('验号通过');
  });

  test('rejects a second request while one is open, and requests by others', async () => {
    const goods = await m.shelf();
    await m.ask(goods);
    const twice = await goods.seller.client.call(c.inspectionAsk, { goodsSn: goods.sn, fields: FIELDS });
    expect(twice.msg).toContain('已有验号');
    const stranger = await m.t.newUser();
    const foreign = await stranger.client.call(c.inspectionAsk, { goodsSn: goods.sn, fields: FIELDS });
    expect(foreign.code).not.toBe(0);
    const empty = await goods.seller.client.call(c.inspectionAsk, { goodsSn: goods.sn, fields: { account: 'x' } });
    expect(empty).toMatchObject({ field: 'fields.password' });
  });

  test('can be started by staff, and the seller submits the credentials', async () => {
    const goods = await m.shelf();
    const { taskId } = await m.kefu.client.ok(c.staffInspectionPick, { goodsSn: goods.sn });
    expect((await m.claim(taskId)).code).not.toBe(0);
    await goods.seller.client.ok(c.inspectionSeal, { taskId, fields: FIELDS });
    expect(await m.read(taskId)).toMatchObject({ status: 'done' });
  });
});

describe('the queue', () => {
  test('lists what waits longest first, on every page', async () => {
    const ids = [await m.ask(await m.shelf()), await m.ask(await m.shelf()), await m.ask(await m.shelf())];
    const page = async (pages: number, pageSize: number, status = 'queued') =>
      (await m.kefu.client.ok(c.staffInspectionList, { status, pages, pageSize })).list.map(({ taskId }) => taskId);
    const all = (await page(1, 50)).filter((id) => ids.includes(id));
    expect(all).toEqual(ids);
    const { total } = await m.kefu.client.ok(c.staffInspectionList, { status: 'queued', pageSize: 1 });
    expect(await page(total, 1)).toEqual(ids.slice(-1));
    // Without a state the newest comes first.
    expect(await page(1, 1, '')).toEqual(ids.slice(-1));
    for (const id of ids) await m.read(id);
  });

  test('leaves the title, which states values, out of list and task until the account is read (decision 747)', async () => {
    const id = await m.ask(await m.shelf());
    const titles = async () => {
      const { list } = await m.kefu.client.ok(c.staffInspectionList, { pageSize: 50 });
      const info = await m.kefu.client.ok(c.staffInspectionInfo, { taskId: id });
      return [list.find(({ taskId }) => taskId === id)?.title, info.title];
    };
    expect(await titles()).toEqual(['', '']);
    await m.claim(id);
    await m.open(id);
    expect(await titles()).toEqual(['', '']);
    expect((await m.record(id, { ...SAID, skins: 143 })).code).toBe(0);
    const [inList = '', inInfo] = await titles();
    expect(inList).not.toBe('');
    expect(inInfo).toBe(inList);
  });

  test('gives a task to one of several concurrent claims', async () => {
    const id = await m.ask(await m.shelf());
    const staff = [m.kefu, m.second, m.third];
    const answers = await Promise.all(staff.map((who) => m.claim(id, who)));
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    const loser = staff.find((_, i) => answers[i]?.code !== 0) ?? m.kefu;
    expect((await m.open(id, loser)).code).not.toBe(0);
    expect((await m.record(id, SAID, loser)).code).not.toBe(0);
  });

  test('a task is returned, or taken over when it is held too long', async () => {
    const id = await m.ask(await m.shelf());
    await m.claim(id);
    await m.kefu.client.ok(c.staffInspectionClaim, { taskId: id, back: 1 });
    expect((await m.claim(id, m.second)).code).toBe(0);
    expect((await m.claim(id, m.third)).msg).toContain('已经领取');
    await sql`update inspection_task set claimed_at = now() - interval '3 hours' where id = ${id}`.execute(m.t.ctx.db);
    expect((await m.claim(id, m.third)).code).toBe(0);
  });

  test('a reading needs an opened form, pictures, and every stated field', async () => {
    const id = await m.ask(await m.shelf());
    await m.claim(id);
    expect((await m.record(id, SAID)).msg).toContain('打开密封信息');
    await m.open(id);
    expect(await m.record(id, { clean: true })).toMatchObject({ field: 'details.skins' });
    const bare = await m.kefu.client.call(c.staffInspectionRecord, {
      taskId: id,
      details: SAID as never,
      pictures: [],
    });
    expect(bare).toMatchObject({ field: 'pictures' });
  });

  test('the credentials are opened with an audit entry and a mark, above the limit after a colleague’s approval', async () => {
    const id = await m.ask(await m.shelf({ priceFen: 9_000_000 }));
    await m.claim(id);
    const request = await m.open(id);
    expect(request.data).toMatchObject({ waits: true, form: null });
    const alone = await m.kefu.client.call(c.staffInspectionSecond, { taskId: id, act: 'open', allow: 1 });
    expect(alone.code).not.toBe(0);
    await m.second.client.ok(c.staffInspectionSecond, { taskId: id, act: 'open', allow: 1 });
    const { form } = await m.kefu.client.ok(c.staffInspectionOpen, { taskId: id });
    expect(form?.fields.map(({ value }) => value)).toEqual([FIELDS.account, FIELDS.password]);
    expect(form?.watermark).toContain('验号');
    const { rows } = await sql<{ act: string }>`
      select act from audit_log where target = ${`inspection:${id}`} order by id`.execute(m.t.ctx.db);
    expect(rows.map(({ act }) => act)).toEqual(
      expect.arrayContaining(['inspection.claim', 'inspection.open.ask', 'inspection.open', 'inspection.reveal']),
    );
  });

  test('a task not read in time is closed and its credentials are destroyed', async () => {
    const id = await m.ask(await m.shelf());
    await m.due(id);
    expect(await m.task(id)).toMatchObject({ status: 'closed', sealed: false, erased: true });
  });

  test('the transitions equal the database’s', async () => {
    const { rows } = await sql<{ s: string }>`
      select from_status || ' ' || to_status as s from inspection_transition`.execute(m.t.ctx.db);
    expect(rows.map(({ s }) => s).toSorted()).toEqual(inspectionSteps.map((s) => `${s.from} ${s.to}`).toSorted());
  });
});

describe('an inspection that differs', () => {
  test('is public and has no mark until the seller takes the values over', async () => {
    const goods = await m.shelf();
    const id = await m.ask(goods);
    expect(await m.read(id, { skins: 280, clean: true })).toEqual({ status: 'done', differs: 1 });
    expect(await m.mark(goods)).toBeNull();
    expect(await isListed(goods.sn)).toBe(false);
    const page = await m.t.client().ok(goodsInfo, { goodsSn: goods.sn });
    const skins = page.inspection.find(({ label }) => label === '皮肤数量');
    expect([skins?.value, skins?.said]).toEqual([expect.stringContaining('280'), expect.stringContaining('300')]);
    const stranger = await m.t.newUser();
    expect((await stranger.client.call(c.inspectionCorrect, { taskId: id })).code).not.toBe(0);
    const { list } = await goods.seller.client.ok(c.inspectionList, {});
    expect(list[0]).toMatchObject({ canCorrect: true, differs: 1 });
    await goods.seller.client.ok(c.inspectionCorrect, { taskId: id });
    expect(await m.mark(goods)).not.toBeNull();
    expect(await isListed(goods.sn)).toBe(true);
    expect((await goods.seller.client.call(c.inspectionCorrect, { taskId: id })).code).not.toBe(0);
  });
});

describe('the mark is removed', () => {
  test('when the listing states something else', async () => {
    const goods = await m.inspected(1);
    expect((await m.t.client().ok(goodsInfo, { goodsSn: goods.sn })).inspection.length).toBeGreaterThan(0);
    await sql`update goods set attrs = '{"skins": 400, "clean": true}' where id = ${goods.id}`.execute(m.t.ctx.db);
    expect(await m.mark(goods)).toBeNull();
    const { inspection } = await m.t.client().ok(goodsInfo, { goodsSn: goods.sn });
    expect(inspection).toEqual([]);
  });

  test('when the listing is put on sale again, and not by a price change', async () => {
    const goods = await m.inspected(1);
    await sql`update goods set price_fen = 40000 where id = ${goods.id}`.execute(m.t.ctx.db);
    expect(await m.mark(goods)).not.toBeNull();
    await goods.seller.client.ok(pushOrPullGoods, { goodsSn: goods.sn, act: 'pull' });
    expect(await m.mark(goods)).not.toBeNull();
    await goods.seller.client.ok(pushOrPullGoods, { goodsSn: goods.sn, act: 'push' });
    expect(await m.mark(goods)).toBeNull();
    expect(await isListed(goods.sn)).toBe(false);
  });

  test('after its period, by the job, except on sold listings', async () => {
    const [old, sold, fresh] = [await m.inspected(31), await m.inspected(31), await m.inspected(29)];
    await sql`update goods set status = 5 where id = ${sold.id}`.execute(m.t.ctx.db);
    await sql`insert into timer (kind, ref, due_at) values ('inspection.expire', 'all', now() - interval '1 second')`.execute(
      m.t.ctx.db,
    );
    await m.t.timers();
    expect(await m.mark(old)).toBeNull();
    expect(await m.mark(sold)).not.toBeNull();
    expect(await m.mark(fresh)).not.toBeNull();
    expect(await isListed(old.sn)).toBe(false);
  });
});

describe('a re-inspection for a buyer', () => {
  test('is rejected too early, for the own listing, and twice concurrently', async () => {
    const goods = await m.inspected(6);
    const buyer = await m.t.newUser({ balanceFen: 10_000 });
    expect((await buyer.client.call(c.inspectionAgain, { goodsSn: goods.sn })).msg).toContain('满 7 天');
    const old = await m.inspected();
    expect((await old.seller.client.call(c.inspectionAgain, { goodsSn: old.sn })).code).not.toBe(0);
    const others = await Promise.all(Array.from({ length: 4 }, () => m.t.newUser({ balanceFen: 10_000 })));
    const answers = await Promise.all(others.map((b) => b.client.call(c.inspectionAgain, { goodsSn: old.sn })));
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
  });

  test('as stated: the fee is kept and the mark has a new date', async () => {
    const goods = await m.inspected();
    const before = await m.mark(goods);
    const buyer = await m.t.newUser({ balanceFen: 10_000 });
    const id = await m.again(goods, buyer);
    expect(await m.available(buyer)).toBe(10_000 - FEE);
    // Whoever read it before does not read it again.
    expect((await m.claim(id)).msg).toContain('交给同事');
    expect(await m.read(id, SAID, m.second)).toMatchObject({ status: 'done' });
    expect(await m.available(buyer)).toBe(10_000 - FEE);
    expect((await m.mark(goods))?.getTime()).toBeGreaterThan(before?.getTime() ?? 0);
  });

  test('differing: a colleague confirms, the fund repays the fee, the mark is removed', async () => {
    const goods = await m.inspected();
    const buyer = await m.t.newUser({ balanceFen: 10_000 });
    const fund = await m.fund();
    const id = await m.again(goods, buyer);
    expect(await m.read(id, { skins: 200, clean: true }, m.second)).toEqual({ status: 'review', differs: 1 });
    expect(await m.mark(goods)).not.toBeNull();
    const alone = await m.second.client.call(c.staffInspectionSecond, { taskId: id, act: 'repay', allow: 1 });
    expect(alone.code).not.toBe(0);
    await m.third.client.ok(c.staffInspectionSecond, { taskId: id, act: 'repay', allow: 1 });
    expect(await m.available(buyer)).toBe(10_000);
    expect(await m.fund()).toBe(fund - FEE);
    expect(await m.mark(goods)).toBeNull();
    const again = await m.third.client.call(c.staffInspectionSecond, { taskId: id, act: 'repay', allow: 1 });
    expect(again.code).not.toBe(0);
  });

  test('is read anew when a colleague rejects it', async () => {
    const goods = await m.inspected();
    const buyer = await m.t.newUser({ balanceFen: 10_000 });
    const id = await m.again(goods, buyer);
    await m.read(id, { skins: 200, clean: true }, m.second);
    await m.third.client.ok(c.staffInspectionSecond, { taskId: id, act: 'repay', allow: 0, note: '截图看不清' });
    expect(await m.task(id)).toMatchObject({ status: 'queued', sealed: true });
    expect(await m.read(id, SAID, m.third)).toEqual({ status: 'done', differs: 0 });
    expect(await m.available(buyer)).toBe(10_000 - FEE);
  });

  test.each([
    ['the seller does not seal', 'waiting'],
    ['staff do not read it', 'queued'],
    ['its reader does not end', 'claimed'],
    ['no colleague confirms', 'review'],
  ])('%s in time: the fee is refunded in full', async (_, state) => {
    const goods = await m.inspected();
    const buyer = await m.t.newUser({ balanceFen: 10_000 });
    const { taskId } = await buyer.client.ok(c.inspectionAgain, { goodsSn: goods.sn });
    if (state !== 'waiting') await goods.seller.client.ok(c.inspectionSeal, { taskId, fields: FIELDS });
    if (state === 'claimed') await m.claim(taskId, m.second);
    if (state === 'review') await m.read(taskId, { skins: 1, clean: true }, m.second);
    expect((await m.task(taskId))?.status).toBe(state);
    await m.due(taskId);
    expect(await m.task(taskId)).toMatchObject({ status: 'closed', sealed: false });
    expect(await m.available(buyer)).toBe(10_000);
    await m.due(taskId).catch(() => undefined);
    expect(await m.available(buyer)).toBe(10_000);
  });

  test('withdrawn before staff take it refunds the fee; concurrent with a claim one succeeds', async () => {
    const goods = await m.inspected();
    const buyer = await m.t.newUser({ balanceFen: 10_000 });
    const id = await m.again(goods, buyer);
    const [withdrawn, claimed] = await Promise.all([
      buyer.client.call(c.inspectionWithdraw, { taskId: id }),
      m.claim(id, m.second),
    ]);
    expect([withdrawn.code === 0, claimed.code === 0].filter(Boolean)).toHaveLength(1);
    expect(await m.available(buyer)).toBe(withdrawn.code === 0 ? 10_000 : 10_000 - FEE);
  });

  test('is not read after a sale, and its fee is refunded', async () => {
    const goods = await m.inspected();
    const buyer = await m.t.newUser({ balanceFen: 10_000 });
    const id = await m.again(goods, buyer);
    await m.claim(id, m.second);
    await sql`update goods set status = 5 where id = ${goods.id}`.execute(m.t.ctx.db);
    expect((await m.open(id, m.second)).code).not.toBe(0);
    expect(await m.task(id)).toMatchObject({ status: 'closed' });
    expect(await m.available(buyer)).toBe(10_000);
  });

  test('is rejected when the buyer has too little money', async () => {
    const goods = await m.inspected();
    const poor = await m.t.newUser({ balanceFen: 100 });
    expect((await poor.client.call(c.inspectionAgain, { goodsSn: goods.sn })).msg).toContain('余额不足');
  });
});
