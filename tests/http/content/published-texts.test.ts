/** The one contact filter, tried on every text that a user writes and other users read (docs/decisions/180). */
import { orderEval } from '#subjects/reviews/contract/order-review.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as offers from '#subjects/offers/contract/offers.ts';
import * as im from '#subjects/chat/contract/im.ts';
import { openMiddleman } from '#subjects/middleman/contract/middleman.ts';
import { answerQuestion, askSeller, receivedQuestions } from '#subjects/questions/contract/question.ts';
import * as order from '#subjects/orders/contract/order.ts';
import * as coin from '#subjects/quick-coin/contract/quick-coin.ts';
import * as recycling from '#subjects/recycling/contract/recycling.ts';
import { endpoints } from '#contract/registry.ts';
import { replyReview, orderReviews } from '#subjects/reviews/contract/review.ts';
import { changeUserUsualInfo } from '#subjects/accounts/contract/user.ts';
import { jsonSchema } from '#server/http/openapi/openapi-schema.ts';
import type { TestApp, TestStaff, TestUser } from '#tests/support/servers/build.ts';
import { addCoinGame, applyForShop, COIN_GAME, OFFER, offered, openedShop } from '#tests/support/services/coins.ts';
import { type Court, openCourt } from '#tests/support/orders/disputes.ts';
import { addGoods } from '#tests/support/goods/goods.ts';

let court: Court;
let t: TestApp;
let staff: TestStaff;
let shop: TestUser;

beforeAll(async () => {
  court = await openCourt();
  t = court.t;
  await addCoinGame(t);
  staff = await t.newStaff();
  shop = await openedShop(t, staff);
});
afterAll(async () => await t.close());

const SECRET = 'abc12345';
const BAIT = `加我微信 ${SECRET} 更便宜`;

interface TextResponse {
  code: number;
  msg: string;
}
interface Row {
  /** 'path field' of the call. */
  field: string;
  /** Outcome for a text with a harmless sentence before the bait: the harmless one stays, or the whole is refused. */
  mixed: 'cut' | 'refused';
  /** Outcome for a text that is only bait. */
  bare: 'refused' | 'dropped' | 'masked';
  write: (text: string) => Promise<TextResponse>;
}

const user = (more: object = {}) => t.newUser({ balanceFen: 100_000, ...more });
const input = { gameId: 1, goodsTypeId: 1, details: {}, budget: '150' };
const coinOrder = async (delivery: number, more: object) => {
  const offer = await offered(shop, { delivery: [1, 2, 3] });
  return await (await user()).client.call(coin.placeQuickCoinOrder, {
    quickCoinSn: offer,
    num: 2,
    version: 1,
    delivery,
    roleName: '听风',
    ...more,
  } as never);
};
const shopForm = { name: '小北金币铺', intro: '', gameIds: [COIN_GAME], contact: 'QQ 12345678' };
const reviewable = async () => {
  const d = await court.trade('completed');
  await d.buyer.client.ok(orderEval, { orderSn: d.orderSn, score: 5, content: '' });
  const { list } = await d.seller.client.ok(orderReviews, { orderSn: d.orderSn });
  return { seller: d.seller, reviewId: list[0]?.reviewId ?? 0 };
};
const deal = (more: object) => async (owner: TestUser) =>
  await owner.client.call(openMiddleman, {
    belong: 0,
    title: '三角洲仓库物资一批',
    goodsTypeId: 0,
    price: '100.00',
    feeSide: 'half',
    ...more,
  } as never);

const rows: Row[] = [
  {
    field: 'user/changeUserUsualInfo nickName',
    mixed: 'refused',
    bare: 'refused',
    write: async (nickName) => await (await user()).client.call(changeUserUsualInfo, { nickName }),
  },
  {
    field: 'goods/question/ask content',
    mixed: 'cut',
    bare: 'refused',
    write: async (content) => {
      const { sn } = await addGoods(t.ctx, { sellerId: (await user()).id });
      return await (await user()).client.call(askSeller, { goodsSn: sn, content });
    },
  },
  {
    field: 'goods/question/answer content',
    mixed: 'cut',
    bare: 'refused',
    write: async (content) => {
      const seller = await user();
      const { sn } = await addGoods(t.ctx, { sellerId: seller.id });
      await (await user()).client.ok(askSeller, { goodsSn: sn, content: '还有多少金币？' });
      const { list } = await seller.client.ok(receivedQuestions, { status: 'waiting' });
      return await seller.client.call(answerQuestion, { questionId: list[0]?.questionId ?? 0, content });
    },
  },
  {
    field: 'order/orderEval content',
    mixed: 'cut',
    bare: 'refused',
    write: async (content) => {
      const d = await court.trade('completed');
      return await d.buyer.client.call(orderEval, { orderSn: d.orderSn, score: 5, content });
    },
  },
  {
    field: 'review/answer content',
    mixed: 'cut',
    bare: 'refused',
    write: async (content) => {
      const { seller, reviewId } = await reviewable();
      return await seller.client.call(replyReview, { reviewId, content });
    },
  },
  {
    field: 'order/cancelOrder reason',
    mixed: 'cut',
    bare: 'refused',
    write: async (reason) => {
      const d = await court.trade('paid');
      return await d.seller.client.call(order.cancelOrder, { orderId: d.orderId, reason });
    },
  },
  {
    field: 'order/askCancel reason',
    mixed: 'cut',
    bare: 'refused',
    write: async (reason) => {
      const d = await court.trade('paid');
      await sql`update orders set touched_at = now() where id = ${d.orderId}`.execute(t.ctx.db);
      return await d.buyer.client.call(order.requestCancel, { orderId: d.orderId, act: 'ask', reason });
    },
  },
  {
    field: 'goods/releaseWantGoods bigTitle',
    mixed: 'cut',
    bare: 'refused',
    write: async (bigTitle) => await (await user()).client.call(offers.releaseWantGoods, { ...input, bigTitle }),
  },
  {
    field: 'goods/bargaining message',
    mixed: 'cut',
    bare: 'dropped',
    write: async (message) => {
      const { sn, id } = await addGoods(t.ctx, { sellerId: (await user()).id });
      await sql`update goods set bargain_ok = true where id = ${id}`.execute(t.ctx.db);
      return await (await user()).client.call(offers.bargaining, { goodsSn: sn, price: '80.00', message });
    },
  },
  ...(['bigTitle', 'note', 'camp'] as const).map(
    (name): Row => ({
      field: `quickCoin/createQuickCoin ${name}`,
      mixed: 'cut',
      bare: 'refused',
      write: async (text) => await shop.client.call(coin.createQuickCoin, { ...OFFER, delivery: [1], [name]: text }),
    }),
  ),
  ...(['bigTitle', 'note'] as const).map(
    (name): Row => ({
      field: `quickCoin/updateQuickCoin ${name}`,
      mixed: 'cut',
      bare: 'refused',
      write: async (text) =>
        await shop.client.call(coin.updateQuickCoin, {
          quickCoinSn: await offered(shop),
          act: 'save',
          [name]: text,
        } as never),
    }),
  ),
  ...(['intro', 'notice', 'name'] as const).flatMap((name): Row[] => [
    {
      field: `quickCoin/shopQuickCoinApply ${name}`,
      mixed: name === 'name' ? 'refused' : 'cut',
      bare: 'refused',
      write: async (text) => await (await user()).client.call(coin.shopQuickCoinApply, { ...shopForm, [name]: text }),
    },
    {
      field: `quickCoin/updateShopQuickCoin ${name}`,
      mixed: name === 'name' ? 'refused' : 'cut',
      bare: 'refused',
      write: async (text) => {
        const owner = await user();
        await applyForShop(owner);
        return await owner.client.call(coin.updateShopQuickCoin, { [name]: text });
      },
    },
  ]),
  ...(['intro', 'name'] as const).flatMap((name): Row[] => [
    {
      field: `recycle/recyclerApply ${name}`,
      mixed: name === 'name' ? 'refused' : 'cut',
      bare: 'refused',
      write: async (text) => await (await user()).client.call(recycling.recyclerApply, { ...shopForm, [name]: text }),
    },
    {
      field: `recycle/updateRecycler ${name}`,
      mixed: name === 'name' ? 'refused' : 'cut',
      bare: 'refused',
      write: async (text) => {
        const owner = await user();
        await owner.client.ok(recycling.recyclerApply, shopForm);
        return await owner.client.call(recycling.updateRecycler, { [name]: text });
      },
    },
  ]),
  {
    field: 'quickCoin/placeQuickCoinOrder auctionItem',
    mixed: 'cut',
    bare: 'refused',
    write: (auctionItem) => coinOrder(2, { auctionItem }),
  },
  {
    field: 'quickCoin/placeQuickCoinOrder meetPlace',
    mixed: 'cut',
    bare: 'refused',
    write: (meetPlace) => coinOrder(3, { meetPlace }),
  },
  {
    field: 'middleman/open title',
    mixed: 'refused',
    bare: 'refused',
    write: async (title) => await deal({ title })(await user()),
  },
  {
    field: 'middleman/open description',
    mixed: 'refused',
    bare: 'refused',
    write: async (description) => await deal({ description })(await user()),
  },
  {
    field: 'im/sendMessage content',
    mixed: 'cut',
    bare: 'masked',
    write: async (content) => {
      const d = await court.trade('paid');
      await t.relay();
      const groups = await d.buyer.client.ok(im.getImGroupIdMap, { orderSnList: d.orderSn });
      const groupId = groups[d.orderSn]?.[0]?.groupId ?? '';
      return await d.buyer.client.call(im.sendMessage, {
        groupId,
        clientMsgId: `m-${d.orderId}`,
        messageType: 'text',
        content,
      });
    },
  },
];

/** Tables that hold a word anywhere in a row. */
async function tablesWith(needle: string): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' order by 1`.execute(t.ctx.db);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows: hits } =
      await sql`select from ${sql.table(name)} x where x::text like ${`%${needle}%`} limit 1`.execute(t.ctx.db);
    if (hits.length > 0) found.push(name);
  }
  return found;
}

let counter = 0;

describe.each(rows.map((row) => [row.field, row] as const))('%s', (_name, { mixed, bare, write }) => {
  test('loses the sentence with the contact, and keeps the others', async () => {
    counter += 1;
    const harmless = `甲${counter}号好`;
    const { code, msg } = await write(`${harmless}，加我微信 ${SECRET}`);
    expect([code, msg]).toEqual([mixed === 'cut' ? 0 : 4000, msg]);
    await t.relay();
    expect(await tablesWith(SECRET)).toEqual([]);
    expect((await tablesWith(harmless)).length > 0).toBe(mixed === 'cut');
  });

  test('is rejected with contact data only', async () => {
    const { code, msg } = await write(BAIT);
    expect([code, msg]).toEqual([bare === 'refused' ? 4000 : 0, msg]);
    if (bare === 'refused') expect(msg).toContain('联系方式');
    await t.relay();
    expect(await tablesWith(SECRET)).toEqual([]);
  });
});

/** Fields of signed-in users' calls that take any text, and why the filter is not applied: only their writer or staff read them. */
const EXEMPT: readonly (readonly [RegExp, string])[] = [
  [
    / (phone|orderSnList|imageKey|cursor|keyWord|search|returnUrl|deviceId|clientMsgId|openId|expand|minTime|maxTime|details|draftKey|body|position)$/,
    'no text of the page',
  ],
  [
    /password|pass|smscode|code|account|idcard|realname|contact|state|ticket|auth$|p256dh|endpoint/i,
    'credentials and data of one’s own',
  ],
  [/^order\/exchangeMove value$/, 'a number or a code under seal, read only by the other party'],
  [/^dispute\//, 'evidence in a dispute is read as it was written'],
  [/^guarantee\//, 'read only by staff'],
  [/^(black|verification|kf|fake|service|comm)\//, 'read by staff; the public text is theirs'],
  [/^(review|goods)\/report (note|reason)$/, 'read only by staff'],
  [/^(openKeys|webhooks)\//, 'read only by their writer'],
  [/^inspection\/wrong (field|found)$/, 'read by its writer and by staff'],
  [/^goods\/(saveSearchAlert|followAlerts) /, 'names of one’s own alerts'],
  [/^goods\/import\/picture name$/, 'the name of a file, read only by its writer'],
  [/^user\/(addUserRoleCardInfo|saveRoleCard|removeRoleCard)|^roleCard/, 'one’s own cards'],
  [/ (roleName|onlineTime)$/, 'the name in the game is needed to deliver'],
  [/^order\/transactionCacheContactInfo|^user\/transactionCache/, 'contact for the trade, for its staff'],
  [/^user\/closeAccount reason$/, 'read only by staff'],
  [
    /^goods\/(releaseGoods|updatetGoods|updateGoods|saveGoods|release|bulk)/,
    'tests/http/goods/offer.test.ts, review.test.ts',
  ],
  [/^(booster|accompanyer)\//, 'tests/http/services/boosting/boosting.test.ts, requests.test.ts, companion.test.ts'],
];

test('every text field of every call is listed here', () => {
  const checked = new Set(rows.map((row) => row.field));
  const texts = endpoints
    .filter((e) => e.auth === 'login' && e.method === 'POST')
    .flatMap((e) =>
      Object.entries(jsonSchema(e.input, 'input').properties ?? {})
        .filter(([, node]) => {
          const plain = node as { type?: string; enum?: unknown; pattern?: unknown; const?: unknown };
          return plain.type === 'string' && !plain.enum && !plain.pattern && plain.const === undefined;
        })
        .map(([field]) => `${e.path.slice(5)} ${field}`),
    );
  expect(texts.filter((name) => !checked.has(name) && !EXEMPT.some(([pattern]) => pattern.test(name)))).toEqual([]);
});
