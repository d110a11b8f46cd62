/** Entries of the blacklist by staff: without a report, with grounds that stay inside, open to an appeal. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addBlack,
  decideAppeal,
  staffAppealList,
  staffBlackList,
} from '#subjects/verification/contract/staff-trust.ts';
import { codes } from '#contract/codes.ts';
import { appealBlack, blackCheck, blackInfo } from '#subjects/verification/contract/verification.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { pictureFile, sendPicture } from '#tests/support/goods/offers.ts';

let t: TestApp;
let reviewer: TestStaff;
let other: TestStaff;
beforeAll(async () => {
  t = await testApp();
  [reviewer, other] = await Promise.all([t.newStaff({ role: 'reviewer' }), t.newStaff({ role: 'reviewer' })]);
});
afterAll(async () => await t.close());

test('an account is listed without a report, once, and another person decides on an appeal', async () => {
  const qq = '812345678';
  const entry = {
    reason: 'fraud' as const,
    title: '多个平台通报的骗子',
    accounts: [{ kind: 'qq' as const, value: qq }],
    publicText: '多名买家付款后失联',
    grounds: '另一平台 11 月通报，三位买家提供了付款记录',
    days: 90,
  };
  const service = await t.newStaff({ role: 'service' });
  expect((await service.client.call(addBlack, entry)).status).toBe(403);
  expect(await reviewer.client.call(addBlack, { ...entry, accounts: [{ kind: 'qq', value: '12' }] })).toMatchObject({
    msg: '账号至少 4 个字符',
    field: expect.stringMatching(/^accounts/),
  });
  const tries = await Promise.all([reviewer.client.call(addBlack, entry), other.client.call(addBlack, entry)]);
  expect(tries.filter(({ code }) => code === 0)).toHaveLength(1);
  const rejected = tries.find(({ code }) => code !== 0);
  expect(rejected).toMatchObject({ code: codes.BLACK_STATE[0], field: 'accounts' });
  const author = tries[0]?.code === 0 ? reviewer : other;
  const check = await t.client().ok(blackCheck, { content: qq });
  expect(check).toMatchObject({ result: 1, list: [{ title: entry.title }] });
  const blackSn = check.list[0]?.blackSn ?? '';
  const view = await t.client().ok(blackInfo, { blackSn });
  expect(view.content).toBe(entry.publicText);
  expect(JSON.stringify(view)).not.toContain('通报，三位');
  const row = (await author.client.ok(staffBlackList, { status: 'listed', keyWord: qq })).list[0];
  expect(row).toMatchObject({ blackSn, reporter: '平台', content: entry.grounds });

  const user = await t.newUser();
  await user.client.ok(appealBlack, {
    blackSn,
    content: '号码是我新买的，不是原来的人',
    pictures: [(await sendPicture(user.client, await pictureFile('png'), { purpose: 'evidence' })).data.key],
  });
  const appeal = (await author.client.ok(staffAppealList, {})).list.find((one) => one.blackSn === blackSn);
  expect(appeal?.isMine).toBe(true);
  const decision = { appealId: appeal?.appealId ?? 0, act: 'grant' as const, answer: '换了使用人，移出名单' };
  expect((await author.client.call(decideAppeal, decision)).code).toBe(codes.BLACK_OTHER_PERSON[0]);
  await (author === reviewer ? other : reviewer).client.ok(decideAppeal, decision);
  expect((await t.client().ok(blackCheck, { content: qq })).result).toBe(2);
});
