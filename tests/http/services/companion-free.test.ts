/** The list of companions by when they are free and by voice: the same answer as their calendar and card give. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { updateAccompanyer } from '#subjects/services/contract/accompanyer.ts';
import { codes } from '#contract/codes.ts';
import { companionCards } from '#subjects/services/contract/companions.ts';
import { getGoodsList } from '#subjects/goods/contract/goods.ts';
import { chinaMidnight, freeWindow, HOUR_MS } from '#subjects/services/rules/companion-slots.ts';
import { reindexGoods } from '#subjects/goods/server/service.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { memoryClock } from '#tests/support/time/clock.ts';
import { addPlayGame, companionTrade, openedCompanion } from '#tests/support/services/companion.ts';

let t: TestApp;
const clock = memoryClock();
let staff: TestStaff;
type Opened = Awaited<ReturnType<typeof openedCompanion>>;
let [always, resting, asleep, mute]: Opened[] = [];

const today = (): number => (new Date(Date.now() + 8 * HOUR_MS).getUTCDay() + 6) % 7;
/** A week whose only hour of work is one of another day than today's, tomorrow's and the weekend's. */
const farHour = () => [1, 2, 3].filter((day) => day !== today() && day !== (today() + 1) % 7).slice(0, 1);

beforeAll(async () => {
  t = await testApp({ overrides: { monotonicMs: clock.monotonicMs } });
  await addPlayGame(t);
  staff = await t.newStaff();
  always = await openedCompanion(t, staff, { profile: { gender: 'female' } });
  resting = await openedCompanion(t, staff, { profile: { gender: 'male' } });
  await resting.companion.client.ok(updateAccompanyer, { isOnline: '0' } as never);
  asleep = await openedCompanion(t, staff, { profile: { gender: 'female' } });
  const hours = farHour().map((day) => ({ day, fromMinute: 600, toMinute: 660 }));
  await asleep.companion.client.ok(updateAccompanyer, { hours } as never);
  mute = await openedCompanion(t, staff, { profile: { gender: 'male' } });
  await sql`update provider set voice = null where user_id = ${mute.companion.id}`.execute(t.ctx.db);
  const { rows } = await sql<{ id: number }>`select goods_id as id from service_package`.execute(t.ctx.db);
  for (const { id } of rows) await reindexGoods(t.ctx, t.ctx.db, id);
});
afterAll(async () => {
  await t.close();
});

/** Late on a Sunday no whole hour of the weekend is left. */
const isWeekendOver = freeWindow('weekend', Date.now()).to - Date.now() < 1.5 * HOUR_MS;

/** The answer is this old at most. */
const CACHED_MS = 2_000;

/** The listings that a filter finds. */
async function found(filter: object): Promise<string[]> {
  const { list, total } = await t.client().ok(getGoodsList, { goodsTypeId: 61, ...filter } as never);
  expect(total).toBe(list.length);
  return list.map(({ goodsSn }) => goodsSn).toSorted();
}
/** Returns the companions available tonight, queried at noon: in the evening past hours are available to none. */
async function foundTonight(): Promise<string[]> {
  vi.useFakeTimers({ toFake: ['Date'], now: chinaMidnight(Date.now()) + 12 * HOUR_MS });
  try {
    return await found({ free: 'tonight' });
  } finally {
    vi.useRealTimers();
  }
}
const snsOf = (...all: (Opened | undefined)[]) => all.map((one) => one?.goodsSn ?? '').toSorted();

describe('companions', () => {
  test('are found as available now exactly when their card says so', async () => {
    const now = await found({ free: 'now' });
    expect(now).toEqual(snsOf(always, mute));
    const { list } = await t
      .client()
      .ok(companionCards, { goodsSns: JSON.stringify(snsOf(always, resting, asleep, mute)) } as never);
    expect(
      list
        .filter(({ closedNow }) => closedNow === null)
        .map(({ goodsSn }) => goodsSn)
        .toSorted(),
    ).toEqual(now);
  });

  test.skipIf(isWeekendOver)(
    'with hours at the weekend include those who rest now, not those without such hours',
    async () => {
      expect(await found({ free: 'weekend' })).toEqual(snsOf(always, resting, mute));
    },
  );

  test('by voice: any sample, or one of a woman or a man', async () => {
    expect(await found({ voice: 'any' })).toEqual(snsOf(always, resting, asleep));
    expect(await found({ voice: 'female' })).toEqual(snsOf(always, asleep));
    expect(await found({ voice: 'male' })).toEqual(snsOf(resting));
    expect(await found({ voice: 'female', free: 'now' })).toEqual(snsOf(always));
    expect(await found({ voice: 'female', free: 'now', maxPrice: '1.00' })).toEqual([]);
  });

  test('those who can be booked soonest come first, page by page, and their cards name the hour', async () => {
    const client = t.client();
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { list: { goodsSn: string }[]; next: string | null } = await client.ok(getGoodsList, {
        goodsTypeId: 61,
        pageSize: 1,
        ...(cursor !== null && { cursor }),
      } as never);
      seen.push(...page.list.map(({ goodsSn }) => goodsSn));
      cursor = page.next;
    } while (cursor !== null);
    expect(seen.slice(0, 2).toSorted()).toEqual(snsOf(always, mute));
    expect(seen.slice(2)).toEqual([resting?.goodsSn, asleep?.goodsSn]);
    const { list } = await client.ok(companionCards, { goodsSns: JSON.stringify(snsOf(asleep)) } as never);
    expect(list[0]?.nextFree).toMatchObject({ hour: 10, until: 11 });
    expect(list[0]?.nextFree?.day).toBeGreaterThan(1);
  });

  test('come first among those of the next day if they have orders or reviews; those available later stay last', async () => {
    const known = [mute?.companion.id ?? 0, asleep?.companion.id ?? 0];
    await sql`update app_user set rating_count = 3, rating_good = 3 where id = any(${known}::bigint[])`.execute(
      t.ctx.db,
    );
    clock.pass(CACHED_MS);
    const { list } = await t.client().ok(getGoodsList, { goodsTypeId: 61 } as never);
    expect(list.map(({ goodsSn }) => goodsSn)).toEqual([mute, always, resting, asleep].map((one) => one?.goodsSn));
    await sql`update app_user set rating_count = 0, rating_good = 0 where id = any(${known}::bigint[])`.execute(
      t.ctx.db,
    );
    clock.pass(CACHED_MS);
  });

  test('are listed once before any is listed a second time, even with several offers', async () => {
    const giveTo = async (goods: Opened | undefined, owner: Opened | undefined) => {
      await sql`update service_package set provider_id = (select id from provider where user_id = ${owner?.companion.id ?? 0})
        where goods_id = (select id from goods where sn = ${goods?.goodsSn ?? ''})`.execute(t.ctx.db);
      clock.pass(CACHED_MS);
    };
    const listed = async (filter: object) => {
      const { list } = await t.client().ok(getGoodsList, { goodsTypeId: 61, ...filter } as never);
      return list.map(({ goodsSn }) => goodsSn);
    };
    await giveTo(resting, always);
    expect(await listed({})).toEqual([always, mute, resting, asleep].map((one) => one?.goodsSn));
    expect(await listed({ voice: 'female' })).toEqual([always, resting, asleep].map((one) => one?.goodsSn));
    await giveTo(resting, resting);
  });

  test('an hour that was taken is free for nobody else', async () => {
    if (!always) throw new Error('no companion');
    expect(await foundTonight()).toEqual(snsOf(always, resting, mute));
    await sql`insert into companion_slot (order_id, provider_id, during)
      select s.order_id, s.provider_id, tstzrange(${new Date(chinaMidnight(Date.now()))}, ${new Date(chinaMidnight(Date.now()) + 9 * 24 * HOUR_MS)})
      from service_order s where s.order_id = ${(await companionTrade(t, always, 'paid')).orderId}
      on conflict (order_id) do update set during = excluded.during`.execute(t.ctx.db);
    clock.pass(CACHED_MS);
    expect(await found({ free: 'now' })).toEqual(snsOf(mute));
    expect(await foundTonight()).toEqual(snsOf(resting, mute));
    if (!isWeekendOver) expect(await found({ free: 'weekend' })).toEqual(snsOf(resting, mute));
  });

  test('pages follow each other, and what is not offered is an error', async () => {
    const client = t.client();
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { list: { goodsSn: string }[]; next: string | null; total: number } = await client.ok(getGoodsList, {
        goodsTypeId: 61,
        voice: 'any',
        pageSize: 1,
        sort: 'priceAsc',
        ...(cursor !== null && { cursor }),
      } as never);
      expect(page.total).toBe(3);
      seen.push(...page.list.map(({ goodsSn }) => goodsSn));
      cursor = page.next;
    } while (cursor !== null);
    expect(seen.toSorted()).toEqual(snsOf(always, resting, asleep));
    for (const wrong of [{ free: 'never' }, { voice: 'robot' }])
      expect((await client.call(getGoodsList, { goodsTypeId: 61, ...wrong } as never)).code).toBe(codes.BAD_INPUT[0]);
  });
});
