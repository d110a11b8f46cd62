/** A first visit carries its style sheet in the page; the next page imports the stored file and looks the same. */
import { expect, type Page } from '@playwright/test';
import { test } from '../support/people.ts';

/** The style sheet's text in the page, how many rules apply, and what some of them do. */
async function styleOf(page: Page): Promise<{ text: string; rules: number; look: string }> {
  return await page.evaluate(() => {
    const element = document.getElementById('app-css') as HTMLStyleElement;
    const rulesOf = (from: CSSStyleSheet | CSSGroupingRule | null): number =>
      [...(from?.cssRules ?? [])].reduce((sum, rule) => {
        if (rule instanceof CSSImportRule) return sum + rulesOf(rule.styleSheet);
        return sum + (rule instanceof CSSGroupingRule ? rulesOf(rule) : 1);
      }, 0);
    const of = (selector: string) => {
      const found = document.querySelector(selector);
      if (!found) return '';
      const { color, backgroundColor, fontSize, display } = getComputedStyle(found);
      return [color, backgroundColor, fontSize, display].join();
    };
    return {
      text: element.textContent ?? '',
      rules: rulesOf(element.sheet),
      look: ['body', 'header', 'main', 'h1', 'footer', 'a'].map(of).join(';'),
    };
  });
}

test('the second page imports the style sheet that the first one stored', async ({ people }) => {
  const { page, context } = await people.visitor('visitor');
  await page.goto('/allgame');
  const first = await styleOf(page);
  expect(first.text.length).toBeGreaterThan(10_000);
  await expect.poll(async () => (await context.cookies()).some(({ name }) => name === 'style')).toBe(true);
  // The rest has come behind it, and nothing looks different.
  await expect(page.locator('#app-css + link[rel=stylesheet]')).toHaveCount(1);
  expect((await styleOf(page)).look).toBe(first.look);

  await page.goto('/allgame');
  const second = await styleOf(page);
  expect(second.text).toMatch(/^@import"\/assets\/[\w-]+\.css";$/);
  expect(second.rules).toBeGreaterThan(first.rules);
  expect(second.look).toBe(first.look);

  // A browser whose cookie is of an older build gets the page's part again.
  const [style] = (await context.cookies()).filter(({ name }) => name === 'style');
  await context.addCookies([{ ...(style as NonNullable<typeof style>), value: 'app-older' }]);
  await page.goto('/allgame');
  expect((await styleOf(page)).text.length).toBe(first.text.length);
});

/**
 * The looks of every element and pseudo-element since the last call, compared: how many elements there are, and what
 * looks different now as `element property: before → after`. They stay in the page, since they are some megabytes.
 */
async function compareLooks(page: Page): Promise<{ count: number; differences: string[] }> {
  return await page.evaluate(() => {
    const look = (element: Element, pseudo: string): Record<string, string> => {
      const style = getComputedStyle(element, pseudo);
      // A pseudo-element without content is not drawn.
      if (pseudo && style.content === 'none') return { content: 'none' };
      // Chromium tells the used value of an automatic margin in one layout and 0 in the next: the place is compared.
      const names = [...style].filter((name) => !/^(--|margin-(left|right|inline))/.test(name));
      const { x, width } = element.getBoundingClientRect();
      return { x: `${x}`, width: `${width}`, ...Object.fromEntries(names.map((n) => [n, style.getPropertyValue(n)])) };
    };
    const looks = [...document.body.querySelectorAll('*')].flatMap((element) =>
      ['', '::before', '::after'].map((pseudo) => ({
        name: `${element.tagName}.${element.getAttribute('class') ?? ''}${pseudo}`,
        look: look(element, pseudo),
      })),
    );
    const kept = window as unknown as { looks?: typeof looks };
    const before = kept.looks ?? looks;
    kept.looks = looks;
    const differences = looks.flatMap(({ name, look: now }, index) => {
      const old = before[index]?.look ?? {};
      return Object.keys({ ...old, ...now })
        .filter((property) => old[property] !== now[property])
        .map((property) => `${name} ${property}: ${old[property]} → ${now[property]}`);
    });
    return { count: document.body.querySelectorAll('*').length, differences };
  });
}

const GOODS = 'goods page';

async function goodsUrl(page: Page): Promise<string> {
  const response = await page.request.get('/api/goods/getGoodsList?pageSize=1');
  const { data } = (await response.json()) as { data: { list: { pageUrl: string }[] } };
  return data.list[0]?.pageUrl ?? '';
}

for (const path of ['/', GOODS, '/wares', '/login', '/news'])
  test(`${path}: the page's own part of the style sheet is all that it needs`, async ({ people }) => {
    const { page } = await people.visitor('visitor');
    // Nothing changes the page, so that both looks are of the same elements.
    await page.route('**/*.js', async () => await new Promise(() => undefined));
    let isHeld = true;
    await page.route('**/*.css', async (route) => {
      while (isHeld) await new Promise((resolve) => setTimeout(resolve, 50));
      await route.continue();
    });
    await page.goto(path === GOODS ? await goodsUrl(page) : path, { waitUntil: 'domcontentloaded' });
    const own = await compareLooks(page);
    expect(own.count).toBeGreaterThan(100);
    isHeld = false;
    const rest = page.locator('#app-css + link[rel=stylesheet]');
    await expect.poll(async () => await rest.evaluate((link: HTMLLinkElement) => link.sheet !== null)).toBe(true);
    const whole = await compareLooks(page);
    expect(whole.count).toBe(own.count);
    expect(whole.differences).toEqual([]);
  });
