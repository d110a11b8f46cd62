/** Whom to trust: our own numbers, false customer services, the blacklist from report to appeal. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addNumber,
  decideAppeal,
  decideBlack,
  decideFake,
  endNumber,
  staffAppealList,
  staffBlackList,
  staffFakeList,
  staffNumberList,
} from '#subjects/verification/contract/staff-trust.ts';
import { codes } from '#contract/codes.ts';
import { chinaDay, dayAfter } from '#contract/rules/time/china-time.ts';
import {
  appealBlack,
  blackCheck,
  blackInfo,
  blackList,
  myBlackList,
  queryVerifyCustomer,
  releaseBlack,
  reportFakeService,
} from '#subjects/verification/contract/verification.ts';
import { externalBlacklist } from '#server/adapters/blacklist/external.ts';
import { makeDue } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { pictureFile, sendPicture } from '#tests/support/goods/offers.ts';

let t: TestApp;
let reviewer: TestStaff;
let other: TestStaff;
let admin: TestStaff;
let silent = false;
let requestCount = 0;

beforeAll(async () => {
  t = await testApp({
    overrides: {
      blacklist: {
        name: '外部名单',
        check(content) {
          requestCount += 1;
          if (silent) return Promise.reject(new Error('silent'));
          return Promise.resolve(content === 'outside-bad' ? 2 : 0);
        },
      },
    },
  });
  [reviewer, other, admin] = await Promise.all([
    t.newStaff({ role: 'reviewer' }),
    t.newStaff({ role: 'reviewer' }),
    t.newStaff({ role: 'admin' }),
  ]);
});
afterAll(async () => await t.close());

let numbers = 0;
const newQq = (): string => String(800_000_000 + (numbers += 1));

async function evidence(user: TestUser): Promise<string> {
  return (await sendPicture(user.client, await pictureFile('png'), { purpose: 'evidence' })).data.key;
}

const reportOf = (qq: string, key: string) => ({
  reason: 'fraud' as const,
  title: '收款后失联',
  content: '约定站外交易，付款之后就把我删除了',
  accounts: [{ kind: 'qq' as const, value: qq }],
  pictures: [key],
});

/** A report that a reviewer has listed. */
async function listed(qq: string, by = reviewer): Promise<{ blackSn: string; user: TestUser }> {
  const user = await t.newUser();
  const { blackSn } = await user.client.ok(releaseBlack, reportOf(qq, await evidence(user)));
  await by.client.ok(decideBlack, { blackSn, act: 'list', publicText: '收款后失联，拒绝交付', days: 90 });
  return { blackSn, user };
}

describe('customer service', () => {
  test('an official number is confirmed in any notation; queries of a false one are counted by user', async () => {
    const qq = newQq();
    await admin.client.ok(addNumber, { kind: 'qq', value: qq, name: '小林', duty: '售前客服', shown: '1' });
    const spaced = `${qq.slice(0, 3)}${qq.slice(3)}`;
    expect(await t.client().ok(queryVerifyCustomer, { queryType: 1, queryValue: spaced })).toMatchObject({
      isReal: true,
      result: 1,
      name: '小林',
      duty: '售前客服',
    });
    const bad = newQq();
    const first = t.client();
    await first.ok(queryVerifyCustomer, { queryType: 1, queryValue: bad });
    expect((await first.ok(queryVerifyCustomer, { queryType: 1, queryValue: bad })).askedCount).toBe(1);
    expect(await t.client().ok(queryVerifyCustomer, { queryType: 1, queryValue: bad })).toMatchObject({
      isReal: false,
      result: 2,
      name: null,
      askedCount: 2,
    });
  });

  test('a number is confirmed only on its site and before its end', async () => {
    await sql`insert into distributor (id, code, name, conf, theme) overriding system value
      select 2, 'moon', '月光', conf, theme from distributor where id = 1 on conflict do nothing`.execute(t.ctx.db);
    await sql`insert into dist_host (host, dist_id) values ('moon.example', 2) on conflict do nothing`.execute(
      t.ctx.db,
    );
    await t.ctx.dir.reload();
    const operator = await t.newStaff({ role: 'admin', distId: 2 });
    const qq = newQq();
    const { numberId } = await operator.client.ok(addNumber, { kind: 'qq', value: qq, name: '月光客服' });
    const send = async (host: string) =>
      (await t.client({ host }).ok(queryVerifyCustomer, { queryType: 1, queryValue: qq })).isReal;
    expect([await send('moon.example'), await send('localhost')]).toEqual([true, false]);
    const platform = await t.newStaff({ role: 'admin' });
    const { list } = await platform.client.ok(staffNumberList, {});
    expect(list.find((one) => one.numberId === numberId)).toMatchObject({ value: qq, siteName: '月光' });
    await operator.client.ok(endNumber, { numberId });
    expect((await operator.client.call(endNumber, { numberId })).status).toBe(404);
    expect(await send('moon.example')).toBe(false);
  });

  test.each([
    [1, '0123456', '请输入正确的客服QQ'],
    [1, '1234', '请输入正确的客服QQ'],
    [2, 'wx123', '请输入正确的客服微信'],
    [3, '12345678901', '请输入正确的手机号或客服电话'],
    [6, '123456', '查询类型超出范围'],
  ])('type %i %s is rejected with a message', async (queryType, queryValue, msg) => {
    expect(await t.client().call(queryVerifyCustomer, { queryType, queryValue })).toMatchObject({ status: 422, msg });
  });

  test('no queried number is stored in plain text, and a user is limited to ten queries a minute', async () => {
    const qq = newQq();
    const user = await t.newUser();
    await user.client.ok(queryVerifyCustomer, { queryType: 1, queryValue: qq });
    await user.client.ok(reportFakeService, { kind: 'qq', value: qq, content: '自称客服让我转账' });
    for (const table of ['verify_query', 'fake_service_report', 'official_number'] as const) {
      const { rows } = await sql<{ n: string }>`
        select count(*) as n from ${sql.table(table)} x where (to_jsonb(x) - 'show_value')::text like ${`%${qq}%`}`.execute(
        t.ctx.db,
      );
      expect(Number(rows[0]?.n), table).toBe(0);
    }
    const codesSeen = new Set<number>();
    for (let i = 0; i < 12; i++)
      codesSeen.add((await user.client.call(queryVerifyCustomer, { queryType: 1, queryValue: qq })).code);
    expect(codesSeen).toContain(codes.RATE_LIMITED[0]);
  });

  test('a report reaches the reviewers with its number, and one decision closes all reports of that number', async () => {
    const qq = newQq();
    const user = await t.newUser();
    const key = await evidence(user);
    await user.client.ok(reportFakeService, { kind: 'qq', value: qq, content: '自称客服让我转账', pictures: [key] });
    await t
      .client()
      .ok(reportFakeService, { kind: 'qq', value: qq, content: '同一个人也加了我', contact: 'wx-abc123' });
    const { list } = await reviewer.client.ok(staffFakeList, {});
    const mine = list.filter(({ value }) => value === qq);
    expect(mine).toMatchObject([
      { sameCount: 2, reporter: user.nickName, contact: null },
      { sameCount: 2, reporter: null, contact: 'wx-abc123' },
    ]);
    const service = await t.newStaff({ role: 'service' });
    expect((await service.client.call(staffFakeList, {})).status).toBe(403);
    const reportId = mine[0]?.reportId ?? 0;
    const tries = await Promise.all(
      [reviewer, other].map((one) =>
        one.client.call(decideFake, { reportId, act: 'list', publicText: '冒充本站客服，引导站外转账' }),
      ),
    );
    expect(tries.filter(({ code }) => code === 0)).toHaveLength(1);
    expect((await reviewer.client.ok(staffFakeList, {})).list.filter(({ value }) => value === qq)).toEqual([]);
    const found = await t.client().ok(queryVerifyCustomer, { queryType: 1, queryValue: qq });
    expect(found.blackSn).not.toBeNull();
    expect((await t.client().ok(blackInfo, { blackSn: found.blackSn ?? '' })).reasonName).toBe('冒充客服');
  });

  test('an official number cannot be reported; visitors and users cannot attach pictures of others', async () => {
    const qq = newQq();
    await admin.client.ok(addNumber, { kind: 'qq', value: qq, name: '小周' });
    const rejected = await t.client().call(reportFakeService, { kind: 'qq', value: qq, content: '这是假的吧' });
    expect(rejected.msg).toBe('这是本站的真客服账号，无需举报');
    const user = await t.newUser();
    const key = await evidence(user);
    const overrides = { kind: 'qq' as const, value: newQq(), content: '自称客服让我转账', pictures: [key] };
    expect((await t.client().call(reportFakeService, overrides)).status).toBe(401);
    const thief = await t.newUser();
    expect((await thief.client.call(reportFakeService, overrides)).code).toBe(codes.PICTURE_BROKEN[0]);
  });
});

describe('the check of an account', () => {
  test('returns listed, clean or unknown, and queries the external service once a day', async () => {
    const qq = newQq();
    await listed(qq);
    expect(await t.client().ok(blackCheck, { content: qq })).toMatchObject({
      result: 1,
      list: [{ title: '收款后失联', reasonName: '诈骗' }],
      sources: [{ result: 1 }, { name: '外部名单', result: 2 }],
    });
    expect(await t.client().ok(blackCheck, { content: 'outside-bad' })).toMatchObject({ result: 1, list: [] });
    const clean = newQq();
    const before = requestCount;
    for (let i = 0; i < 3; i++) expect((await t.client().ok(blackCheck, { content: clean })).result).toBe(2);
    expect(requestCount).toBe(before + 1);
    silent = true;
    expect(await t.client().ok(blackCheck, { content: newQq() })).toMatchObject({ result: 0, list: [] });
    // Our own entries are returned although no other source responds.
    const known = newQq();
    await listed(known);
    expect((await t.client().ok(blackCheck, { content: known })).result).toBe(1);
    silent = false;
    expect((await t.client().call(blackCheck, { content: '' })).status).toBe(422);
  });

  test('the external service is called as specified', async () => {
    const seen: URL[] = [];
    const vendor: Server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://vendor');
      seen.push(url);
      const content = url.searchParams.get('content');
      response.statusCode = content === 'broken' ? 500 : 200;
      response.end(
        JSON.stringify(content === 'refused' ? { code: 9 } : { code: 0, data: content === 'bad' ? [1] : [] }),
      );
    });
    await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/check`;
      const adapter = externalBlacklist({ url, user: 'u1', appId: 'a1' });
      expect([await adapter.check('bad'), await adapter.check('good')]).toEqual([1, 0]);
      await expect(adapter.check('refused')).rejects.toThrow('rejected');
      await expect(adapter.check('broken')).rejects.toThrow();
      expect(Object.fromEntries(seen[0]?.searchParams ?? [])).toEqual({
        accessUserid: 'u1',
        content: 'bad',
        appid: 'a1',
      });
    } finally {
      vendor.close();
    }
  });
});

describe('a report', () => {
  test('is visible only to its reporter until listed, then published without the reported data', async () => {
    const user = await t.newUser();
    const qq = newQq();
    const overrides = reportOf(qq, await evidence(user));
    const first = await user.client.ok(releaseBlack, overrides, { idempotencyKey: `r-${qq}` });
    expect(await user.client.ok(releaseBlack, overrides, { idempotencyKey: `r-${qq}` })).toEqual(first);
    const { blackSn } = first;
    expect((await t.client().call(blackInfo, { blackSn })).status).toBe(404);
    expect(await user.client.ok(blackInfo, { blackSn })).toMatchObject({
      isMine: true,
      status: 'reviewing',
      content: overrides.content,
    });
    expect((await user.client.ok(myBlackList, {})).list).toHaveLength(1);
    expect((await t.client().ok(blackCheck, { content: qq })).result).toBe(2);

    await reviewer.client.ok(decideBlack, { blackSn, act: 'list', publicText: '核实：收款失联' });
    const view = await t.client().ok(blackInfo, { blackSn });
    expect(view).toMatchObject({ content: '核实：收款失联', isMine: false, canAppeal: false, reviewNote: null });
    expect(JSON.stringify(view)).not.toContain(qq);
    expect(view.accounts).toEqual([{ kind: 'qq', kindName: 'QQ', mask: `${qq.slice(0, 2)}****${qq.slice(-2)}` }]);
    expect((await t.client().ok(blackList, {})).list[0]?.blackSn).toBe(blackSn);
  });

  test('is decided once by concurrent reviewers; a rejection needs a reason', async () => {
    const user = await t.newUser();
    const { blackSn } = await user.client.ok(releaseBlack, reportOf(newQq(), await evidence(user)));
    expect((await reviewer.client.call(decideBlack, { blackSn, act: 'reject' })).msg).toBe('请填写原因');
    expect((await reviewer.client.call(decideBlack, { blackSn, act: 'list' })).msg).toBe('请填写公示内容');
    const tries = await Promise.all([
      reviewer.client.call(decideBlack, { blackSn, act: 'reject', note: '凭证看不出收款人' }),
      other.client.call(decideBlack, { blackSn, act: 'reject', note: '凭证看不清' }),
    ]);
    expect(tries.filter(({ code }) => code === 0)).toHaveLength(1);
    const mine = await user.client.ok(blackInfo, { blackSn });
    expect(mine.status).toBe('rejected');
    expect(mine.reviewNote).toMatch(/^凭证/);
    const service = await t.newStaff({ role: 'service' });
    expect((await service.client.call(decideBlack, { blackSn, act: 'reject', note: '不行' })).status).toBe(403);
    const elsewhere = await t.newStaff({ role: 'reviewer', distId: 2 });
    expect((await elsewhere.client.ok(staffBlackList, { status: 'rejected' })).list).toEqual([]);
  });

  test("needs the reporter's own pictures and order, and is limited to ten a day", async () => {
    const user = await t.newUser();
    const thief = await t.newUser();
    const key = await evidence(user);
    expect((await thief.client.call(releaseBlack, reportOf(newQq(), key))).code).toBe(codes.PICTURE_BROKEN[0]);
    // The form offers today by China's calendar, which is the day before in UTC until 08:00.
    const today = chinaDay(new Date());
    for (const happenedDay of [dayAfter(today, 1), '2026-02-30'])
      expect(await user.client.call(releaseBlack, { ...reportOf(newQq(), key), happenedDay })).toMatchObject({
        code: codes.BAD_INPUT[0],
        field: 'happenedDay',
      });
    const happened = { ...reportOf(newQq(), await evidence(thief)), happenedDay: today };
    expect((await thief.client.call(releaseBlack, happened)).code).toBe(0);
    const order = await user.client.call(releaseBlack, { ...reportOf(newQq(), key), orderSn: '261101000000123456' });
    expect(order.code).toBe(codes.ORDER_NOT_FOUND[0]);
    const tries = await Promise.all(
      Array.from({ length: 14 }, () => user.client.call(releaseBlack, reportOf(newQq(), key))),
    );
    expect(tries.filter(({ code }) => code === 0)).toHaveLength(10);
    expect(tries.filter(({ code }) => code === codes.BLACK_TOO_MANY[0])).toHaveLength(4);
  });

  test('leaves the list at its end', async () => {
    const qq = newQq();
    const { blackSn } = await listed(qq);
    await sql`update black_entry set listed_at = now() - interval '2 days', expires_at = now() - interval '1 minute' where sn = ${blackSn}`.execute(
      t.ctx.db,
    );
    expect((await t.client().ok(blackCheck, { content: qq })).result).toBe(2);
    await makeDue(t.ctx.db, 'trust.sweep');
    await t.timers();
    const { rows } = await sql<{ status: string }>`select status from black_entry where sn = ${blackSn}`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.status).toBe('expired');
    expect((await t.client().call(blackInfo, { blackSn })).status).toBe(404);
  });
});

describe('an appeal', () => {
  test('is one at a time, decided by another member of staff, and removes the entry', async () => {
    const qq = newQq();
    const { blackSn, user: reporter } = await listed(qq);
    const named = await t.newUser();
    expect((await named.client.ok(blackInfo, { blackSn })).canAppeal).toBe(true);
    const overrides = { blackSn, content: '我是号主本人，当时已经全额退款' };
    const tries = await Promise.all(Array.from({ length: 5 }, () => named.client.call(appealBlack, overrides)));
    expect(tries.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(tries.filter(({ code }) => code === codes.BLACK_APPEALED[0])).toHaveLength(4);
    expect((await reporter.client.call(appealBlack, overrides)).code).toBe(codes.BLACK_STATE[0]);
    const state = await named.client.ok(blackInfo, { blackSn });
    expect(state).toMatchObject({ canAppeal: false, appeal: { status: 'reviewing', answer: null } });

    const find = async (staff: TestStaff) =>
      (await staff.client.ok(staffAppealList, {})).list.find((one) => one.blackSn === blackSn);
    const appeal = await find(reviewer);
    expect(appeal).toMatchObject({ isMine: true, appellant: named.nickName });
    const decide = { appealId: appeal?.appealId ?? 0, act: 'grant', answer: '退款凭证属实' } as const;
    expect((await reviewer.client.call(decideAppeal, decide)).code).toBe(codes.BLACK_OTHER_PERSON[0]);
    const both = await Promise.all([other.client.call(decideAppeal, decide), admin.client.call(decideAppeal, decide)]);
    expect(both.filter(({ code }) => code === 0)).toHaveLength(1);
    expect((await t.client().ok(blackCheck, { content: qq })).result).toBe(2);
    expect(await find(other)).toBeUndefined();
    const { rows } = await sql<{ act: string }>`
      select act from audit_log where target = ${`appeal:${decide.appealId}`}`.execute(t.ctx.db);
    expect(rows).toEqual([{ act: 'black.appeal' }]);
  });

  test('keeps the entry when it is rejected, and shows the response', async () => {
    const { blackSn } = await listed(newQq());
    const named = await t.newUser();
    await named.client.ok(appealBlack, { blackSn, content: '这不是我的账号，请重新核对' });
    const { list } = await other.client.ok(staffAppealList, {});
    const appealId = list.find((one) => one.blackSn === blackSn)?.appealId ?? 0;
    await other.client.ok(decideAppeal, { appealId, act: 'refuse', answer: '收款流水与账号一致' });
    expect(await named.client.ok(blackInfo, { blackSn })).toMatchObject({
      status: 'listed',
      canAppeal: true,
      appeal: { status: 'refused', answer: '收款流水与账号一致' },
      process: [{}, {}, { text: '收到申诉，由另一位审核员复核' }, { text: '申诉不成立，维持名单' }],
    });
  });
});
