/** Nothing moves that the visitor did not move: the pages that goods are found on stand still while they load and scroll. */
import { expect, type Page } from '@playwright/test';
import { test } from './support/people.ts';
import { data } from './support/sign-in.ts';

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

/** Scrolls to the foot in steps, so that pictures that wait for their turn come in. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += window.innerHeight / 2) {
      window.scrollTo(0, y);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
  });
}

test('home, list and goods page stand still', async ({ people }) => {
  const { page, context } = await people.visitor('visitor');
  await watchShifts(page);
  const { list } = await data<{ list: { pageUrl: string }[] }>(context.request, '/api/goods/getGoodsList?pageSize=1');
  for (const path of ['/', '/allgame', '/wares?gt=1', list[0]?.pageUrl ?? '']) {
    await page.goto(path, { waitUntil: 'networkidle' });
    await scrollThrough(page);
    const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
    const sum = shifts.reduce((all, { value }) => all + value, 0);
    // As Lighthouse tells it: two decimals.
    expect(sum.toFixed(2), `${path} moved: ${JSON.stringify(shifts)}`).toBe('0.00');
  }
});
