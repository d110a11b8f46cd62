/** Notices about reports and appeals, account changes, frozen money, hidden listings, coupons and announcements. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeAccount } from '#subjects/accounts/contract/email-and-closing.ts';
import { decideAppeal, decideBlack, staffAppealList } from '#subjects/verification/contract/staff-trust.ts';
import { publishNews, saveNews } from '#subjects/content/contract/staff-content.ts';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import * as m from '#subjects/middleman/contract/middleman.ts';
import { appealBlack, releaseBlack } from '#subjects/verification/contract/verification.ts';
import { smsBindPhone } from '#subjects/accounts/contract/sms.ts';
import { userInfo } from '#subjects/accounts/contract/user.ts';
import { endFreeze, freezeUserMoney } from '#subjects/ledger/server/service.ts';
import { inTransaction } from '#server/db/client.ts';
import { makeDue } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { addCampaign } from '#tests/support/goods/campaigns.ts';
import { connect } from '#tests/support/market/chat.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { pictureFile, sendPicture } from '#tests/support/goods/offers.ts';

let t: TestApp;
let reviewer: TestStaff;
let other: TestStaff;

beforeAll(async () => {
  t = await testApp({ env: { DEMO: '0' } });
  await addGame(t.ctx);
  [reviewer, other] = await Promise.all([t.newStaff({ role: 'reviewer' }), t.newStaff({ role: 'reviewer' })]);
});
afterAll(async () => await t.close());

async function notices(user: TestUser): Promise<[kind: string, title: string, body: string, link: string | null][]> {
  await t.relay();
  const { list } = await user.client.ok(noticeList, { pageSize: '50' });
  return list.map((n) => [n.kind, n.title, n.body, n.link]);
}

async function away(user: TestUser, days: number): Promise<void> {
  await sql`update app_user set last_seen_at = now() - make_interval(hours => ${Math.round(days * 24)}) where id = ${user.id}`.execute(
    t.ctx.db,
  );
}

async function round(kind: string): Promise<void> {
  await makeDue(t.ctx.db, kind);
  await t.timers();
}

test('the author of a report or an appeal is notified of the decision with reason and link', async () => {
  const reporter = await t.newUser();
  const evidence = await sendPicture(reporter.client, await pictureFile('png'), { purpose: 'evidence' });
  const { blackSn } = await reporter.client.ok(releaseBlack, {
    reason: 'fraud',
    title: '收款后失联',
    content: '约定站外交易，付款之后就把我删除了',
    accounts: [{ kind: 'qq', value: '800123456' }],
    pictures: [evidence.data.key],
  });
  await reviewer.client.ok(decideBlack, { blackSn, act: 'list', publicText: '核实：收款失联', days: 90 });
  expect(await notices(reporter)).toEqual([
    ['service.black', '举报已核实', `您举报的记录 ${blackSn} 已列入黑号名单公示。`, `/black/${blackSn}`],
  ]);
  const named = await t.newUser();
  await named.client.ok(appealBlack, { blackSn, content: '我是号主本人，当时已经全额退款' });
  const { list } = await other.client.ok(staffAppealList, {});
  const appealId = list.find((one) => one.blackSn === blackSn)?.appealId ?? 0;
  await other.client.ok(decideAppeal, { appealId, act: 'refuse', answer: '收款流水与账号一致' });
  expect(await notices(named)).toEqual([
    ['service.black', '申诉未通过', `记录 ${blackSn} 维持公示：收款流水与账号一致。`, `/black/${blackSn}`],
  ]);
});

test('the opener of a deal is notified of its acceptance and the next step', async () => {
  const [seller, buyer] = await Promise.all([t.newUser(), t.newUser()]);
  const { dealSn, path } = await seller.client.ok(m.openMiddleman, {
    belong: 1,
    title: '一套典藏皮肤礼包',
    description: '当面交付',
    price: '100.00',
    feeSide: 'half',
  });
  const code = new URLSearchParams(path.split('?')[1]).get('code') ?? '';
  const { orderSn } = await buyer.client.ok(m.respondMiddleman, { dealSn, act: 'accept', code });
  expect(await notices(seller)).toEqual([
    [
      'order.deal',
      '对方已接受担保交易',
      '「一套典藏皮肤礼包」等待对方付款，付款后会再通知您。',
      `/center/buyOrderDetail?orderSn=${orderSn}`,
    ],
  ]);
});

test('the owner is notified of account changes, and by SMS when the account is closed', async () => {
  const user = await t.newUser();
  for (const topic of ['account.thirdPartyBound', 'account.thirdPartyUnbound'])
    await sql`insert into outbox (topic, payload) values (${topic}, ${JSON.stringify({ userId: user.id, provider: 'wechat' })}::jsonb)`.execute(
      t.ctx.db,
    );
  expect((await notices(user)).map(([kind, title]) => [kind, title])).toEqual([
    ['security.change', '微信登录已解绑'],
    ['security.change', '微信登录已绑定'],
  ]);
  await user.client.ok(smsBindPhone, { type: 'close' });
  await user.client.ok(closeAccount, { smsCode: t.lastCode(user.phone) });
  await t.relay();
  await round('notice.send');
  const texts = t.sms.filter((s) => s.phone === user.phone && s.text !== undefined).map((s) => s.text);
  expect(texts).toContainEqual(expect.stringMatching(/您的账号已于 .+ 注销，个人资料将于 .+ 清除/));
});

test('the owner is notified when money is frozen and released', async () => {
  const user = await t.newUser({ balanceFen: 10_000 });
  const holdId = await inTransaction(t.ctx.db, (trx) =>
    freezeUserMoney(trx, { userId: user.id, amountFen: 6000, reason: '收款账户核实', days: 3 }),
  );
  await endFreeze(t.ctx.db, holdId, '核实无误');
  expect(await notices(user)).toEqual([
    ['money.hold', '资金冻结变动', '冻结的 60.00 元已解除，转回可用余额。原因：核实无误', '/center/mywallets'],
    [
      'money.hold',
      '资金冻结变动',
      '平台冻结了余额中的 60.00 元，3 天后自动解除。原因：收款账户核实',
      '/center/mywallets',
    ],
  ]);
});

test('the listings of an inactive seller are hidden after a warning and shown again at the next visit', async () => {
  const seller = await t.newUser();
  const shelved = [await addGoods(t.ctx, { sellerId: seller.id }), await addGoods(t.ctx, { sellerId: seller.id })];
  const statuses = async () =>
    (
      await sql<{ status: number; found: boolean }>`
        select g.status, exists (select from goods_search s where s.goods_id = g.id) as found from goods g where seller_id = ${seller.id} order by id`.execute(
        t.ctx.db,
      )
    ).rows.map((r) => [r.status, r.found]);
  await sql`insert into outbox (topic, payload) values ('goods.reindex', ${JSON.stringify({ goodsIds: shelved.map((g) => g.id) })}::jsonb)`.execute(
    t.ctx.db,
  );
  await t.relay();
  await away(seller, 6.5);
  await round('goods.away');
  await round('goods.away');
  await t.relay();
  expect(await statuses()).toEqual([
    [2, true],
    [2, true],
  ]);
  const { rows } = await sql<{
    body: string;
  }>`select body from notice where user_id = ${seller.id} and kind = 'goods.hidden'`.execute(t.ctx.db);
  expect(rows.map((r) => r.body)).toEqual([
    expect.stringMatching(/^您有 2 件商品因长时间未登录将于 \d\d-\d\d \d\d:\d\d 隐藏/),
  ]);
  await away(seller, 7.1);
  await round('goods.away');
  await t.relay();
  expect(await statuses()).toEqual([
    [7, false],
    [7, false],
  ]);
  await seller.client.ok(userInfo, {});
  await t.relay();
  expect(await statuses()).toEqual([
    [2, true],
    [2, true],
  ]);
});

test('coupons that expire within a day are combined into one notice', async () => {
  const user = await t.newUser();
  await addCampaign(t.ctx, { code: 'soon', amountFen: 800, perPerson: 5 });
  for (const [serial, hours] of [
    [1, 5],
    [2, 20],
    [3, 60],
  ] as const)
    await sql`insert into coupon (campaign_id, user_id, serial, expires_at)
      select id, ${user.id}, ${serial}, now() + make_interval(hours => ${hours}) from coupon_campaign where code = 'soon'`.execute(
      t.ctx.db,
    );
  await round('coupon.expiring');
  await round('coupon.expiring');
  const list = await notices(user);
  expect(list).toHaveLength(1);
  expect(list[0]?.[2]).toMatch(/^您有 2 张优惠券将于 .+ 起陆续过期，最高可减 8.00 元。$/);
});

test('a pinned announcement notifies recently active users once; an unpinned one notifies no one', async () => {
  const [here, gone] = await Promise.all([t.newUser(), t.newUser()]);
  await away(gone, 40);
  const writer = await t.newStaff({ role: 'content' });
  const text = {
    category: 'notice' as const,
    title: '包赔规则更新',
    summary: '第七天自动赔付',
    body: '第七天到期未追回，自动赔付。',
  };
  for (const [code, pinned] of [
    ['rule-pinned', '1'],
    ['rule-plain', '0'],
  ] as const) {
    const { id } = await writer.client.ok(saveNews, { ...text, code, pinned });
    for (const act of ['publish', 'withdraw', 'publish'] as const) await writer.client.ok(publishNews, { id, act });
  }
  expect(await notices(here)).toEqual([
    ['activity.notice', '平台公告', '包赔规则更新：第七天自动赔付', '/news/rule-pinned'],
  ]);
  const { rows } = await sql`select from notice where user_id = ${gone.id}`.execute(t.ctx.db);
  expect(rows).toEqual([]);
});

test('a new notice is announced on the recipient’s open chat connection and on no other', async () => {
  const [buyer, seller, stranger] = await Promise.all([t.newUser(), t.newUser(), t.newUser()]);
  const [one, none] = [await connect(t, seller), await connect(t, stranger)];
  await sql`insert into outbox (topic, payload) values ('deposit.released', ${JSON.stringify({ userId: seller.id, text: '1.00' })}::jsonb)`.execute(
    t.ctx.db,
  );
  await t.relay();
  expect(await one.next('notice')).toEqual({ op: 'notice' });
  await none.settled();
  expect(none.of('notice')).toEqual([]);
  expect(await notices(buyer)).toEqual([]);
  await Promise.all([one.cut(), none.cut()]);
});
