/** Before buying: a question to customer service from the listing's page, an answer, and the purchase. */
import { expect } from '@playwright/test';
import { payFromBalance, placeOrder } from '../support/order-steps.ts';
import { test } from '../support/people.ts';
import { data, signIn, staffAtWork } from '../support/sign-in.ts';

const BUYER = '13800000001';

test('customer service responds to a question about a listing, and the user buys it', async ({ people }, info) => {
  const buyer = await people.visitor('buyer');
  await signIn(buyer, BUYER);
  const { page } = buyer;
  const isPhone = info.project.name === 'phone';
  const { list } = await data<{ list: { goodsSn: string; pageUrl: string; bigTitle: string; bargainOpen: boolean }[] }>(
    buyer.context.request,
    '/api/goods/getGoodsList?goodsTypeId=1&sort=priceAsc&minPrice=50',
  );
  const goods = list.filter(({ bargainOpen }) => !bargainOpen)[isPhone ? 1 : 0];
  await page.goto(goods?.pageUrl ?? '');
  // On a phone the bar has the question to the seller, and customer service in its dialog.
  if (isPhone) await page.locator('.buy-bar').getByRole('button', { name: '问卖家', exact: true }).click();
  const from = isPhone ? page.getByRole('dialog', { name: '问卖家' }) : page;
  await from.getByRole('link', { name: '问客服', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/customerService' && url.searchParams.has('groupId'));
  const chat = page.getByRole('log');
  await expect(chat.getByText(`咨询商品：${goods?.bigTitle}`)).toBeVisible();
  await page.getByLabel('消息', { exact: true }).fill(`换绑要多久（${info.project.name}）`);
  await page.getByRole('button', { name: '发送', exact: true }).click();

  // The one of the two of customer service who has the conversation.
  const head = page.getByText(/^客服(小安|小宁)/);
  await expect(head.first()).toBeVisible();
  const staff = await staffAtWork(people, (await head.first().innerText()).includes('小安') ? 'kefu1' : 'kefu2');
  await staff.page.goto('/backstage/chat');
  await staff.page
    .locator('.workbench-row')
    .filter({ hasText: `咨询：${goods?.bigTitle}` })
    .first()
    .click();
  await expect(
    staff.page
      .getByRole('log')
      .getByText(/换绑要多久/)
      .last(),
  ).toBeVisible();
  await expect(staff.page.getByRole('region', { name: '咨询的商品' })).toContainText(goods?.goodsSn ?? '');
  await staff.page.getByLabel('消息', { exact: true }).fill('一般半小时，流程都在订单页');
  await staff.page.getByRole('button', { name: '发送', exact: true }).click();
  await expect(chat.getByText('一般半小时，流程都在订单页').last()).toBeVisible();
  await staff.page.getByRole('button', { name: '结束咨询' }).click();
  await expect(chat.getByText('本次咨询已结束', { exact: true }).last()).toBeVisible();

  await placeOrder(buyer, goods?.pageUrl ?? '');
  await payFromBalance(buyer);
});
