/** A first visit carries its style sheet in the page; the next page imports the stored file and looks the same. */
import { expect, type Page } from '@playwright/test';
import { test } from './support/people.ts';

/** The style sheet's text in the page, how many rules apply, and what some of them do. */
async function styleOf(page: Page): Promise<{ text: string; rules: number; look: string }> {
  return await page.evaluate(() => {
    const element = document.getElementById('app-css') as HTMLStyleElement;
    const rulesOf = (sheet: CSSStyleSheet | null): number =>
      [...(sheet?.cssRules ?? [])].reduce(
        (sum, rule) => sum + (rule instanceof CSSImportRule ? rulesOf(rule.styleSheet) : 1),
        0,
      );
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

  await page.goto('/allgame');
  const second = await styleOf(page);
  expect(second.text).toMatch(/^@import"\/assets\/[\w-]+\.css";$/);
  expect(second.rules).toBe(first.rules);
  expect(second.look).toBe(first.look);

  // A browser whose cookie is of an older build gets the whole sheet again.
  const [style] = (await context.cookies()).filter(({ name }) => name === 'style');
  await context.addCookies([{ ...(style as NonNullable<typeof style>), value: 'app-older' }]);
  await page.goto('/allgame');
  expect((await styleOf(page)).text).toBe(first.text);
});
