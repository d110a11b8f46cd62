/** A brand with a separate host, by its pages: made, coloured, published, and open for visitors. */
import { expect } from '@playwright/test';
import { decided } from '../back-office.ts';
import { BRAND } from '../hosts.ts';
import { test } from '../stage.ts';

test('a brand is created with its host, gets its colours, and is open', async ({ cast }) => {
  const owner = cast.colleague('zhangsan');
  const { page } = owner;
  await page.goto('/backstage/brands');
  await page.getByRole('button', { name: '新建品牌' }).click();
  const dialog = page.getByRole('dialog', { name: '新建品牌' });
  await dialog.getByLabel('网站名称').fill('夜鹤游戏');
  await dialog.getByLabel('代码').fill('yehe');
  await dialog.getByLabel('域名').fill(BRAND);
  await dialog.getByLabel('佣金（占手续费的 %）').fill('50');
  await dialog.getByLabel('原因').fill('第一个品牌');
  await dialog.getByRole('button', { name: '创建', exact: true }).click();
  await decided(owner, page.getByRole('heading', { level: 1, name: '夜鹤游戏' }));

  // The preview beside the form shows the brand under its own host, which the back office learnt a moment ago.
  const preview = page.frameLocator('iframe[title="手机上的样子"]').locator('html');
  await page.getByLabel('网站简介').fill('王者与原神账号专卖');
  await page.getByLabel('客服号码').fill('400-800-2027');
  await page.getByLabel('色相', { exact: true }).fill('250');
  await page.getByLabel('首页布局').selectOption({ label: '布局 2' });
  const hot = page.getByRole('combobox', { name: '热门游戏' });
  for (const game of ['原神', '王者荣耀']) {
    await hot.selectOption({ label: game });
    await expect(page.getByRole('listitem').filter({ hasText: game })).toBeVisible();
  }
  await expect(preview).toHaveAttribute('style', /--brand-h:\s*250/);
  await page.getByLabel('改动的原因').fill('开业的样子');
  await page.getByRole('button', { name: '发布', exact: true }).click();
  await decided(owner, page.getByText(/第 \d+ 版已发布/).first());

  const visitor = await cast.enter('a visitor of the brand', BRAND);
  // The other node hears of the version a moment after the one that published it.
  await expect(async () => {
    await visitor.page.goto('/');
    await expect(visitor.page).toHaveTitle(/夜鹤游戏/, { timeout: 2_000 });
    await expect(visitor.page.locator('html')).toHaveAttribute('style', /--brand-h:\s*250/, { timeout: 2_000 });
    const description = visitor.page.locator('meta[name="description"]');
    await expect(description).toHaveAttribute('content', /王者与原神账号专卖/, { timeout: 2_000 });
    const games = visitor.page.getByRole('link', { name: /^(原神|王者荣耀|英雄联盟)$/ });
    await expect(games.first()).toHaveText('原神', { timeout: 2_000 });
  }).toPass();
});
