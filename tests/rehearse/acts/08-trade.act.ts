/** On a phone, at the brand: one order is paid by WeChat and one by Alipay, each in its own page, and both are handed over. */
import { expect, type Page } from '@playwright/test';
import {
  doStep,
  openCredential,
  openOrder,
  picture,
  placeOrder,
  seesDue,
  seesState,
  takeAction,
} from '#tests/e2e/support/order-steps.ts';
import { bindPayout, staffOpens, staffStep } from '#tests/e2e/support/money-steps.ts';
import type { Cast } from '../cast.ts';
import { decided } from '../back-office.ts';
import { BRAND, SITE } from '../hosts.ts';
import { GOODS, SELLER } from '../parts.ts';
import { test } from '../stage.ts';

const PASSWORD = 'jiaojie-2026';

/** Pays the order of the open page in the channel's own page, and is brought back to an order that is paid. */
async function payAway(page: Page, channel: string): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(channel) }).check();
  await page.getByRole('button', { name: /^去支付/ }).click();
  await page.getByRole('button', { name: '确认付款' }).click();
  await page.waitForURL(/\/success\?orderSn=/);
  await expect(page.getByText('付款成功', { exact: true })).toBeVisible();
}

/** Seller, customer service and buyer hand the account over, and the buyer confirms. */
async function handOver(cast: Cast, orderSn: string, account: string): Promise<void> {
  const logIn = { account, password: PASSWORD };
  const [seller, buyer] = [await cast.user('seller', SITE), await cast.user('buyer', BRAND)];
  const service = cast.colleague('wangwu');
  const proof = await picture(seller, 'proof.png');
  await openOrder(seller, orderSn);
  await doStep(seller, '提交账号资料', { logIn });
  await openOrder(buyer, orderSn);
  await seesDue(buyer, '等待客服验号');
  await staffOpens(service, orderSn, logIn);
  await staffStep(service, orderSn, '核对登录', proof);
  await openOrder(seller, orderSn);
  // The check was the last step before the shipping, which follows by itself.
  await seesState(seller, '待收货');
  await openOrder(buyer, orderSn);
  await openCredential(buyer, logIn);
  await doStep(buyer, '修改密码');
  await takeAction(buyer, '确认收货', '交易成功');
  await openOrder(seller, orderSn);
  await seesState(seller, '交易成功');
}

test('customer service is on duty', async ({ cast }) => {
  const { page } = cast.colleague('wangwu');
  await page.goto('/backstage/chat');
  const duty = page.getByRole('switch', { name: /当班|已下班/ });
  if ((await duty.getAttribute('aria-checked')) === 'false') await duty.click();
  await expect(duty).toHaveAttribute('aria-checked', 'true');
});

test('an order is paid by WeChat from the phone’s browser, and handed over', async ({ cast }) => {
  const buyer = await cast.user('buyer', BRAND);
  const [goods] = GOODS;
  const { orderSn, total } = await placeOrder(buyer, `/detail/${goods?.sn}`);
  // The price and 2 % of service.
  expect(total).toBe('2856.00');
  await payAway(buyer.page, '微信');
  await handOver(cast, orderSn, goods?.account ?? '');
  if (goods) goods.orderSn = orderSn;
});

test('the seller binds a payout account', async ({ cast }) => {
  await bindPayout(await cast.user('seller', SITE), SELLER.phone, SELLER.name);
});

test('from now on a protection lasts a day, which finance requests and the owner approves', async ({ cast }) => {
  const [finance, owner] = [cast.colleague('lisi'), cast.colleague('zhangsan')];
  const at = (page: Page) => page.getByRole('region', { name: '成交后的保护期', exact: true });
  await finance.page.goto('/backstage/settings?group=holds');
  const mine = at(finance.page);
  await mine.getByRole('button', { name: '修改', exact: true }).click();
  for (const level of ['新卖家', '1 级卖家', '2 级卖家', '3 级卖家', '4 级卖家', '5 级卖家'])
    await mine.getByLabel(level).fill('24');
  await mine.getByLabel('原因').fill('开业首日已过');
  await mine.getByRole('button', { name: '提交复核' }).click();
  await decided(finance, mine.getByText('等待另一位同事复核'));
  await expect(mine.getByRole('button', { name: '撤回' })).toBeVisible();
  await expect(mine.getByRole('button', { name: '通过' })).toHaveCount(0);

  await owner.page.goto('/backstage/settings?group=holds');
  const theirs = at(owner.page);
  await theirs.getByRole('button', { name: '通过' }).click();
  const dialog = owner.page.getByRole('dialog', { name: '通过这条修改' });
  await dialog.getByLabel('原因').fill('同意');
  await dialog.getByRole('button', { name: '通过' }).click();
  await decided(owner, owner.page.getByText('已处理'));
  await expect(theirs).not.toContainText('等待另一位同事复核');
});

test('an order is paid by Alipay from the phone’s browser, and handed over', async ({ cast }) => {
  const buyer = await cast.user('buyer', BRAND);
  const [, goods] = GOODS;
  const { orderSn } = await placeOrder(buyer, `/detail/${goods?.sn}`);
  await payAway(buyer.page, '支付宝');
  await handOver(cast, orderSn, goods?.account ?? '');
  if (goods) goods.orderSn = orderSn;
});
