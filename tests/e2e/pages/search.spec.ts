/** A search that forgives: a typo, why a listing is where it is, and a keyword without result that staff turn into a synonym. */
import { get } from 'node:http';
import { expect } from '@playwright/test';
import { test } from '../support/people.ts';
import { signIn, staffAtWork } from '../support/sign-in.ts';

/** The same search by another visitor: from an address of his own, and with a page size of his own, which no kept answer serves. */
async function searchFrom(localAddress: string, pageSize: number, keyword: string): Promise<void> {
  const port = Number(process.env.E2E_PORT);
  const path = `/api/goods/getGoodsList?keyWord=${encodeURIComponent(keyword)}&pageSize=${pageSize}`;
  const status = await new Promise<number | undefined>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, localAddress, headers: { host: `localhost:${port}` } }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
    }).on('error', reject);
  });
  expect(status).toBe(200);
}

const wares = (keyWord: string): string => `/wares?keyWord=${encodeURIComponent(keyWord)}`;

test('a mistyped game is corrected by one click, and a position in the list is explained', async ({ people }) => {
  const { page } = await people.visitor('买家');
  await page.goto(wares('王者农药'));
  const meant = page.getByRole('navigation', { name: '您是不是要找' }).getByRole('link', { name: /^王者荣耀（/ });
  // The results of what was meant are there at once, and what was typed can still be searched for.
  await expect(page.getByText('已按 王者荣耀 搜索')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: '全包价' }).first()).toContainText('王者荣耀');
  await page.getByRole('link', { name: '仍搜“王者农药”' }).click();
  await expect(page.getByText('没有找到相关商品')).toBeVisible();
  await expect(meant).toBeVisible();
  await meant.click();
  await expect(page).toHaveURL(/gid=2\b/);
  await expect(page.getByRole('navigation', { name: '您是不是要找' })).toBeHidden();
  await page.getByRole('button', { name: '排序说明' }).click();
  const dialog = page.getByRole('dialog', { name: '为什么排在这里' });
  await expect(dialog.getByText('没有付费推广')).toBeVisible();
  await expect(dialog.getByText('卖家等级')).toBeVisible();
});

test('text typed after opening the search field is the keyword, and no filter', async ({ people }, info) => {
  test.skip(info.project.name !== 'phone', 'wide screens have the field itself in their header');
  const { page } = await people.visitor('买家');
  await page.goto('/');
  await page.getByRole('link', { name: /搜游戏、关键词/ }).click();
  const sheet = page.getByRole('dialog', { name: '搜索' });
  // The games come later than the sheet, with their own field, which must not take the text.
  await expect(sheet.getByRole('option', { name: '王者荣耀' })).toBeVisible();
  await page.keyboard.type('王者荣要');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('keyWord') === '王者荣要');
  await expect(page.getByText('已按 王者荣耀 搜索')).toBeVisible();
  await expect(page.getByRole('button', { name: '筛选', exact: true })).toBeVisible();
});

test('a keyword without results becomes a synonym that takes effect immediately', async ({ people }, info) => {
  const keyword = info.project.name === 'phone' ? '暴走萝莉塔' : '暴走萝莉岛';
  const { page } = await people.visitor('买家');
  // As typed: a list without results shows those of the nearest word else.
  await page.goto(`${wares(keyword)}&typed=1`);
  await expect(page.getByText('没有找到相关商品')).toBeVisible();
  // A keyword is stored once three visitors have searched for it.
  await searchFrom('127.0.0.2', 11, keyword);
  await searchFrom('127.0.0.3', 12, keyword);
  const staff = await staffAtWork(people, 'neirong');
  await expect(async () => {
    await staff.page.goto('/backstage/synonyms');
    await expect(staff.page.getByRole('button', { name: `为${keyword}设同义词` })).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 90_000 });
  await staff.page.getByRole('button', { name: `为${keyword}设同义词` }).click();
  const dialog = staff.page.getByRole('dialog', { name: '添加同义词' });
  await dialog.getByLabel('也搜索').fill('英雄联盟');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(dialog.getByText('请写明原因')).toBeVisible();
  await dialog.getByLabel('原因').fill('买家常用');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(staff.page.getByRole('row').filter({ hasText: keyword })).toContainText('英雄联盟');
  await page.reload();
  await expect(page.locator('a[href^="/detail/"]').first()).toBeVisible();
  await expect(page.getByText('没有找到相关商品')).toHaveCount(0);
});

test('a search of one game without results begins a want with its words and the highest price', async ({ people }) => {
  const buyer = await people.visitor('买家');
  await signIn(buyer, '13800000001');
  const { page } = buyer;
  await page.goto('/wares?gt=1&gid=2&typed=1&keyWord=%E6%B2%A1%E6%9C%89%E8%BF%99%E7%A7%8D%E5%8F%B7');
  const start = page.getByRole('region', { name: '发一条求购，让卖家来找您' });
  await expect(start.getByLabel('想要什么')).toHaveValue(/^求王者荣耀.*没有这种号$/);
  await start.getByLabel('最高（元）').fill('888');
  await start.getByRole('button', { name: '发求购' }).click();
  await page.waitForURL((url) => url.pathname === '/center/buyBlackList');
  await expect(page.getByLabel('一句话说明')).toHaveValue(/没有这种号$/);
  await expect(page.getByLabel('预算（元）')).toHaveValue('888');
  await expect(page.getByLabel('游戏', { exact: true }).locator('option:checked')).toHaveText('王者荣耀');
});
