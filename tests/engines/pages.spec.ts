/** Every public page and the buyer's own pages in a browser of another make: status, headings, width, ground, pictures, console. */
import { expect } from '@playwright/test';
import { pagesOf } from '#tests/e2e/support/crawl/addresses.ts';
import { data } from '#tests/e2e/support/sign-in.ts';
import { logIn, test, type Visitor } from './browser.ts';

/** WebKit's window is not narrower than 450. */
const WIDTHS = [
  [1440, 900],
  [450, 844],
] as const;

/** The ground of every page in the light theme; which of the two forms a browser gives is its own matter. */
const GROUNDS = ['rgb(247, 249, 250)', 'oklch(0.981 0.003 235)'];

/** Runs in the page: what it answers for itself. WebKit does not tell the status: there a page that is missing is known by its text. */
function facts() {
  const [loaded] = performance.getEntriesByType('navigation');
  const { scrollWidth, clientWidth } = document.documentElement;
  const heads = document.querySelectorAll('h1').length;
  const { backgroundColor } = getComputedStyle(document.body);
  const broken = [...document.images].filter((e) => e.complete && e.naturalWidth === 0).map((e) => e.src);
  const text = document.body.innerText;
  const told = loaded instanceof PerformanceNavigationTiming ? (loaded.responseStatus as number | undefined) : 0;
  const status = told ?? (text.includes('内容不存在') ? 404 : 200);
  const isKept = text.includes('页面可以阅读，但部分按钮没有反应');
  return { status, heads, tooWide: Math.max(0, scrollWidth - clientWidth), backgroundColor, broken, isKept };
}

/** Opens an address at both widths; returns what is wrong with it. */
async function look(visitor: Visitor, path: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const [width, height] of WIDTHS) {
    await visitor.engine.resize(width, height);
    await visitor.open(path);
    const { status, heads, tooWide, backgroundColor, broken, isKept } = await visitor.engine.ask(facts);
    await visitor.shoot(`${width} ${path}`);
    const found = [
      status === 200 ? '' : `status ${status}`,
      heads === 1 ? '' : `${heads} headings of the first level`,
      tooWide === 0 ? '' : `${tooWide} px too wide`,
      GROUNDS.includes(backgroundColor) ? '' : `ground ${backgroundColor}`,
      isKept ? 'the scripts did not take it over' : '',
      ...broken.map((src) => `no picture ${src}`),
      ...(await visitor.defects()),
    ];
    wrong.push(...found.filter(Boolean).map((text) => `${path} at ${width}: ${text}`));
  }
  return wrong;
}

async function lookAll(visitor: Visitor, paths: readonly string[]): Promise<void> {
  expect(paths.length).toBeGreaterThan(0);
  const wrong: string[] = [];
  for (const path of paths) await test.step(path, async () => wrong.push(...(await look(visitor, path))));
  await visitor.engine.resize(1440, 900);
  expect(wrong).toEqual([]);
}

const withoutParameters = (entries: (typeof pagesOf)['visitor']) =>
  entries
    .map(({ path }) => path)
    .filter((path) => !/:|^\/(jump|eventCase\/detail|center\/.*Detail|customerAssess)|\/(pay|success)$/.test(path));

test.describe.configure({ timeout: 1_200_000 });

test('public pages open without errors', async ({ visitor, request }) => {
  const sample = async (type: number) => {
    const { list } = await data<{ list: { pageUrl: string }[] }>(
      request,
      `/api/goods/getGoodsList?goodsTypeId=${type}&pageSize=1`,
    );
    return list[0]?.pageUrl ?? '';
  };
  const goods = [await sample(1), await sample(2)];
  await lookAll(visitor, [...withoutParameters(pagesOf.visitor), '/wares?gt=1&gid=1', ...goods]);
});

test("a buyer's pages", async ({ visitor }) => {
  await logIn(visitor);
  await visitor.open('/center/buyGoodsOrder');
  const order = await visitor.engine.ask(
    () => document.querySelector('a[href*="buyOrderDetail"]')?.getAttribute('href') ?? '',
  );
  expect(order).not.toBe('');
  await lookAll(visitor, [...withoutParameters(pagesOf.buyer), order, '/chatSystem?status=2&returnType=0']);
});
