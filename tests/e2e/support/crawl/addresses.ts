/** The addresses that the crawl opens: every page of the URL map, with the demo market's own goods, orders and payments as parameters. */
import { expect } from '@playwright/test';
import { type UrlEntry, urlMap } from '#web/lib/pages/url-map.ts';
import { callAs } from '../calls.ts';
import { MARKET, type Person } from '../people.ts';
import { data } from '../sign-in.ts';

/** Demo logins whose pages are opened. */
export const LOGINS = { buyer: '13800000001', seller: '13800000002', companion: '13800000006' } as const;

/** All pages that exist in the demo market; the page of a trial does not. */
export const existing = urlMap.filter(({ file, path }) => file !== undefined && path !== '/backstage/trial');

const isStaff = ({ section }: UrlEntry): boolean => section === 'backstage';
/** Pages that show more to the seller than to the buyer. */
const isSellers = ({ section }: UrlEntry): boolean =>
  section === 'centre seller' || section === 'centre wallet' || section === 'centre shop';

/** The pages of the URL map that each viewer opens. Staff pages with parameters are opened by their own journeys. */
export const pagesOf: Readonly<Record<'visitor' | 'buyer' | 'seller' | 'companion' | 'admin', readonly UrlEntry[]>> = {
  visitor: existing.filter(
    (entry) => entry.access === 'public' && !isStaff(entry) && !/:payRand|:no$/.test(entry.path),
  ),
  buyer: existing.filter((entry) => (entry.access === 'login' || entry.access === 'isQuickShop') && !isSellers(entry)),
  seller: existing.filter((entry) => (entry.access === 'login' || entry.access === 'isQuickShop') && isSellers(entry)),
  // The demo companion is a booster as well.
  companion: existing.filter(({ access }) => access === 'isBooster' || access === 'isAccompanyer'),
  admin: existing.filter((entry) => isStaff(entry) && entry.access === 'staff' && !entry.path.includes(':')),
};

/** Values for the parameters of an address: numbers of the demo market's own goods, orders and payments. */
export interface Samples {
  goodsSn: string;
  /** Somebody who has goods on sale. */
  sellerId: string;
  /** Goods of a type that has the other detail page (product.md 2). */
  coinSn: string;
  /** An offer of coin by the lot, and an order of it that the viewer bought. */
  quickCoinSn: string;
  quickOrderSn: string;
  /** An entry of the blacklist that is listed. */
  blackSn: string;
  /** A log-in by WeChat that waits for its phone. */
  wechatCode: string;
  /** An order of the viewer in a state: -1 failed, 0 unpaid, 1 paid, 2 shipped, 3 completed. */
  orderSn: Record<number, string>;
}

/** An address of the map with its parameters filled in; fails for a page without samples. */
export function addressOf({ path }: UrlEntry, samples: Samples): string {
  const { goodsSn, coinSn, orderSn } = samples;
  const filled: Readonly<Record<string, string>> = {
    '/center/buyOrderDetail': `/center/buyOrderDetail?orderSn=${orderSn[2]}`,
    '/customerAssess': `/customerAssess?orderSn=${orderSn[3]}&belongIndex=1&typeIndex=1`,
    '/wares': '/wares?gt=1',
    '/fastGold/:sn?/order': `/fastGold/${samples.quickCoinSn}/order`,
    '/center/buyFastGoldDetail': `/center/buyFastGoldDetail?orderSn=${samples.quickOrderSn}`,
    '/wechat/follow/:scene?': '/wechat/follow',
    '/news/:code': '/news/guarantee',
    '/rules/:code': '/rules/user_agreement',
    '/eventCase/detail': '/eventCase/detail?id=1',
    '/seller/:sellerId': `/seller/${samples.sellerId}`,
    '/JDetail/:sn?': `/JDetail/${coinSn}`,
    '/black/:sn': `/black/${samples.blackSn}`,
    '/login/:provider': `/login/wechat?code=none&state=${samples.wechatCode}`,
    '/wechat/:code': `/wechat/${samples.wechatCode}`,
    '/jump': '/jump?url=https%3A%2F%2Fpartner.example%2Fmatch',
    '/chatSystem': `/chatSystem?status=1&returnType=0&orderSn=${orderSn[1]}`,
  };
  const known = filled[path];
  if (known) return known;
  const query = path.endsWith('/pay')
    ? `?orderSn=${orderSn[0]}`
    : path.endsWith('/success')
      ? `?orderSn=${orderSn[1]}`
      : '';
  const address = path.replace(/:sn\??/, goodsSn) + query;
  expect(address, `${path} needs a sample`).not.toContain(':');
  return address;
}

async function goodsOf({ context }: Person, typeId: number): Promise<string> {
  const path = `/api/goods/getGoodsList?goodsTypeId=${typeId}&pageSize=1`;
  const { list } = await data<{ list: { goodsSn: string }[] }>(context.request, path);
  return list[0]?.goodsSn ?? '';
}

/** A log-in by WeChat, requested as the dialog does. */
async function wechatCodeOf({ context }: Person): Promise<string> {
  const answer = await context.request.post(`${MARKET}/api/operation/wechat_login`, {
    form: {},
    headers: { 'x-timestamp': String(Date.now()) },
  });
  return ((await answer.json()) as { data: { code: string } }).data.code;
}

/** Public pages of listings on sale. */
export async function publicSamples(person: Person): Promise<Samples> {
  const { request } = person.context;
  const storefront = await data<{ list: { quickCoinSn: string }[] }>(
    request,
    '/api/quickCoin/getQuickCoinList?pageSize=1',
  );
  const listed = await data<{ list: { blackSn: string }[] }>(request, '/api/black/blackList?pageSize=1');
  const onSale = await data<{ list: { seller: { sellerId: string } }[] }>(
    request,
    '/api/goods/getGoodsList?pageSize=1',
  );
  return {
    sellerId: onSale.list[0]?.seller.sellerId ?? '',
    goodsSn: await goodsOf(person, 1),
    coinSn: await goodsOf(person, 2),
    quickCoinSn: storefront.list[0]?.quickCoinSn ?? '',
    quickOrderSn: '',
    blackSn: listed.list[0]?.blackSn ?? '',
    wechatCode: await wechatCodeOf(person),
    orderSn: {},
  };
}

/** Additional pages of a signed-in user: an order in each state, and a coin order. */
export async function ownSamples(person: Person): Promise<Samples> {
  const samples = await publicSamples(person);
  for (const status of [-1, 0, 1, 2, 3]) {
    const { orderList } = await callAs<{ orderList: { orderSn: string; goodsTypeId: number }[] }>(
      person,
      `/api/order/queryOrderList?belong=0&status=${status}&pageSize=50`,
    );
    samples.orderSn[status] = orderList[0]?.orderSn ?? '';
  }
  await person.page.goto('/center/buyFastGold');
  const coin = await person.page.locator('a[href*="buyFastGoldDetail?orderSn="]').first().getAttribute('href');
  samples.quickOrderSn = coin?.split('orderSn=')[1] ?? '';
  return samples;
}

/** Addresses of the buyer that the URL map has once and the market has in several states. */
export async function buyersOwn({ page }: Person, { orderSn }: Samples): Promise<string[]> {
  await page.goto('/center/buyGuarantee');
  const covers = await page
    .locator('a[href*="coverId="]')
    .evaluateAll((found) => found.map((a) => a.getAttribute('href') ?? ''));
  // A cover that has not begun has no paper yet.
  let paper = '';
  for (const cover of new Set(covers)) {
    await page.goto(cover);
    const link = page.locator('a[href^="/guarantee/"]').first();
    paper = (await link.count()) > 0 ? ((await link.getAttribute('href')) ?? '') : '';
    if (paper) break;
  }
  expect(covers[0], 'the buyer has a cover').toBeTruthy();
  expect(paper, 'a cover has a paper').not.toBe('');
  return [
    covers[0] ?? '',
    paper,
    `/center/buyComplaint?orderSn=${orderSn[1]}`,
    ...[-1, 0, 1, 3].map((status) => `/center/buyOrderDetail?orderSn=${orderSn[status]}`),
  ];
}

/** Pages that goods are found on: nothing on them moves while they load and are scrolled. */
export const isStill = (address: string): boolean => /^\/(allgame)?$|^\/wares\?gt=1$|^\/J?[dD]etail\//.test(address);

/** An order of companion play, as its companion sees it in the list. */
export async function companionOrder({ page }: Person): Promise<string> {
  await page.goto('/center/accompanyer/accompanyerOrder');
  return (await page.locator('a[href*="buyOrderDetail?orderSn="]').first().getAttribute('href')) ?? '';
}

/** Cuts a list into parts of at most `size`, so that several workers share it. */
export const partsOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
