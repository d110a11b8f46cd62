/** An approval by key can be undone for five seconds, and is not sent when it was. */
import { expect } from '@playwright/test';
import { hydrated, test } from './support/people.ts';
import { staffAtWork } from './support/sign-in.ts';

test('an approval is undone by its button and by its key before it is sent', async ({ people }) => {
  const { page } = await staffAtWork(people, 'admin');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/backstage/goods/approve')) sent.push(request.postData() ?? '');
  });
  // The clock of the page stands still, so the five seconds end only when the test lets them.
  await page.clock.install();
  await page.goto('/backstage/goods');
  await hydrated(page);
  const detail = page.getByRole('article', { name: /^审核 / });
  const name = (await detail.getAttribute('aria-label')) ?? '';
  const same = page.getByRole('article', { name, exact: true });
  const undo = page.getByRole('button', { name: /^撤销/ });

  await page.clock.pauseAt(Date.now() + 60_000);
  await page.keyboard.press('a');
  await expect(undo).toBeVisible();
  await expect(same).toHaveCount(0);
  await undo.click();
  await expect(same).toBeVisible();
  await expect(undo).toHaveCount(0);

  await page.keyboard.press('a');
  await expect(same).toHaveCount(0);
  await page.keyboard.press('z');
  await expect(same).toBeVisible();

  await page.clock.runFor(30_000);
  await expect(undo).toHaveCount(0);
  await expect(same).toBeVisible();
  expect(sent).toEqual([]);
});
