/** Steps of staff on a game's page of the back office. */
import { expect } from '@playwright/test';
import type { Cast } from './cast.ts';
import { decided } from './back-office.ts';

/** Adds a server to an area of a game and publishes it; it is live immediately. */
export async function addServer(
  cast: Cast,
  { gameId, area, server }: { gameId: string; area: string; server: string },
): Promise<void> {
  const owner = cast.colleague('zhangsan');
  const { page } = owner;
  await page.goto(`/backstage/games/${gameId}?tab=areas`);
  const servers = page.getByRole('region', { name: `${area}的服务器` });
  const names = servers.getByRole('textbox');
  await expect(servers).toBeVisible();
  const before = await names.count();
  // A click before the page's scripts are there counts once they are: until then the last field is another server's.
  await servers.getByRole('button', { name: '加服务器' }).click();
  await expect(names).toHaveCount(before + 1);
  await names.last().fill(server);
  // The draft is saved by itself; what is wrong would stand here.
  await expect(page.getByRole('region', { name: '发布前' })).toContainText('发布后商品会怎样');
  await page.getByRole('button', { name: /^发布第 \d+ 版$/ }).click();
  const dialog = page.getByRole('dialog', { name: /^发布第 \d+ 版/ });
  await dialog.getByLabel('原因').fill('开新服');
  await dialog.getByRole('button', { name: '发布', exact: true }).click();
  await decided(owner, page.getByText(/第 \d+ 版已发布/).first());
}
