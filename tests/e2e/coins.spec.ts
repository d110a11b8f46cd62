/** Coin by the lot: a shop offers, a buyer orders a number of lots, the shop delivers, the buyer confirms. */
import { expect } from '@playwright/test';
import { doStep, payFromBalance, picture, seesDue, seesState, takeAction } from './support/order-steps.ts';
import { test } from './support/people.ts';
import { signIn } from './support/sign-in.ts';

const BUYER = '13800000001';
const SHOP = '13800000002';

test('a shop offers, a buyer orders by the lot', async ({ people }, info) => {
  const shop = await people.visitor('shop');
  await signIn(shop, SHOP);
  await shop.page.goto('/center/myshop/shopmanage');
  const dialog = shop.page.getByRole('dialog');
  await shop.page.getByRole('button', { name: '发布报价', exact: true }).click();
  await dialog.getByLabel('大区').selectOption({ index: 1 });
  await dialog.getByLabel(/每份数量/).fill('1000');
  await dialog.getByLabel(/每份价格/).fill('12.34');
  await expect(dialog.getByText(/1元=/)).toBeVisible();
  await dialog.getByRole('button', { name: '上架' }).click();
  await expect(dialog).toBeHidden();
  const row = shop.page
    .getByRole('list', { name: '金币报价' })
    .getByRole('listitem')
    .filter({ hasText: '12.34' })
    .first();
  const sn = (await row.getByText(/QC[A-Z0-9]+/).innerText()).trim().split(/\s/)[0] ?? '';

  const buyer = await people.visitor('buyer');
  await signIn(buyer, BUYER);
  await buyer.page.goto(`/fastGold/${sn}/order`);
  await buyer.page.getByLabel('份数').fill('3');
  await buyer.page.getByRole('button', { name: '提交订单' }).click();
  await expect(buyer.page.getByText('请填写收货角色名')).toBeVisible();
  await buyer.page.getByLabel('收货角色名').fill('剑影无痕');
  await expect(buyer.page.getByRole('main')).toContainText('37.39');
  await buyer.page.getByRole('button', { name: '提交订单' }).click();
  await buyer.page.waitForURL(/\/pay\?orderSn=/);
  const orderSn = new URL(buyer.page.url()).searchParams.get('orderSn') ?? '';

  await payFromBalance(buyer);

  for (const person of [buyer, shop]) await person.page.goto(`/center/buyFastGoldDetail?orderSn=${orderSn}`);
  await expect(shop.page.getByText('3,000 万金币').first()).toBeVisible();
  await expect(shop.page.getByText('剑影无痕').first()).toBeVisible();
  await doStep(shop, '约定交货');
  await doStep(shop, '卖家交货', { proof: await picture(shop, `coin-${info.project.name}.png`) });
  await takeAction(shop, '确认发货', '待收货');
  await seesDue(shop, '等待买家清点金币');
  await seesState(buyer, '待收货');
  await seesDue(buyer, '请清点金币');
  await takeAction(buyer, '确认收货', '交易成功');
});
