/** Every page that exists, with the demo market behind it: status, console, width, and what a screen reader meets. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { entryOf, type UrlEntry, urlMap } from '#web/lib/url-map.ts';
import { type Person, test } from './support/people.ts';
import { data, signIn, staffAtWork } from './support/sign-in.ts';

// These tests only look: a finding names the page and the element, and a trace of some hundred pages costs a tenth of opening them.
test.use({ trace: 'off' });

const BUYER = '13800000001';
const SELLER = '13800000002';

const existing = urlMap.filter(({ file }) => file !== undefined);
const isStaff = ({ section }: UrlEntry) => section === 'backstage';
/** Pages of which the seller has more to show than the buyer. */
const isSellers = ({ section }: UrlEntry) =>
  section === 'centre seller' || section === 'centre wallet' || section === 'centre shop';

/** Values for the parameters of an address: numbers of the demo market's own goods, orders and payments. */
interface Samples {
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
function addressOf({ path }: UrlEntry, samples: Samples): string {
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
    '/backstage/users/:userId': `/backstage/users/${samples.sellerId}`,
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

/** A log-in by WeChat, asked for as the dialog does. */
async function wechatCodeOf({ context }: Person): Promise<string> {
  const answer = await context.request.post('/api/operation/wechat_login', {
    form: {},
    headers: { 'x-timestamp': String(Date.now()) },
  });
  return ((await answer.json()) as { data: { code: string } }).data.code;
}

/** What is on sale and visible to everyone. */
async function publicSamples(person: Person): Promise<Samples> {
  const storefront = await data<{ list: { quickCoinSn: string }[] }>(
    person.context.request,
    '/api/quickCoin/getQuickCoinList?pageSize=1',
  );
  const listed = await data<{ list: { blackSn: string }[] }>(person.context.request, '/api/black/blackList?pageSize=1');
  const onSale = await data<{ list: { seller: { sellerId: string } }[] }>(
    person.context.request,
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

/** The newest coin order of the person, as the list page shows it. */
async function quickOrderOf({ page }: Person): Promise<string> {
  await page.goto('/center/buyFastGold');
  const href = await page.locator('a[href*="buyFastGoldDetail?orderSn="]').first().getAttribute('href');
  return (href ?? '').split('orderSn=')[1] ?? '';
}

/** The newest order of each state, as the list page of the person shows them. */
async function ordersOf({ page }: Person): Promise<Record<number, string>> {
  const found: Record<number, string> = {};
  for (const status of [-1, 0, 1, 2, 3]) {
    await page.goto(`/center/buyGoodsOrder?status=${status}`);
    const link = page.locator('a[href*="buyOrderDetail?orderSn="]').first();
    const href = (await link.getAttribute('href')) ?? '';
    found[status] = href.split('orderSn=')[1] ?? '';
  }
  return found;
}

interface Finding {
  rule: string;
  impact: string | null | undefined;
  where: string;
}

async function seriousFindings(page: Page): Promise<Finding[]> {
  const { violations } = await new AxeBuilder({ page })
    // In the page itself: the other way opens a page of its own for each look, and every frame here is ours.
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
    // It would read imported style sheets through style elements of its own, which the page's policy refuses; no rule of these tags needs them.
    // What passed is not described: that is a third of what a look costs, and only violations are read here.
    .options({ preload: false, resultTypes: ['violations'] })
    .analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, nodes }) => ({
      rule: id,
      impact,
      where: nodes.map(({ html }) => html.slice(0, 160)).join(' | '),
    }));
}

/** By then a page that has just come has its prices and its colours. */
const SETTLED_MS = 1200;

/** Opens a page and holds it against everything that holds for all of them. */
async function checkPage(page: Page, address: string, status = 200): Promise<void> {
  await test.step(address, async () => {
    const response = await page.goto(address);
    expect.soft(response?.status(), `${address} status`).toBe(status);
    const { pathname } = new URL(address, page.url());
    expect.soft(new URL(page.url()).pathname, `${address} stays`).toBe(pathname);
    await expect.soft(page.locator('h1').first(), `${address} has a heading`).toBeAttached();
    const { scroll, width } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      width: document.documentElement.clientWidth,
    }));
    expect.soft(scroll, `${address} overflows`).toBeLessThanOrEqual(width);
    // What is on its way into its final look is looked at again.
    const found = await seriousFindings(page);
    if (found.length > 0) await page.waitForTimeout(SETTLED_MS);
    expect.soft(found.length > 0 ? await seriousFindings(page) : [], `${address} for everybody`).toEqual([]);
  });
}

test('public pages', async ({ people }) => {
  const visitor = await people.visitor('visitor');
  const samples = await publicSamples(visitor);
  const pages = existing.filter(
    (entry) => entry.access === 'public' && !isStaff(entry) && !/:payRand|:no$/.test(entry.path),
  );
  for (const entry of pages) await checkPage(visitor.page, addressOf(entry, samples));
});

test('pages of signed-in users', async ({ people }) => {
  const buyer = await people.visitor('buyer');
  await signIn(buyer, BUYER);
  const seller = await people.visitor('seller');
  await signIn(seller, SELLER);
  const samples = {
    ...(await publicSamples(buyer)),
    quickOrderSn: await quickOrderOf(buyer),
    orderSn: await ordersOf(buyer),
  };
  for (const entry of existing.filter(({ access }) => access === 'login' || access === 'isQuickShop')) {
    await checkPage((isSellers(entry) ? seller : buyer).page, addressOf(entry, samples));
  }
  await buyer.page.goto('/center/buyGuarantee');
  const covers = await buyer.page
    .locator('a[href*="coverId="]')
    .evaluateAll((found) => found.map((a) => a.getAttribute('href') ?? ''));
  await checkPage(buyer.page, covers[0] ?? '');
  // A cover that has not begun has no paper yet.
  let paper: string | null = null;
  for (const cover of new Set(covers)) {
    await buyer.page.goto(cover);
    const link = buyer.page.locator('a[href^="/guarantee/"]').first();
    paper = (await link.count()) > 0 ? await link.getAttribute('href') : null;
    if (paper) break;
  }
  await checkPage(buyer.page, paper ?? '');
  await checkPage(buyer.page, `/center/buyComplaint?orderSn=${samples.orderSn[1]}`);
  for (const status of [-1, 0, 1, 3])
    await checkPage(buyer.page, `/center/buyOrderDetail?orderSn=${samples.orderSn[status]}`);
});

test('pages of the back office', async ({ people }) => {
  const admin = await staffAtWork(people, 'admin');
  const pages = existing.filter((entry) => isStaff(entry) && entry.access === 'staff');
  for (const entry of pages.filter(({ path }) => !path.includes(':'))) await checkPage(admin.page, entry.path);
});

test('protected pages stay closed', async ({ people, request }) => {
  const visitor = await people.visitor('visitor');
  const closed = existing.filter(
    ({ access, path }) => access !== 'public' && access !== 'staff' && !path.includes(':'),
  );
  for (const { path } of closed) {
    const response = await request.get(path, { maxRedirects: 0 });
    expect.soft(response.status(), path).toBe(302);
    expect.soft(response.headers().location, path).toContain('/login?returnUrl=');
  }
  // The back office has no address on the market's host, and an unknown path is an error page with a way home.
  expect((await request.get('/backstage', { maxRedirects: 0 })).status()).toBe(404);
  expect(entryOf('/nowhere')).toBeUndefined();
  const response = await request.get('/nowhere');
  expect(response.status()).toBe(404);
  expect(await response.text()).toContain('This page could not be found');
  expect((await visitor.page.goto('/login'))?.status()).toBe(200);
});
