/**
 * The law of slopes: no statement of a hot path reads more than the logarithm of the market's size allows. `SLOPE_SMALL`
 * and `SLOPE_LARGE` set other sizes, `SLOPE_TABLE=FILE` writes the table to a file.
 */
import { writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { staffCounters } from '#subjects/back-office/contract/overview.ts';
import { staffOrderList } from '#subjects/orders/contract/staff-orders.ts';
import { latestDealRecord } from '#subjects/orders/contract/site-figures.ts';
import { getFrontUserList } from '#subjects/goods/contract/front-page.ts';
import { currentdayDealGoodsList, getAvGoodsList, getGoodsList, goodsInfo } from '#subjects/goods/contract/goods.ts';
import { history, sendMessage } from '#subjects/chat/contract/im.ts';
import * as o from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { recountOnSale } from '#subjects/goods/server/service.ts';
import { recountDay } from '#subjects/orders/server/service.ts';
import { sizeOf } from '#tests/sizes.ts';
import { testApp, type TestApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { type Trade, trade } from '#tests/support/market/chat.ts';
import { databaseOf } from '#tests/support/database/database.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { grow, growsTooFast, type Reading, readingsOf } from '#tests/support/database/slopes.ts';

const SIZES = [sizeOf('slopeSmall'), sizeOf('slopeLarge')];

let t: TestApp;
let open: Trade;
let staff: TestStaff;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp({ env: { LIMIT_FACTOR: '1000' } });
  await addGame(t.ctx);
  open = await trade(t);
  staff = await t.newStaff({ role: 'admin' });
  seller = await t.newUser();
});
afterAll(async () => await t.close());

/** User journeys, each with a name and its calls; goods of a fixed seller, so that only the market around them grows. */
async function paths(): Promise<Record<string, () => Promise<unknown>>> {
  const visitor = t.client();
  // The buyer has just passed the step-up for payments.
  const buyer = await t.newUser({ balanceFen: 1_000_000 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id });
  const { orderId } = await buyer.client.ok(o.placeOrder, {
    goodsSn: (await addGoods(t.ctx, { sellerId: seller.id })).sn,
  });
  return {
    首页: async () =>
      await Promise.all([
        visitor.ok(o.distCount, {}),
        visitor.ok(latestDealRecord, {}),
        visitor.ok(currentdayDealGoodsList, {}),
        visitor.ok(getFrontUserList, {}),
        visitor.ok(getGoodsList, { sort: 'newest' }),
      ]),
    商品列表: async () => {
      for (const sort of ['default', 'priceAsc', 'newest'] as const)
        await visitor.ok(getGoodsList, { gameId: 1, sort });
      await visitor.ok(getGoodsList, { gameId: 1, goodsTypeId: 27, sort: 'priceDesc' });
    },
    // A word that every listing has, and one that a single listing has; between them the work grows up to 4,000 matches and no further.
    关键词: async () => {
      for (const keyWord of ['皮肤齐全', '测试账号 齐全', 'rare0000077']) await visitor.ok(getGoodsList, { keyWord });
      await visitor.ok(getGoodsList, { gameId: 1, keyWord: '账号', sort: 'priceAsc' });
    },
    商品页: async () => {
      await visitor.ok(goodsInfo, { goodsSn: goods.sn });
      await visitor.ok(getAvGoodsList, { goodsSn: goods.sn });
    },
    下单: async () => await buyer.client.ok(o.placeOrder, { goodsSn: goods.sn }),
    付款: async () => await buyer.client.ok(balancePay, { orderId }),
    我的订单: async () => await open.buyer.client.ok(o.queryOrderList, { belong: 0 }),
    成交记录: async () => await visitor.ok(o.everydayDealOrderList, { gameId: 1 }),
    聊天: async () => {
      await open.buyer.client.ok(sendMessage, {
        groupId: open.groupId,
        content: '你好',
        clientMsgId: `m${Date.now()}`,
      });
      await open.buyer.client.ok(history, { groupId: open.groupId });
    },
    客服工作台: async () => {
      await staff.client.ok(staffCounters, {});
      for (const scope of [
        {},
        { status: 2 },
        { mine: '1' },
        { late: '1' },
        { cancelAsked: '1' },
        { stopped: '1' },
      ] as const)
        await staff.client.ok(staffOrderList, scope);
      await staff.client.ok(staffOrderList, { keyWord: goods.sn });
    },
  };
}

/** Counts the kept figures of a market that was filled past the triggers. */
async function countKept(): Promise<void> {
  for (let isLast = false; !isLast; ) ({ isLast } = await recountOnSale(t.ctx.db));
  const { rows } = await sql<{ day: string }>`
    select distinct to_char(created_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day from orders where created_at > now() - interval '3 days'`.execute(
    t.ctx.db,
  );
  for (const { day } of rows) await recountDay(t.ctx.db, day);
}

interface Line {
  path: string;
  text: string;
  readings: Reading[];
}

const short = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 110);

/** The largest reading of each statement of a path. */
function byText(readings: readonly Reading[]): Map<string, Reading> {
  const most = new Map<string, Reading>();
  for (const reading of readings)
    if (reading.pages >= (most.get(reading.text)?.pages ?? 0)) most.set(reading.text, reading);
  return most;
}

function table(lines: readonly Line[]): string {
  const paths = [...new Set(lines.map(({ path }) => path))];
  const rows = paths.map((path) => {
    const own = lines.filter((line) => line.path === path);
    const worst = own.toSorted((a, b) => (b.readings.at(-1)?.pages ?? 0) - (a.readings.at(-1)?.pages ?? 0))[0];
    const sums = SIZES.map((_, i) => own.reduce((sum, { readings }) => sum + (readings[i]?.pages ?? 0), 0));
    return `| ${path} | ${own.length} | ${sums.join(' | ')} | ${worst?.readings.map(({ pages }) => pages).join(' → ')} |`;
  });
  return [
    `| path | statements | ${SIZES.map((size) => `pages at ${size}`).join(' | ')} | its largest statement |`,
    `| --- | --- | ${SIZES.map(() => '---').join(' | ')} | --- |`,
    ...rows,
  ].join('\n');
}

test('no statement of a hot path grows faster than the logarithm of the market, and a planted sum over all orders is found', async () => {
  const ids = {
    goodsId: (await addGoods(t.ctx, { sellerId: seller.id })).id,
    orderId: Number(open.orderId),
    userId: seller.id,
  };
  const lines: Line[] = [];
  let from = 0;
  for (const [i, size] of SIZES.entries()) {
    await grow(databaseOf(t.ctx), from, size, ids);
    from = size;
    await countKept();
    t.ctx.caches.close();
    await catalogue(t.ctx);
    const all = {
      ...(await paths()),
      planted: async () => await sql`select sum(total_fen) from orders`.execute(t.ctx.db),
    };
    for (const [path, run] of Object.entries(all))
      for (const [text, reading] of byText(await readingsOf(run))) {
        const line = lines.find((one) => one.path === path && one.text === text);
        if (line) line.readings[i] = reading;
        else if (i === 0) lines.push({ path, text, readings: [reading] });
      }
  }
  const steep = lines.filter(({ readings: [small, ...rest] }) =>
    rest.some((large, i) => small && large && growsTooFast(small, large, SIZES[0] ?? 1, SIZES[i + 1] ?? 1)),
  );
  const hot = lines.filter(({ path }) => path !== 'planted');
  console.log(table(hot));
  if (process.env.SLOPE_TABLE) writeFileSync(process.env.SLOPE_TABLE, table(hot));
  expect(hot.length).toBeGreaterThan(40);
  expect(steep.filter(({ path }) => path === 'planted')).toHaveLength(1);
  expect(
    steep
      .filter(({ path }) => path !== 'planted')
      .map(
        ({ path, text, readings }) =>
          `${path} ${readings.map((r) => r.pages).join(' → ')}: ${short(text)} [${readings.at(-1)?.tables}]`,
      ),
  ).toEqual([]);
});
