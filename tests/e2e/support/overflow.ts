/** Whether a page fits the screen it is viewed on. */
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Person } from './people.ts';

let pictures = 0;

/** With `E2E_SHOTS=folder` a picture of the open page, whole unless a dialog covers it, so that a journey can be looked at. */
async function shoot({ page, name }: Person, what: string): Promise<void> {
  const folder = process.env.E2E_SHOTS;
  if (!folder) return;
  pictures += 1;
  const width = page.viewportSize()?.width ?? 0;
  const file = `${width}-${String(pictures).padStart(3, '0')}-${name}-${what.replaceAll(/\s+/g, '-')}.png`;
  const isCovered = await page.getByRole('dialog').first().isVisible();
  await page.screenshot({ path: join(folder, file), fullPage: !isCovered });
}

/** Nothing of the open page is wider than the screen: a phone would show it small, with a margin to push it into. */
export async function expectNoOverflow(person: Person, what: string): Promise<void> {
  const { page, name } = person;
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
  await shoot(person, what);
  expect.soft(wide.page, `${name}, ${what}: ${wide.by.join(' ')}`).toBeLessThanOrEqual(screen);
}
