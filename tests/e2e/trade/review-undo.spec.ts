/** An approval by key can be undone for five seconds; one that was undone is never sent (decision 620). */
import { expect } from '@playwright/test';
import { test } from '../support/people.ts';
import { staffAtWork } from '../support/sign-in.ts';

test('an approval is undone by its button and by its key before it is sent', async ({ people }) => {
  const { page } = await staffAtWork(people, 'admin');
  const sent: string[] = [];
  await page.route('**/api/backstage/goods/approve', async (route) => {
    sent.push(route.request().postData() ?? '');
    await route.fulfill({ json: { code: 0, data: null, msg: '' } });
  });
  // The clock of the page stands still, so the five seconds end only when the test lets them.
  await page.clock.install();
  await page.goto('/backstage/goods');
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

  // An approval that is not undone is sent after five seconds, or at once when the next one follows. The route answers, so no listing changes.
  await page.keyboard.press('a');
  await expect(undo).toBeVisible();
  await page.clock.runFor(4_900);
  expect(sent).toHaveLength(0);
  await page.clock.runFor(200);
  await expect.poll(() => sent.length).toBe(1);
  await expect(undo).toHaveCount(0);
  await page.keyboard.press('a');
  await expect(undo).toBeVisible();
  // The second click of a double click approves nothing.
  await page.keyboard.press('a');
  await page.clock.runFor(500);
  expect(sent).toHaveLength(1);
  await page.keyboard.press('a');
  await expect.poll(() => sent.length).toBe(2);
  await undo.click();
});
