/** A first visit carries its style sheet in the page; the next page imports the stored file and looks the same. */
import { expect, type Page } from '@playwright/test';
import { test } from './support/people.ts';

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

/** How every element of the page looks, and its pseudo-elements. */
async function looks(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.body.querySelectorAll('*')].flatMap((element) =>
      [undefined, '::before', '::after'].map((pseudo) => {
        const style = getComputedStyle(element, pseudo);
        // Sizes of boxes follow from the others, and change with the scroll bar.
        const values = [...style]
          .filter((name) => !name.startsWith('--'))
          .map((name) => `${name}:${style.getPropertyValue(name)}`);
        return `${element.tagName}.${element.getAttribute('class') ?? ''}${pseudo ?? ''} ${values.join(';')}`;
      }),
    ),
  );
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
    const own = await looks(page);
    isHeld = false;
    await expect
      .poll(
        async () =>
          await page.evaluate(() => document.querySelector<HTMLLinkElement>('#app-css + link')?.sheet !== null),
      )
      .toBe(true);
    expect(own.length).toBeGreaterThan(100);
    expect(await looks(page)).toEqual(own);
  });
