/**
 * Pages that arrive piece by piece do not move. Chromium before 124, Safari and Firefox paint what they have, where newer Chromium waits for the
 * whole page (`rel=expect` in web/root.tsx): what comes later in the source and stands higher on the screen pushes the rest down.
 */
import { expect } from '@playwright/test';
import {
  addressOf,
  buyersOwn,
  LOGINS,
  ownSamples,
  pagesOf,
  publicSamples,
  type Samples,
} from '#tests/e2e/support/crawl/addresses.ts';
import { MARKET, type Person, test } from '#tests/e2e/support/people.ts';
import { signIn } from '#tests/e2e/support/sign-in.ts';
import type { UrlEntry } from '#web/lib/pages/url-map.ts';
import { LANE } from '#tests/sizes.ts';
import { openSlowLine } from '#tests/support/servers/slow-line.ts';

/** The limit of a good Cumulative Layout Shift (web.dev/articles/cls). A footer at the bottom of a short page grows while it arrives. */
const MOST = 0.1;

const addressesOf = (entries: readonly UrlEntry[], samples: Samples): string[] =>
  entries.map((entry) => addressOf(entry, samples));

/** Collects what moves in each page of a person. */
async function watch({ page }: Person): Promise<void> {
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
}

/** Opens the addresses on a slow line; fails with those that move. */
async function expectStill(person: Person, addresses: readonly string[]): Promise<void> {
  const { page } = person;
  await watch(person);
  const line = await openSlowLine(MARKET);
  try {
    const found: string[] = [];
    for (const address of addresses) {
      await page.goto(line.address + address);
      const { moved, by } = await page.evaluate(() => ({ moved: window.moved, by: window.movedBy }));
      if (by > MOST) found.push(`${address} moves by ${by.toFixed(3)}: ${moved.join('; ')}`);
    }
    expect(found).toEqual([]);
  } finally {
    await page.close();
    await line.close();
  }
}

test('public pages that arrive piece by piece do not move', async ({ people }) => {
  const visitor = await people.visitor('visitor');
  const samples = await publicSamples(visitor);
  const few = ['/', '/wares?gt=1&gid=1', '/gj-wzry', '/recycle', `/detail/${samples.goodsSn}`];
  await expectStill(visitor, LANE === 'long' ? addressesOf(pagesOf.visitor, samples) : few);
});

for (const login of LANE === 'long' ? (['buyer', 'seller'] as const) : [])
  test(`pages of the ${login} that arrive piece by piece do not move`, async ({ people }) => {
    const person = await people.visitor(login);
    await signIn(person, LOGINS[login]);
    const samples = login === 'buyer' ? await ownSamples(person) : await publicSamples(person);
    const own = login === 'buyer' ? await buyersOwn(person, samples) : [];
    await expectStill(person, [...addressesOf(pagesOf[login], samples), ...own]);
  });

test('a list whose tab changes does not move what both tabs contain', async ({ people }) => {
  const buyer = await people.visitor('buyer');
  await signIn(buyer, LOGINS.buyer);
  await watch(buyer);
  const { page } = buyer;
  await page.goto('/center/buyGoodsOrder');
  const rows = page.locator('main [aria-busy]').last();
  const tab = page.getByRole('link', { name: /^待发货/ });
  // The rows of the new tab arrive only after the old ones are dimmed.
  await page.route(/\.data(\?|$)/, async (route) => {
    await expect(rows).toHaveAttribute('aria-busy', 'true');
    await route.continue();
  });
  await page.evaluate(() => Object.assign(window, { movedBy: 0 }));
  await tab.click();
  await expect(tab).toHaveAttribute('aria-current', /./);
  await expect(rows).toHaveAttribute('aria-busy', 'false');
  await page.evaluate(async () => {
    for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame);
  });
  const { moved, by } = await page.evaluate(() => ({ moved: window.moved, by: window.movedBy }));
  expect(by, moved.join('; ')).toBeLessThan(0.02);
});

declare global {
  interface Window {
    moved: string[];
    movedBy: number;
  }
}
