/** Staff add a game that the catalogue lacks, with only the back office's pages; a seller then finds its form in the storefront. */
import { expect } from '@playwright/test';
import { test } from '../support/people.ts';
import { openOffer } from '../support/sell-steps.ts';
import { signIn, staffAtWork } from '../support/sign-in.ts';

const SELLER = '13800000002';

test('a game created in the back office is sold through its form in the storefront', async ({ people }, info) => {
  test.slow();
  test.skip(info.project.name.includes('phone'), 'editors are for computers');
  const name = `山海${Date.now() % 100_000}`;
  const { page } = await staffAtWork(people, 'neirong');
  await page.goto('/backstage/games');
  await page.getByRole('button', { name: '新建游戏' }).click();
  const dialog = page.getByRole('dialog', { name: '新建游戏' });
  await dialog.getByLabel('编码').fill(`sh${Date.now() % 100_000}`);
  await dialog.getByLabel('游戏名称').fill(name);
  await dialog.getByRole('button', { name: '新建', exact: true }).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await expect(page.getByText('未发布')).toBeVisible();

  await page.getByRole('link', { name: /^大区与服务器/ }).click();
  await page.getByRole('button', { name: '批量粘贴' }).click();
  const paste = page.getByRole('dialog', { name: '批量粘贴大区和服务器' });
  await paste.getByLabel('每行一个').fill('一区：青丘、昆仑\n二区：蓬莱');
  await expect(paste.getByText('会加 2 个大区、3 个服务器')).toBeVisible();
  await paste.getByRole('button', { name: '加入' }).click();
  await expect(page.getByLabel('第 2 个服务器的名称')).toHaveValue('昆仑');

  await page.getByRole('link', { name: /^发布表单与筛选/ }).click();
  await page.getByRole('button', { name: '加一项' }).first().click();
  await expect(page.getByText(/处要改$/), 'a field without a name').toBeVisible();
  await page.getByLabel('名称', { exact: true }).fill('修为');
  await page.getByLabel('必填').check();
  await page.getByLabel('第 1 个选项的名称').fill('化神');
  const preview = page.getByRole('region', { name: '预览' });
  await expect(preview.getByText('修为').first()).toBeVisible();
  await expect(preview.getByText('化神').first()).toBeVisible();
  await expect(page.getByText(/草稿 .* 已保存/)).toBeVisible();

  await page.getByRole('button', { name: '发布第 1 版' }).click();
  const publish = page.getByRole('dialog', { name: `发布第 1 版：${name}` });
  await expect(publish.getByText('新增「修为」，单选，必填')).toBeVisible();
  await publish.getByRole('button', { name: '发布', exact: true }).click();
  await expect(publish.getByText('请填写原因，至少 2 个字')).toBeVisible();
  await publish.getByLabel('原因').fill('新游开放');
  await publish.getByRole('button', { name: '发布', exact: true }).click();
  await expect(page.getByText('第 1 版已发布')).toBeVisible();
  await expect(page.getByText('前台可见')).toBeVisible();

  const seller = await people.visitor('a seller');
  await signIn(seller, SELLER);
  await openOffer(seller.page, { game: name, type: '账号', account: `acc-${Date.now()}` });
  const own = seller.page.getByRole('region', { name: '商品属性' });
  await expect(own.getByText('修为')).toBeVisible();
  await expect(own.getByText('化神')).toBeVisible();
});
