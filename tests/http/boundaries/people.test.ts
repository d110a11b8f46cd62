/** The clocks of accounts, conversations, notices and planned versions at their limits, with the clock stopped. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeAccount } from '#subjects/accounts/contract/email-and-closing.ts';
import { saveSearchAlert } from '#subjects/offers/contract/alerts.ts';
import { publishBrand, saveBrand, staffBrandInfo } from '#subjects/distributors/contract/staff-brands.ts';
import { saveNews } from '#subjects/content/contract/staff-content.ts';
import { freezeMoney } from '#subjects/back-office/contract/freeze.ts';
import { smsBindPhone } from '#subjects/accounts/contract/sms.ts';
import { newsInfo } from '#subjects/content/contract/content.ts';
import { EXPORT_RETENTION_DAYS, requestDataExport } from '#subjects/data-export/contract/data-export.ts';
import { homeConf } from '#subjects/distributors/contract/dist.ts';
import { openService, serviceState } from '#subjects/chat/contract/im-service.ts';
import { openMiddleman } from '#subjects/middleman/contract/middleman.ts';
import { createBrand } from '#subjects/distributors/server/service.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { setSetting } from '#subjects/settings/server/service.ts';
import { nextChinaMidnight, wholeSecond } from '#tests/support/time/boundary.ts';
import type { TestApp, TestUser } from '#tests/support/servers/build.ts';
import { addCampaign } from '#tests/support/goods/campaigns.ts';
import { makeDue } from '#tests/support/time/clock.ts';
import { type ListingMarket, openListingMarket } from '#tests/support/goods/listings.ts';
import { seenAround, type StoppedClock, stoppedClock } from '#tests/support/time/stopped-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let market: ListingMarket;
let t: TestApp;
let clock: StoppedClock;
/** Six in the evening in China, before the hours at which notices go out. */
let from: number;

beforeAll(async () => {
  market = await openListingMarket();
  t = market.t;
  clock = await stoppedClock(t);
  from = nextChinaMidnight(wholeSecond()) + 18 * HOUR_MS;
});
beforeEach(async () => await clock.stopAt(from));
afterAll(async () => {
  await clock.run();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const around = async <T>(limitMs: number, see: () => Promise<T>) => await seenAround({ t, clock }, limitMs, see);
const textOf = async (query: ReturnType<typeof sql<{ text: string }>>): Promise<string | undefined> =>
  (await query.execute(t.ctx.db)).rows[0]?.text;
/** How many notices of a kind a user got. */
async function notices({ id }: TestUser, kind: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from notice where user_id = ${id} and kind like ${kind}`.execute(t.ctx.db);
  return rows[0]?.n ?? 0;
}
/** A moment as forms write it, in China. */
const minuteText = (ms: number): string => new Date(ms + 8 * HOUR_MS).toISOString().slice(0, 16);

describe('a person', () => {
  test('is erased seven days after closing the account', async () => {
    const user = await t.newUser({ stepUp: true });
    await user.client.ok(smsBindPhone, { type: 'close' });
    await user.client.ok(closeAccount, { smsCode: t.lastCode(user.phone) });
    const name = async () =>
      await textOf(sql<{ text: string }>`select nick_name as text from app_user where id = ${user.id}`);
    expect(await around(from + 7 * DAY_MS, name)).toEqual([user.nickName, '已注销用户', '已注销用户']);
  });

  test('has a copy of the data until its days are over', async () => {
    const user = await t.newUser({ stepUp: true });
    await user.client.ok(requestDataExport, {});
    await t.timers();
    const status = async () =>
      await textOf(sql<{ text: string }>`select status as text from data_export where user_id = ${user.id}`);
    const seen = await around(from + EXPORT_RETENTION_DAYS * DAY_MS, status);
    expect(seen).toEqual(['ready', 'removed', 'removed']);
  });

  test('has frozen money back when the days of the freeze are over', async () => {
    const finance = await t.newStaff({ role: 'finance' });
    const user = await t.newUser({ balanceFen: 10_000 });
    await finance.client.ok(freezeMoney, { userId: user.id, amount: '10.00', reason: '核查', days: 1 });
    const available = async () => (await loadBalances(t.ctx.db, user.id)).availableFen;
    expect(await around(from + DAY_MS, available)).toEqual([9_000, 10_000, 10_000]);
  });

  test('has a conversation with customer service until three days after its last message', async () => {
    const user = await t.newUser();
    const { groupId } = await user.client.ok(openService, {});
    const open = async () => (await user.client.ok(serviceState, {})).open?.groupId;
    expect(await around(from + 3 * DAY_MS, open)).toEqual([groupId, undefined, undefined]);
  });

  test('has an offer of a deal until its hours are over', async () => {
    const user = await t.newUser();
    const deal = { belong: 1, title: '一套典藏皮肤礼包', description: '当面交付', price: '1000.00', feeSide: 'half' };
    const { dealSn } = await user.client.ok(openMiddleman, deal as never);
    const { answerHours } = t.ctx.dir.setting('middleman');
    const status = async () =>
      await textOf(sql<{ text: string }>`select status as text from middleman_deal where sn = ${dealSn}`);
    const [before, at, after] = await around(from + answerHours * HOUR_MS, status);
    expect([before === 'expired', at, after]).toEqual([false, 'expired', 'expired']);
  });
});

describe('a notice', () => {
  test('about the day’s matches is sent at eight in the evening in China', async () => {
    const user = await t.newUser();
    const search = {
      gameId: 1,
      goodsTypeId: 1,
      keyWord: '凤求凰',
      title: '王者荣耀 账号 凤求凰',
      path: '/wares?gt=1&gid=1&keyWord=%E5%87%A4',
      frequency: 'daily',
    };
    await user.client.ok(saveSearchAlert, search as never);
    await market.add({ title: '凤求凰 甲', fen: 12_000 });
    await t.relay();
    expect(await around(from + 2 * HOUR_MS, () => notices(user, 'goods.%'))).toEqual([0, 1, 1]);
    // A match at that moment or later waits for the next evening.
    await market.add({ title: '凤求凰 乙', fen: 11_000 });
    await t.relay();
    expect(await around(from + 26 * HOUR_MS, () => notices(user, 'goods.%'))).toEqual([1, 2, 2]);
  });

  test('about expiring coupons is sent at ten in the morning in China, for those that end within 25 hours', async () => {
    const morning = nextChinaMidnight(from) + 10 * HOUR_MS;
    // The tests before moved the clock by days: the daily round is at its next morning again.
    await makeDue(t.ctx.db, 'coupon.expiring');
    await t.timers();
    await addCampaign(t.ctx, { code: 'soon', amountFen: 800, perPerson: 5 });
    const owners: TestUser[] = [];
    for (const endsIn of [HOUR_MS, HOUR_MS + 1000, 25 * HOUR_MS, 25 * HOUR_MS + 1000]) {
      const owner = await t.newUser();
      await sql`insert into coupon (campaign_id, user_id, serial, expires_at)
        select id, ${owner.id}, ${owners.length + 1}, ${new Date(morning + endsIn)} from coupon_campaign where code = 'soon'`.execute(
        t.ctx.db,
      );
      owners.push(owner);
    }
    const told = async () => await Promise.all(owners.map((owner) => notices(owner, 'activity.coupon')));
    expect(await around(morning, told)).toEqual([
      [0, 0, 0, 0],
      [0, 1, 1, 0],
      [0, 1, 1, 0],
    ]);
  });
});

describe('a planned version', () => {
  const begin = () => nextChinaMidnight(from);

  test('applies to a setting from its start time, and is announced then', async () => {
    const typed = { sellerBp: '6.25' };
    await setSetting(t.ctx, { key: 'fees', typed, from: new Date(begin()), reason: '换月' });
    const announced: string[] = [];
    const end = t.ctx.bus.subscribe('conf', () => announced.push('conf'));
    const seen = await around(begin(), async () => {
      const isAnnounced = announced.length > 0;
      await t.ctx.dir.reload();
      return [t.ctx.dir.setting('fees').sellerBp, isAnnounced];
    });
    end();
    expect(seen).toEqual([
      [500, false],
      [625, true],
      [625, true],
    ]);
  });

  test('makes a brand public from its start time', async () => {
    const host = 'star.localhost';
    const { distId } = await createBrand(
      t.ctx,
      { id: null },
      { code: 'star', name: '星河网游', host, reason: '新品牌' },
    );
    const { client } = await t.newStaff({ role: 'operator', distId });
    const { newest, newestContent } = await client.ok(staffBrandInfo, { distId });
    const content = { ...newestContent, welcome: '周年快乐' };
    const { version } = await client.ok(saveBrand, { distId, base: newest, content, reason: '草稿' });
    const plan = { distId, version, live: (await client.ok(staffBrandInfo, { distId })).live, reason: '活动' };
    await client.ok(publishBrand, { ...plan, startTime: minuteText(begin()) });
    const isThere = async () => {
      const conf = await t.client({ host }).ok(homeConf, {});
      return conf.distBaseConf.hdrBarWelceWord === '周年快乐';
    };
    expect(await around(begin(), isThere)).toEqual([false, true, true]);
  });

  test('makes an article public and announced from its start time', async () => {
    const { client } = await t.newStaff({ role: 'content' });
    const reader = await t.newUser();
    await sql`update app_user set last_seen_at = now() where id = ${reader.id}`.execute(t.ctx.db);
    const article = {
      category: 'notice',
      title: '测试公告',
      summary: '摘要',
      body: '第一段',
      code: 'planned',
    } as const;
    const fromTime = minuteText(begin());
    const { id } = await client.ok(saveNews, { ...article, publish: true, pinned: true, fromTime });
    const seen = await around(begin(), async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from notice where user_id = ${reader.id} and ref = ${`news:${id}`}`.execute(t.ctx.db);
      return [(await t.client().call(newsInfo, { id })).status, rows[0]?.n];
    });
    expect(seen).toEqual([
      [404, 0],
      [200, 1],
      [200, 1],
    ]);
  });
});
