/** The six ways through the market that every change must leave open. `npm run test:change` runs only them, by their tag. */
import { expect } from '@playwright/test';
import { callAs } from '../support/calls.ts';
import { sendText } from '../support/chat-steps.ts';
import { exclusively } from '../support/exclusive.ts';
import { payFromBalance, picture, placeOrder } from '../support/order-steps.ts';
import { actionButton, test } from '../support/people.ts';
import { publish } from '../support/sell-steps.ts';
import { data, logInByCode, logOut, signIn, staffAtWork } from '../support/sign-in.ts';

const BUYER = '13800000001';
const SELLER = '13800000002';
const tag = '@smoke';

test(
  'a visitor goes from the home page by a search to a listing, and to the log-in',
  { tag },
  async ({ people }, { project }) => {
    const { page } = await people.visitor('visitor');
    await page.goto('/');
    if (project.name === 'phone') {
      await page.getByRole('link', { name: /搜游戏、关键词/ }).click();
      await expect(page.getByRole('dialog', { name: '搜索' }).getByRole('option', { name: '王者荣耀' })).toBeVisible();
      await page.keyboard.type('王者');
      await page.keyboard.press('Enter');
    } else {
      await page.getByRole('combobox', { name: '关键词或商品编号' }).fill('王者');
      await page.getByRole('button', { name: '搜索' }).click();
    }
    await expect(page).toHaveURL(/keyWord=/);
    const goods = page.locator('a[href^="/detail/"]').first();
    await page.goto((await goods.getAttribute('href')) ?? '');
    await expect(page.getByRole('heading', { name: '商品描述' })).toBeVisible();
    await actionButton(page, '立即购买').click();
    await page.waitForURL(/\/login\?returnUrl=/);
  },
);

test('a user logs in by the code of an SMS, and out', { tag }, async ({ people }, { project }) => {
  const person = await people.visitor('person');
  // A number is sent one code a minute.
  await logInByCode(person, project.name === 'phone' ? SELLER : BUYER);
  await logOut(person);
  await person.page.goto('/center');
  await person.page.waitForURL(/\/login\?returnUrl=/);
});

test('a seller submits a listing by the form of its game', { tag }, async ({ people }, { project }) => {
  const seller = await people.visitor('seller');
  await signIn(seller, SELLER);
  const title = `安卓QQ 满级号 速览旅程 ${project.name}`;
  const file = await picture(seller, `smoke-${project.name}.png`);
  const account = `smoke-${project.name}`;
  // A seller has one draft per game and type.
  const goodsSn = await exclusively('draft', async () =>
    publish(seller, { game: '王者荣耀', type: '账号', account, title, price: '128.00', picture: file }),
  );
  const { list } = await callAs<{ list: { goodsSn: string }[] }>(
    seller,
    `/api/goods/selfPublishGoodsList?keyWord=${encodeURIComponent(title)}`,
  );
  expect(list.map((one) => one.goodsSn)).toContain(goodsSn);
});

test('a buyer pays for a listing from the balance', { tag }, async ({ people }, { project }) => {
  const buyer = await people.visitor('buyer');
  await signIn(buyer, BUYER);
  const { list } = await data<{ list: { pageUrl: string }[] }>(
    buyer.context.request,
    '/api/goods/getGoodsList?goodsTypeId=1&sort=priceAsc&minPrice=50&pageSize=20',
  );
  // The first ones are bought by other journeys.
  const { orderSn } = await placeOrder(buyer, list.at(project.name === 'phone' ? -1 : -2)?.pageUrl ?? '');
  await payFromBalance(buyer);
  const order = await callAs<{ status: number }>(buyer, `/api/order/orderDetail?orderSn=${orderSn}`);
  expect(order.status).toBe(1);
});

test('a message of the buyer reaches the seller, and the answer the buyer', { tag }, async ({ people }, info) => {
  const buyer = await people.visitor('buyer');
  const seller = await people.visitor('seller');
  await signIn(buyer, BUYER);
  await signIn(seller, SELLER);
  await buyer.page.goto('/chatSystem?status=2&returnType=0');
  const link = buyer.page
    .getByRole('list', { name: '订单', exact: true })
    .getByRole('link')
    .filter({ hasText: /卖家阿市/ })
    .nth(info.project.name === 'phone' ? 5 : 4);
  const orderSn = /orderSn=([\w-]+)/.exec((await link.getAttribute('href')) ?? '')?.[1] ?? '';
  await buyer.page.goto(`/chatSystem?status=2&returnType=0&orderSn=${orderSn}`);
  await seller.page.goto(`/chatSystem?status=2&returnType=1&orderSn=${orderSn}`);
  for (const { page } of [buyer, seller]) await expect(page.getByRole('log', { name: '聊天记录' })).toBeVisible();
  const n = `${info.project.name} ${info.repeatEachIndex}`;
  await sendText(buyer, seller, `在吗，想问一下（${n}）`);
  await sendText(seller, buyer, `在的，请说（${n}）`);
});

test('staff sign in and open the list of orders', { tag }, async ({ people }) => {
  const { page } = await staffAtWork(people, 'admin');
  await page.goto('/backstage/orders');
  const table = page.getByRole('table', { name: '订单' });
  await expect(table.getByRole('row').nth(2)).toBeVisible();
  const link = page.locator('a.list-sn').first();
  const orderSn = (await link.innerText()).trim();
  await page.goto((await link.getAttribute('href')) ?? '');
  expect(new URL(page.url()).pathname).toBe(`/backstage/orders/${orderSn}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
