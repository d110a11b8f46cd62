/** Nothing moves that the visitor did not move: the pages that goods are found on stand still while they load and scroll. */
import { expect, type Page } from '@playwright/test';
import { test } from './support/people.ts';
import { data, signIn } from './support/sign-in.ts';

interface Shift {
  value: number;
  where: string;
}

/** Keeps what the browser reports as moved, from the page's first moment on. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Node | null }[];
      })[]) {
        if (entry.hadRecentInput) continue;
        const where = entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 80) : ''));
        shifts.push({ value: entry.value, where: where.join(' | ') });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** More than the longest of the pages has. */
const MOST_SCREENS = 40;

/** Scrolls to the foot by half screens, so that pictures that wait for their turn come in; a list that grows is left after so many. */
async function scrollThrough(page: Page): Promise<void> {
  const half = (page.viewportSize()?.height ?? 800) / 2;
  for (let i = 1; i <= MOST_SCREENS; i++) {
    const isFoot = await page.evaluate((y) => {
      window.scrollTo(0, y);
      return y + window.innerHeight >= document.body.scrollHeight;
    }, i * half);
    // A frame or two; not requestAnimationFrame, which a window that is not painted never calls.
    await page.waitForTimeout(40);
    if (isFoot) return;
  }
}

/** Opens a page, waits for all of it and looks for what moved. */
async function expectStill(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' });
  await scrollThrough(page);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  // As Lighthouse tells it: two decimals.
  expect(sum.toFixed(2), `${path} moved: ${JSON.stringify(shifts)}`).toBe('0.00');
}

test('home, list and goods page have no layout shift', async ({ people }) => {
  const { page, context } = await people.visitor('visitor');
  await watchShifts(page);
  const { list } = await data<{ list: { pageUrl: string }[] }>(context.request, '/api/goods/getGoodsList?pageSize=1');
  for (const path of ['/', '/allgame', '/wares?gt=1', list[0]?.pageUrl ?? '']) await expectStill(page, path);
});

test('what a lost page suggests moves nothing', async ({ page }) => {
  await watchShifts(page);
  for (const path of ['/nowhere', '/pay/go/zzz']) {
    await expectStill(page, path);
    await expect(page.getByRole('heading', { name: '看看在售商品' })).toBeVisible();
  }
});

test('an order of companion play has no layout shift', async ({ people }) => {
  const companion = await people.visitor('companion');
  await signIn(companion, '13800000006');
  const { page } = companion;
  await page.goto('/center/accompanyer/accompanyerOrder');
  const order = await page.locator('a[href*="buyOrderDetail?orderSn="]').first().getAttribute('href');
  await watchShifts(page);
  await expectStill(page, order ?? '');
  await expect(page.getByRole('region', { name: '服务进度' })).toBeVisible();
});
