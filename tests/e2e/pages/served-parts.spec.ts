/** Static parts of a goods page are sent as HTML without their data, with working links, and for no other page. */
import { expect } from '@playwright/test';
import { MARKET, test } from '../support/people.ts';
import { data, signIn } from '../support/sign-in.ts';

interface Listed {
  goodsSn: string;
  pageUrl: string;
  bigTitle: string;
}

/** The loaders' data in a page's text. */
const dataOf = (html: string): string => /streamController\.enqueue\((.*)\);<\/script>/.exec(html)?.[1] ?? '';

test('pages of several listings, asked for at once by several people, have only their own texts', async ({
  people,
}) => {
  const visitor = await people.visitor('visitor');
  const seller = await people.visitor('seller');
  await signIn(seller, '13800000002');
  const { list } = await data<{ list: Listed[] }>(visitor.context.request, '/api/goods/getGoodsList?pageSize=8&gt=1');
  const sellerId = (await seller.context.cookies()).find(({ name }) => name === 'userId')?.value ?? '';
  const { list: own } = await data<{ list: Listed[] }>(
    visitor.context.request,
    `/api/goods/getGoodsList?pageSize=50&sellerId=${sellerId}`,
  );
  expect(own.length).toBeGreaterThan(0);
  const ownSns = new Set(own.map(({ goodsSn }) => goodsSn));
  const one = own.find(({ pageUrl }) => pageUrl.startsWith('/detail/'));
  const asked = [...list, ...(one ? [one] : [])].flatMap((goods) =>
    [visitor, seller].flatMap((person) => ['localhost', 'moon.localhost'].map((site) => ({ person, goods, site }))),
  );
  const port = new URL(MARKET).port;
  const pages = await Promise.all(
    [...asked, ...asked].map(async ({ person, goods, site }) => {
      const headers = { host: `${site}:${port}` };
      const response = await person.context.request.get(`${MARKET}${goods.pageUrl}`, { headers });
      return { person, goods, site, status: response.status(), html: await response.text() };
    }),
  );
  for (const name of ['localhost', 'moon.localhost'])
    expect(pages.filter(({ status, site }) => status === 200 && site === name).length, name).toBeGreaterThan(0);
  for (const { person, goods, site, status, html } of pages) {
    // A site may have another offer.
    if (status !== 200) continue;
    const described = [...html.matchAll(/"sku":"([^"]+)"/g)].map(([, sku]) => sku);
    expect(described).toEqual([goods.goodsSn]);
    expect(html).toContain('<h2>商品描述</h2>');
    expect(/"@type":"Offer".*?"url":"http:\/\/([^:]+)/.exec(html)?.[1]).toBe(site);
    const mine = /查看我在售的商品/.test(html);
    const isSeller = person === seller && ownSns.has(goods.goodsSn);
    if (mine || site === 'localhost') expect(mine, `${person.name} at ${goods.goodsSn} of ${site}`).toBe(isSeller);
    // Data rendered in the page is not sent a second time.
    expect(dataOf(html)).toContain(goods.goodsSn);
    for (const word of ['schema.org', 'handover', 'comparables', 'similar'])
      expect(dataOf(html), word).not.toContain(word);
  }
});

test('a link in such a part is followed in the page, and the next page has all its parts', async ({ people }) => {
  const { page, context } = await people.visitor('visitor');
  const { list } = await data<{ list: Listed[] }>(context.request, '/api/goods/getGoodsList?pageSize=1&gt=1');
  await page.goto(list[0]?.pageUrl ?? '', { waitUntil: 'networkidle' });
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  const link = page.getByRole('region', { name: '相似商品' }).getByRole('listitem').first().getByRole('link');
  const href = (await link.getAttribute('href')) ?? '';
  await link.click();
  await page.waitForURL((url) => url.pathname === href);
  await expect(page.getByRole('region', { name: '卖家', exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: '商品描述' })).toBeVisible();
  await expect(page.locator('footer nav a').locator('visible=true').first()).toBeVisible();
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true);

  await page.goBack();
  await page.waitForURL((url) => url.pathname === list[0]?.pageUrl);
  await expect(page.getByRole('heading', { name: '商品描述' })).toBeVisible();
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
});

test('choosing a guarantee unfolds its terms, which the page had folded up', async ({ people }) => {
  const { page, context } = await people.visitor('visitor');
  const { list } = await data<{ list: (Listed & { ensureOpen: boolean })[] }>(
    context.request,
    '/api/goods/getGoodsList?pageSize=20&gt=1',
  );
  await page.goto(list.find(({ ensureOpen }) => ensureOpen)?.pageUrl ?? '', { waitUntil: 'networkidle' });
  const terms = page.locator('details').filter({ hasText: '赔什么、最多赔多少' });
  await expect(terms).not.toHaveAttribute('open');
  await page.getByRole('group', { name: '包赔' }).getByRole('button', { name: '找回包赔' }).click();
  await expect(terms).toHaveAttribute('open', '');
  await expect(terms.getByText('最多商品价').first()).toBeVisible();
});

test('a touch requests the scripts of the page behind a link, not its data, and the click then waits for the data alone', async ({
  people,
}) => {
  const { page } = await people.visitor('visitor');
  await page.goto('/wares?gt=1');
  const link = page.locator('.goods-row a.stretched').first();
  const address = (await link.getAttribute('href')) ?? '';
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  const preloads = page.locator('link[rel=modulepreload][href*="/assets/detail-"]');
  // The listener comes after the page.
  await expect
    .poll(async () => {
      await link.dispatchEvent('touchstart');
      return await preloads.count();
    })
    .toBe(1);
  await expect.poll(() => requests.some((path) => path.includes('/assets/detail-'))).toBe(true);
  expect(requests.filter((path) => path.endsWith('.data'))).toEqual([]);
  await link.click();
  await page.waitForURL((url) => url.pathname === new URL(address, url).pathname);
  expect(requests.filter((path) => path.includes('/assets/detail-'))).toHaveLength(1);
});
