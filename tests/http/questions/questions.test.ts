/** Questions under listings and reports: asked, answered once, merged, reported, decided; and what breaking their rules gains: nothing. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approveReview, reviewGoods } from '#subjects/goods/contract/staff-review.ts';
import { decideGoodsReport, staffGoodsReports } from '#subjects/questions/contract/staff-reports.ts';
import { codes } from '#contract/codes.ts';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import { goodsInfo } from '#subjects/goods/contract/goods.ts';
import {
  answerQuestion,
  askSeller,
  goodsQuestions,
  goodsReportReasons,
  mergeAnswer,
  receivedQuestions,
  reportGoods,
} from '#subjects/questions/contract/question.ts';
import { testApp, type TestApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
let seller: TestUser;
let buyer: TestUser;
let staff: TestStaff;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  [seller, buyer] = [await t.newUser(), await t.newUser()];
  staff = await t.newStaff({ role: 'reviewer' });
});
afterAll(async () => await t.close());

const listing = async (status = 2) => await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, stock: 5, status });
const listQuestions = async (goodsSn: string, who = t.client()) => await who.ok(goodsQuestions, { goodsSn });
const askQuestion = async (goodsSn: string, content = '现在拍下多久能发货？', who = buyer) =>
  (await who.client.ok(askSeller, { goodsSn, content })).question.questionId;
const titles = async (who: TestUser) => {
  await t.relay();
  return (await who.client.ok(noticeList, {})).list.map((n) => n.title);
};

describe('a question', () => {
  test('is public with its answer, masked; before that it is visible to its author and the seller', async () => {
    const goods = await listing();
    const questionId = await askQuestion(goods.sn);
    expect(await listQuestions(goods.sn)).toMatchObject({ list: [], total: 0, answered: 0, answerMinutes: null });
    expect((await listQuestions(goods.sn, buyer.client)).list).toMatchObject([
      { questionId, asker: '您', isMine: true },
    ]);
    expect((await listQuestions(goods.sn, seller.client)).list).toHaveLength(1);
    expect(await titles(seller)).toContain('有人问您的商品');
    const received = await seller.client.ok(receivedQuestions, {});
    expect(received).toMatchObject({
      counts: { waiting: 1, answered: 0 },
      list: [{ goodsSn: goods.sn, canMerge: false }],
    });
    await seller.client.ok(answerQuestion, { questionId, content: '十分钟内发货' });
    const open = await listQuestions(goods.sn);
    expect(open).toMatchObject({
      answered: 1,
      total: 1,
      list: [{ answer: { content: '十分钟内发货', merged: false } }],
    });
    expect(open.list[0]?.asker).toMatch(/^.\*\*.?$/u);
    expect(JSON.stringify(open)).not.toContain(buyer.nickName);
    expect(await titles(buyer)).toContain('卖家回答了您的提问');
    expect((await seller.client.ok(receivedQuestions, {})).counts).toEqual({ waiting: 0, answered: 1 });
  });

  test('asked in private stays between the two after the answer, cannot be copied or reported by others, and is not counted', async () => {
    const goods = await listing();
    const stranger = await t.newUser();
    const { question } = await buyer.client.ok(askSeller, {
      goodsSn: goods.sn,
      content: '晚上九点以后能换绑吗？',
      isPrivate: true,
    });
    const { questionId } = question;
    expect(question.isPrivate).toBe(true);
    expect((await stranger.client.call(answerQuestion, { questionId, content: '可以' })).status).toBe(404);
    await seller.client.ok(answerQuestion, { questionId, content: '可以，我十一点前都在' });
    for (const who of [t.client(), stranger.client])
      expect(await listQuestions(goods.sn, who)).toMatchObject({ list: [], total: 0, answered: 0 });
    for (const who of [buyer.client, seller.client])
      expect((await listQuestions(goods.sn, who)).list).toMatchObject([
        { questionId, isPrivate: true, answer: { content: '可以，我十一点前都在' } },
      ]);
    expect(await seller.client.call(mergeAnswer, { questionId })).toMatchObject({ status: 404 });
    const received = (await seller.client.ok(receivedQuestions, { status: 'answered' })).list;
    expect(received.find((one) => one.questionId === questionId)).toMatchObject({ isPrivate: true, canMerge: false });
    for (const part of ['question', 'answer'])
      expect((await tell(stranger, goods.sn, { part, questionId })).code).toBe(codes.QUESTION_NOT_FOUND[0]);
    expect((await tell(seller, goods.sn, { part: 'question', questionId })).code).toBe(0);
  });

  test('loses contact details; one of contacts only, with a forbidden word or to oneself gets a field error', async () => {
    const goods = await listing();
    await sql`insert into blocked_word (word, plain, level, created_by) values ('外挂脚本', '外挂脚本', 'refuse', ${staff.id})`.execute(
      t.ctx.db,
    );
    await t.ctx.blockedWords.reload();
    const say = async (content: string, who = buyer) =>
      await who.client.call(askSeller, { goodsSn: goods.sn, content });
    expect(await say('加我微信 abc12345 便宜')).toMatchObject({ code: codes.BAD_INPUT[0], field: 'content' });
    expect(await say('带外挂脚本一起卖吗')).toMatchObject({ code: codes.BAD_INPUT[0], field: 'content' });
    expect(await say('好吗')).toMatchObject({ code: codes.BAD_INPUT[0], field: 'content' });
    expect(await say('这是我自己的商品', seller)).toMatchObject({ code: codes.GOODS_OWN[0] });
    const { data } = await say('能便宜吗？加微信 abc12345 聊。');
    expect(data).toMatchObject({ question: { content: '能便宜吗？' } });
    const off = await listing(3);
    expect(await buyer.client.call(askSeller, { goodsSn: off.sn, content: '还卖吗，多少钱' })).toMatchObject({
      code: codes.GOODS_STATE[0],
    });
    expect(await t.client().call(goodsQuestions, { goodsSn: 'YS0000000' })).toMatchObject({ status: 404 });
  });

  test('is limited to three a day per listing, also concurrently', async () => {
    const goods = await listing();
    const who = await t.newUser();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) => who.client.call(askSeller, { goodsSn: goods.sn, content: `第 ${i} 个问题` })),
    );
    expect(results.filter(({ code }) => code === 0)).toHaveLength(3);
    expect(results.filter(({ status }) => status === 429)).toHaveLength(5);
    expect((await listQuestions(goods.sn, who.client)).total).toBe(3);
  });

  test('is answered once, by its seller only', async () => {
    const goods = await listing();
    const questionId = await askQuestion(goods.sn);
    for (const who of [buyer, await t.newUser()])
      expect(await who.client.call(answerQuestion, { questionId, content: '我来答' })).toMatchObject({ status: 404 });
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, i) => seller.client.call(answerQuestion, { questionId, content: `回答 ${i}` })),
    );
    expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(results.filter(({ code }) => code === codes.QUESTION_ANSWERED[0])).toHaveLength(5);
  });

  test('is listed by cursor, newest first', async () => {
    const goods = await listing();
    for (let i = 0; i < 3; i++) {
      const questionId = await askQuestion(goods.sn, `第 ${i} 个问题`);
      await seller.client.ok(answerQuestion, { questionId, content: `回答 ${i}` });
    }
    const first = await t.client().ok(goodsQuestions, { goodsSn: goods.sn, pageSize: 2 });
    const second = await t.client().ok(goodsQuestions, { goodsSn: goods.sn, pageSize: 2, cursor: first.next ?? '' });
    expect([...first.list, ...second.list].map(({ content }) => content)).toEqual(
      [2, 1, 0].map((i) => `第 ${i} 个问题`),
    );
    expect(second.next).toBeNull();
    expect(first.answerMinutes).toBe(1);
  });
});

describe('copying an answer into the description', () => {
  test('is done once, by the ordinary edit with its review, and changes nothing else', async () => {
    const goods = await listing();
    const questionId = await askQuestion(goods.sn);
    expect(await seller.client.call(mergeAnswer, { questionId })).toMatchObject({ status: 404 });
    await seller.client.ok(answerQuestion, { questionId, content: '十分钟内发货' });
    expect(await buyer.client.call(mergeAnswer, { questionId })).toMatchObject({ status: 404 });
    const results = await Promise.all(Array.from({ length: 4 }, () => seller.client.call(mergeAnswer, { questionId })));
    expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
    const { rows } = await sql<{ description: string; status: number; price: number; stock: number }>`
      select description, status, price_fen as price, stock from goods where id = ${goods.id}`.execute(t.ctx.db);
    expect(rows).toEqual([
      { description: '问：现在拍下多久能发货？\n答：十分钟内发货', status: 1, price: 10_000, stock: 5 },
    ]);
    expect(await t.client().call(goodsQuestions, { goodsSn: goods.sn })).toMatchObject({ status: 404 });
    const { version } = await staff.client.ok(reviewGoods, { goodsSn: goods.sn });
    await staff.client.ok(approveReview, { goodsSn: goods.sn, version });
    expect((await listQuestions(goods.sn)).list[0]?.answer?.merged).toBe(true);
    expect((await seller.client.ok(receivedQuestions, { status: 'answered' })).list[0]?.canMerge).toBe(false);
  });
});

const tell = async (who: TestUser, goodsSn: string, more: object = {}) =>
  await who.client.call(reportGoods, { goodsSn, reason: 'report_false', note: '图不对', ...more });
const queue = async (goodsSn: string, who = staff) => (await who.client.ok(staffGoodsReports, { goodsSn })).list;
const decide = async (goodsSn: string, more: object = {}, who = staff) => {
  const [item] = await queue(goodsSn);
  return await who.client.call(decideGoodsReport, {
    goodsSn,
    part: 'goods',
    act: 'hide',
    reason: '截图与实际不符',
    lastReportId: item?.reports.at(-1)?.reportId ?? 1,
    ...more,
  } as never);
};

describe('a report', () => {
  test('on a listing requires a reason from the staff’s list, is open once, and ends with the listing taken down and all parties notified', async () => {
    const goods = await listing();
    const { list } = await buyer.client.ok(goodsReportReasons, { goodsSn: goods.sn });
    expect(list.map(({ code }) => code)).toContain('report_stolen');
    expect(await tell(buyer, goods.sn, { reason: 'not_as_described' })).toMatchObject({ field: 'reason' });
    expect(await tell(buyer, goods.sn, { pictures: ['p/none.jpg'] })).toMatchObject({ code: codes.PICTURE_BROKEN[0] });
    expect(await tell(seller, goods.sn)).toMatchObject({ code: codes.GOODS_REPORT_OWN[0] });
    const results = await Promise.all(Array.from({ length: 5 }, () => tell(buyer, goods.sn)));
    expect(results.map(({ code }) => code).filter((code) => code !== 0)).toEqual(
      Array(4).fill(codes.GOODS_REPORTED[0]),
    );
    const other = await t.newUser();
    await tell(other, goods.sn);
    expect(await queue(goods.sn)).toMatchObject([
      { part: 'goods', goodsStatusName: '出售中', reports: [{ reasonName: '描述或截图与实际不符' }, { falseNum: 0 }] },
    ]);
    expect((await decide(goods.sn)).code).toBe(0);
    expect(await t.client().call(goodsInfo, { goodsSn: goods.sn })).toMatchObject({ status: 404 });
    expect(await seller.client.ok(goodsInfo, { goodsSn: goods.sn })).toMatchObject({ rejectReason: '截图与实际不符' });
    expect(await titles(seller)).toContain('您的商品已下架');
    for (const who of [buyer, other]) expect(await titles(who)).toContain('举报已处理，商品已下架');
    expect(await decide(goods.sn)).toMatchObject({ code: codes.GOODS_REPORT_STATE[0] });
    const { rows } =
      await sql`select from audit_log where act = 'goodsReport.hide' and target = ${`goods:${goods.sn}`}`.execute(
        t.ctx.db,
      );
    expect(rows).toHaveLength(1);
  });

  test('waits while the listing is in an order; a later one waits for another decision', async () => {
    const goods = await listing();
    await tell(buyer, goods.sn);
    await sql`update goods set status = 4 where id = ${goods.id}`.execute(t.ctx.db);
    expect(await decide(goods.sn)).toMatchObject({ code: codes.GOODS_STATE[0] });
    await sql`update goods set status = 2 where id = ${goods.id}`.execute(t.ctx.db);
    const [item] = await queue(goods.sn);
    await tell(await t.newUser(), goods.sn);
    const read = item?.reports.at(-1)?.reportId;
    expect((await decide(goods.sn, { act: 'keep', lastReportId: read })).code).toBe(0);
    expect((await queue(goods.sn))[0]?.reports).toHaveLength(1);
  });

  test('hides only the reported question or answer', async () => {
    const goods = await listing();
    const questionId = await askQuestion(goods.sn);
    const visitor = await t.newUser();
    const on = (part: string) => ({ part, questionId, reason: 'report_abuse' });
    expect(await tell(visitor, goods.sn, on('question'))).toMatchObject({ status: 404 });
    await seller.client.ok(answerQuestion, { questionId, content: '自己看' });
    expect(await tell(visitor, goods.sn, { part: 'answer' })).toMatchObject({ field: 'questionId' });
    expect(await tell(seller, goods.sn, on('answer'))).toMatchObject({ code: codes.GOODS_REPORT_OWN[0] });
    expect((await tell(visitor, goods.sn, on('answer'))).code).toBe(0);
    expect((await decide(goods.sn, { part: 'answer', questionId })).code).toBe(0);
    expect((await listQuestions(goods.sn)).list).toEqual([]);
    expect((await listQuestions(goods.sn, buyer.client)).list).toMatchObject([{ answer: null }]);
    expect(await seller.client.call(mergeAnswer, { questionId })).toMatchObject({ status: 404 });
    expect((await tell(seller, goods.sn, on('question'))).code).toBe(0);
    expect((await decide(goods.sn, { part: 'question', questionId })).code).toBe(0);
    expect((await listQuestions(goods.sn, buyer.client)).list).toEqual([]);
    expect(await titles(buyer)).toContain('您的提问已被隐藏');
  });

  test('is rejected after three false ones in a month, and after ten in a day', async () => {
    const liar = await t.newUser();
    for (let i = 0; i < 3; i++) {
      const goods = await listing();
      await tell(liar, goods.sn);
      expect((await decide(goods.sn, { isFalse: true })).code).toBe(codes.BAD_INPUT[0]);
      expect((await decide(goods.sn, { act: 'keep', isFalse: true })).code).toBe(0);
    }
    const goods = await listing();
    expect(await tell(liar, goods.sn)).toMatchObject({ code: codes.GOODS_REPORTS_FALSE[0] });
    const busy = await t.newUser();
    const many = await Promise.all(Array.from({ length: 12 }, listing.bind(null, 2)));
    const results = await Promise.all(many.map(async ({ sn }) => await tell(busy, sn)));
    expect(results.filter(({ code }) => code === 0)).toHaveLength(10);
    expect(results.filter(({ status }) => status === 429)).toHaveLength(2);
  });

  test('is read and decided by reviewers of its site only; of two decisions one counts', async () => {
    const goods = await listing();
    await tell(buyer, goods.sn);
    const moon = await sql<{ id: number }>`
      insert into distributor (code, name) values ('luna', '月光') returning id`.execute(t.ctx.db);
    const abroad = await t.newStaff({ role: 'reviewer', distId: moon.rows[0]?.id ?? 0 });
    expect(await queue(goods.sn, abroad)).toEqual([]);
    expect(await decide(goods.sn, {}, abroad)).toMatchObject({ code: codes.GOODS_REPORT_STATE[0] });
    const results = await Promise.all([decide(goods.sn), decide(goods.sn, { act: 'keep' })]);
    expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
  });
});
