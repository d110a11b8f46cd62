/** Coin by the lot: a shop offers, a buyer orders a number of lots, the shop delivers, the buyer confirms. */
import { expect } from '@playwright/test';
import { queryQuickOrderList } from '#subjects/quick-coin/contract/quick-coin.ts';
import { cancelOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { callAs } from '../support/calls.ts';
import { failing } from '../support/failing.ts';
import {
  doStep,
  payFromBalance,
  picture,
  seesDue,
  seesState,
  takeAction,
  skipCoupons,
} from '../support/order-steps.ts';
import { PAY_PASSWORD, test } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';

const BUYER = '13800000001';
const SHOP = '13800000002';

test('a shop publishes an offer, and a buyer orders by the lot', async ({ people }, info) => {
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
  await skipCoupons(buyer.page);
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
  // On a phone the button of a step that asks for nothing else is on the bar, and leaves no empty strip behind.
  if (info.project.name === 'phone')
    expect((await shop.page.locator('form.due-work').boundingBox())?.height ?? 0).toBe(0);
  await doStep(shop, '约定交货');
  await doStep(shop, '卖家交货', { proof: await picture(shop, `coin-${info.project.name}.png`) });
  await seesState(shop, '待收货');
  await seesDue(shop, '等待买家清点金币');
  await seesState(buyer, '待收货');
  await seesDue(buyer, '请清点金币');
  await takeAction(buyer, '确认收货', '交易成功');
});

test('an amount is bought from several shops, and each order starts with its lots', async ({ people }) => {
  const visitor = await people.visitor('buyer');
  await signIn(visitor, BUYER);
  const { page } = visitor;
  await page.goto('/fastGold/fastGoldOrder');
  const { list } = await callAs<{ list: { gameId: number; areaId: number; lotUnits: number; stock: number }[] }>(
    visitor,
    '/api/quickCoin/getQuickCoinList?pageSize=20',
  );
  const offer = list[0];
  await page.goto(`/fastGold/fastGoldOrder?gid=${offer?.gameId}`);
  await expect(page.getByLabel('要买多少')).toBeDisabled();
  await page.goto(`/fastGold/fastGoldOrder?gid=${offer?.gameId}&areaId=${offer?.areaId}`);
  const panel = page.getByRole('region', { name: '按数量配店铺' });
  await panel.getByLabel('要买多少').fill('一万');
  await panel.getByRole('button', { name: '配店铺' }).click();
  await expect(panel.getByRole('alert')).toHaveText('数量应为大于 0 的整数');
  await expect(panel.getByLabel('要买多少')).toHaveValue('一万');
  // More than the cheapest shop sells in one order.
  await panel.getByLabel('要买多少').fill(String((offer?.lotUnits ?? 0) * ((offer?.stock ?? 0) + 1)));
  await panel.getByRole('button', { name: '配店铺' }).click();
  await expect(panel.getByRole('status')).toContainText('合计');
  const parts = panel.getByRole('listitem');
  const lots = /([\d,]+) 份/.exec(await parts.first().innerText())?.[1]?.replaceAll(',', '');
  await parts.first().getByRole('link', { name: /下单/ }).click();
  await page.waitForURL(/\/order\?num=/);
  await expect(page.getByText(/^这是凑单的一家/)).toBeVisible();
  await expect(page.getByRole('textbox', { name: '份数' })).toHaveValue(lots ?? '');
  // The rest is looked for by the same delivery, also after the page was loaded afresh.
  const address = new URL(page.url());
  address.searchParams.set('delivery', '1');
  await page.goto(address.href);
  await expect(page.getByRole('link', { name: '配剩下的' })).toHaveAttribute('href', /&delivery=1$/);
});

test('areas that do not load are loaded again, without leaving the form', async ({ page, context }) => {
  await signIn({ name: 'shop', page, context }, SHOP);
  await page.goto('/center/myshop/shopmanage');
  const restore = await failing(page, '**/api/comm/crossList/**');
  await page.getByRole('button', { name: '发布报价', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/每份价格/).fill('12.34');
  await expect(dialog.getByText('大区没有加载出来')).toBeVisible();
  restore();
  await dialog.getByRole('button', { name: '重新加载大区' }).click();
  await dialog.getByLabel('大区').selectOption({ index: 1 });
  await expect(dialog.getByLabel(/每份价格/)).toHaveValue('12.34');
});

test('a second click while the payment page is being drawn places no second order', async ({ people, browserName }) => {
  const buyer = await people.visitor('buyer');
  await signIn(buyer, BUYER);
  const { page } = buyer;
  const { list } = await callAs<{ list: { quickCoinSn: string }[] }>(
    buyer,
    '/api/quickCoin/getQuickCoinList?pageSize=20',
  );
  const unpaid = async () =>
    (
      await callAs<{ orderList: { id: number }[] }>(buyer, `${queryQuickOrderList.path}?belong=0&status=0&pageSize=50`)
    ).orderList.map(({ id }) => id);
  const before = await unpaid();
  await page.goto(`/fastGold/${list[0]?.quickCoinSn}/order`);
  await page.getByLabel('收货角色名').fill('剑影无痕');
  const submit = page.getByRole('button', { name: '提交订单' }).first();
  await expect(submit).toBeEnabled();
  // A slow machine, where the old page stays visible for some time after the answer.
  if (browserName === 'chromium')
    await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: 20 });
  await submit.click();
  // Waits until the button can be clicked, which it must not be until the page has changed.
  await submit.click({ timeout: 10_000 }).catch(() => undefined);
  await page.waitForURL(/\/pay\?orderSn=/);
  const made = (await unpaid()).filter((orderId) => !before.includes(orderId));
  // Paid before it is cancelled: orders that end unpaid pause their buyer, who orders in other tests as well.
  for (const orderId of made) {
    await callAs(buyer, balancePay.path, { orderId: String(orderId), payPassword: PAY_PASSWORD });
    await callAs(buyer, cancelOrder.path, { orderId: String(orderId) });
  }
  expect(made).toHaveLength(1);
});
