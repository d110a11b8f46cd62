/** A network that goes away: the page stays, a failed way says so in the market's own look, and both go on once it is back. */
import { expect, test } from '@playwright/test';
import { takenOver } from './support/people.ts';

test('without a network the page stays where it is, and goes on when it is back', async ({ page, context }) => {
  await page.goto('/wares?gt=1');
  await takenOver(page);
  const first = page.locator('a.stretched').first();
  await context.setOffline(true);
  await first.click();
  await expect(page.getByText('网络超时')).toBeVisible();
  await expect(page).toHaveURL(/\/wares\?gt=1$/);
  await context.setOffline(false);
  await first.click();
  await page.waitForURL(/\/J?[dD]etail\//);
});

test('a page that cannot be fetched says so in words and in style, and comes when asked again', async ({ page }) => {
  await page.goto('/allgame', { waitUntil: 'networkidle' });
  await takenOver(page);
  await page.route('**/*.data*', (route) => route.abort());
  await page.locator('a[href^="/allgame?type=1"]').click();
  await expect(page.getByRole('heading', { name: '网络超时' })).toBeVisible();
  // The style was made anew with the page; without its nonce the browser would refuse it.
  expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('14px');
  await page.unroute('**/*.data*');
  await page.getByRole('button', { name: '再试一次' }).click();
  await expect(page.getByRole('heading', { name: '全部游戏' })).toBeVisible();
});
