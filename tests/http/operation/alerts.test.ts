import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { followAlerts, saveSearchAlert, searchAlertList, updateSearchAlert } from '#subjects/offers/contract/alerts.ts';
import { codes, type ErrorName } from '#contract/codes.ts';
import type { Input } from '#contract/endpoint.ts';
import { onlySetupGoodsPrice, pushOrPullGoods } from '#subjects/goods/contract/goods.ts';
import { followGoods, goodsUserFollow } from '#subjects/goods/contract/follows.ts';
import type { TestUser } from '#tests/support/servers/build.ts';
import { openListingMarket, type ListingMarket } from '#tests/support/goods/listings.ts';

let market: ListingMarket;

beforeAll(async () => {
  market = await openListingMarket();
});
afterAll(async () => {
  await market.t.close();
});

const code = (name: ErrorName): number => codes[name][0];
type Search = Input<typeof saveSearchAlert>;

const search = (overrides: Partial<Search> = {}): Search => ({
  gameId: 1,
  goodsTypeId: 1,
  keyWord: '凤求凰',
  maxPrice: '150',
  title: '王者荣耀 账号 凤求凰',
  path: '/wares?gt=1&gid=1&keyWord=%E5%87%A4%E6%B1%82%E5%87%B0&max=150',
  ...overrides,
});

async function put(overrides: Parameters<ListingMarket['add']>[0]) {
  const goods = await market.add(overrides);
  await market.t.relay();
  return goods;
}

/** The notices that a user has received of one kind, oldest first. */
async function notices(user: TestUser): Promise<string[]> {
  const { rows } = await sql<{ kind: string; body: string }>`
    select kind, body from notice where user_id = ${user.id} and kind like 'goods.%' order by id`.execute(
    market.t.ctx.db,
  );
  return rows.map((r) => `${r.kind} ${r.body}`);
}

describe('a saved search', () => {
  test('sends one notice per new matching listing', async () => {
    const user = await market.t.newUser();
    const { alertId } = await user.client.ok(saveSearchAlert, search());
    await put({ title: '典藏 凤求凰 露娜', fen: 12_000 });
    await put({ title: '典藏 凤求凰 太贵', fen: 20_000 });
    await put({ title: '没有那个皮肤', fen: 10_000 });
    await put({ title: '凤求凰 别的游戏', fen: 10_000, game: 2 });
    expect(await notices(user)).toHaveLength(1);
    expect((await notices(user))[0]).toContain('121.20');
    const { list } = await user.client.ok(searchAlertList, {});
    expect(list).toMatchObject([{ alertId, matches: 1, paused: false, frequency: 'now' }]);
    await user.client.ok(updateSearchAlert, { alertId, act: 'pause' });
    await put({ title: '凤求凰 又一件', fen: 11_000 });
    expect(await notices(user)).toHaveLength(1);
    await user.client.ok(updateSearchAlert, { alertId, act: 'remove' });
    expect((await user.client.ok(searchAlertList, {})).list).toEqual([]);
  });

  test('collects notices for the evening when chosen', async () => {
    const user = await market.t.newUser();
    const { alertId } = await user.client.ok(saveSearchAlert, search({ frequency: 'daily' }));
    await put({ title: '凤求凰 甲', fen: 12_000 });
    await put({ title: '凤求凰 乙', fen: 10_000 });
    expect(await notices(user)).toEqual([]);
    const due = sql`update timer set due_at = now() where kind = 'alert.daily' and ref = ${String(alertId)} returning ref`;
    expect((await due.execute(market.t.ctx.db)).rows).toHaveLength(1);
    await market.t.timers();
    await market.t.relay();
    expect(await notices(user)).toHaveLength(1);
    expect((await notices(user))[0]).toContain('今天有 2 件新商品符合，最低全包价 ¥101.00');
  });

  test('sends no notice when listings only change position', async () => {
    const goods = await put({ title: '凤求凰 早就在售', fen: 9000 });
    const user = await market.t.newUser();
    await user.client.ok(saveSearchAlert, search());
    const event = async (topic: string) => {
      await sql`insert into outbox (topic, payload) values (${topic}, ${JSON.stringify({ goodsIds: [goods.id] })}::jsonb)`.execute(
        market.t.ctx.db,
      );
      await market.t.relay();
    };
    await event('goods.score');
    expect(await notices(user)).toEqual([]);
    await event('goods.reindex');
    expect(await notices(user)).toHaveLength(1);
  });

  test('equal URLs are one alert; alerts of others are not found; invalid ones are rejected', async () => {
    const [user, other] = [await market.t.newUser(), await market.t.newUser()];
    const first = await user.client.ok(saveSearchAlert, search());
    expect(await user.client.ok(saveSearchAlert, search())).toEqual({ alertId: first.alertId, repeated: true });
    const rejected = async (overrides: Partial<Search>) =>
      (await user.client.call(saveSearchAlert, search(overrides))).code;
    expect(await rejected({ path: 'https://elsewhere.example/wares?a=1' })).toBe(code('BAD_INPUT'));
    expect(await rejected({ path: '/wares?a=1"><script>' })).toBe(code('BAD_INPUT'));
    expect(await rejected({ gameId: 77 })).toBe(code('NOT_FOUND'));
    expect(await rejected({ details: { nothing: 1 } })).toBe(code('BAD_INPUT'));
    expect((await other.client.call(updateSearchAlert, { alertId: first.alertId, act: 'remove' })).code).toBe(
      code('ALERT_NOT_FOUND'),
    );
    const bare = { title: '全部', path: '/wares?gt=0' };
    expect((await user.client.call(saveSearchAlert, bare)).code).toBe(code('BAD_INPUT'));
    for (let i = 1; i < 50; i++) await user.client.ok(saveSearchAlert, search({ path: `/wares?gt=1&gid=1&n=${i}` }));
    expect(await rejected({ path: '/wares?gt=1&gid=1&n=50' })).toBe(code('ALERT_COUNT'));
  });
});

describe('followed listings', () => {
  test('send a notice for a new lowest price, not for fluctuations', async () => {
    const user = await market.t.newUser();
    const goods = await put({ fen: 10_000 });
    await user.client.ok(goodsUserFollow, { goodsSn: goods.sn, status: true });
    const price = async (yuan: string) => {
      await market.seller.client.ok(onlySetupGoodsPrice, { goodsSn: goods.sn, price: yuan });
      await market.t.relay();
    };
    for (const yuan of ['120', '100', '90', '95', '90']) await price(yuan);
    expect(await notices(user)).toHaveLength(1);
    expect((await notices(user))[0]).toContain('90.90');
    await price('80');
    expect(await notices(user)).toHaveLength(2);
    await user.client.ok(followAlerts, { goodsSn: goods.sn, drop: false, back: true });
    await price('70');
    expect(await notices(user)).toHaveLength(2);
    const { list } = await user.client.ok(followGoods, {});
    expect(list[0]).toMatchObject({ alertDrop: false, alertBack: true });
  });

  test('send a notice when they are on sale again, once a day', async () => {
    const [user, stranger] = [await market.t.newUser(), await market.t.newUser()];
    const goods = await put({ fen: 10_000 });
    await user.client.ok(goodsUserFollow, { goodsSn: goods.sn, status: true });
    for (let i = 0; i < 2; i++) {
      for (const act of ['pull', 'push'] as const) {
        await market.seller.client.ok(pushOrPullGoods, { goodsSn: goods.sn, act });
        await market.t.relay();
      }
    }
    expect(await notices(user)).toHaveLength(1);
    expect((await notices(user))[0]).toContain('重新上架');
    expect((await stranger.client.call(followAlerts, { goodsSn: goods.sn, drop: true, back: true })).code).toBe(
      code('GOODS_NOT_FOUND'),
    );
  });
});
