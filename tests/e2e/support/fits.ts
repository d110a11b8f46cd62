/** Whether a page fits the screen that it is looked at on. */
import { expect } from '@playwright/test';
import type { Person } from './people.ts';

/** Nothing of the open page is wider than the screen: a phone would show it small, with a margin to push it into. */
export async function fits({ page, name }: Person, what: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  const screen = page.viewportSize()?.width ?? 0;
  // The window's own width grows with what overflows on a phone, so it says nothing.
  const wide = await page.evaluate(
    (width) => ({
      page: document.documentElement.scrollWidth,
      by: [...document.querySelectorAll('body *')]
        .filter((e) => e.getBoundingClientRect().right > width + 1 && e.children.length === 0)
        .slice(0, 3)
        .map((e) => e.outerHTML.slice(0, 120)),
    }),
    screen,
  );
  expect.soft(wide.page, `${name}, ${what}: ${wide.by.join(' ')}`).toBeLessThanOrEqual(screen);
}
