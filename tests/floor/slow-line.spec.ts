/**
 * Pages that arrive piece by piece do not move. Chromium before 124, Safari and Firefox paint what they have, where newer Chromium waits for the
 * whole page (`rel=expect` in web/root.tsx): what comes later in the source and stands higher on the screen pushes the rest down.
 */
import { expect } from '@playwright/test';
import { pagesOf } from '#tests/e2e/support/crawl/addresses.ts';
import { MARKET, test } from '#tests/e2e/support/people.ts';
import { data } from '#tests/e2e/support/sign-in.ts';
import { LANE } from '#tests/sizes.ts';
import { openSlowLine } from '#tests/support/slow-line.ts';

/** The limit of a good Cumulative Layout Shift (web.dev/articles/cls). A footer at the bottom of a short page grows while it arrives. */
const MOST = 0.1;

const FEW = ['/', '/wares?gt=1&gid=1', '/gj-wzry', '/recycle', '/allgame', '/h/'];
const ALL = pagesOf.visitor.map(({ path }) => path).filter((path) => !/:|^\/eventCase\/detail/.test(path));

test('pages that arrive piece by piece do not move', async ({ people, baseURL }) => {
  const line = await openSlowLine(baseURL ?? MARKET);
  try {
    const { page } = await people.visitor('visitor');
    const sample = async (type: number) => {
      const address = `/api/goods/getGoodsList?goodsTypeId=${type}&pageSize=1`;
      return (await data<{ list: { pageUrl: string }[] }>(page.request, address)).list[0]?.pageUrl ?? '';
    };
    const goods = [await sample(1), await sample(2)];
    await page.addInitScript(() => {
      const moved: string[] = [];
      Object.assign(window, { moved, movedBy: 0 });
      // Entries count although they say that the user has just done something: that is the window of the test, getting its width.
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & {
          value: number;
          sources: { node: Node | null }[];
        })[]) {
          window.movedBy += entry.value;
          const nodes = entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 80) : ''));
          moved.push(`${entry.value.toFixed(3)} ${nodes.join(' | ')}`);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const found: string[] = [];
    for (const path of [...(LANE === 'long' ? ALL : FEW), ...goods]) {
      await page.goto(line.address + path);
      const { moved, by } = await page.evaluate(() => ({ moved: window.moved, by: window.movedBy }));
      if (by > MOST) found.push(`${path} moves by ${by.toFixed(3)}: ${moved.join('; ')}`);
    }
    expect(found).toEqual([]);
  } finally {
    await line.close();
  }
});

declare global {
  interface Window {
    moved: string[];
    movedBy: number;
  }
}
