/** Hand-overs that are no account's listing: an item is delivered and compared, a private deal is opened, accepted, paid and called off. */
import { expect } from '@playwright/test';
import { callAs } from '../support/calls.ts';
import { expectNoOverflow } from '../support/overflow.ts';
import {
  doStep,
  openOrder,
  payFromBalance,
  picture,
  placeOrder,
  seesDue,
  seesState,
  takeAction,
} from '../support/order-steps.ts';
import { actionButton, type Person, test } from '../support/people.ts';
import { signIn, staffAtWork } from '../support/sign-in.ts';

const BUYER = '13800000001';
const SELLER = '13800000002';
const ITEM = 27;

async function pair(people: { visitor: (name: string) => Promise<Person> }) {
  const seller = await people.visitor('seller');
  const buyer = await people.visitor('buyer');
  await signIn(seller, SELLER);
  await signIn(buyer, BUYER);
  return { seller, buyer };
}

test('an item is delivered and checked, and no text mentions an account', async ({ people }, info) => {
  const { seller, buyer } = await pair(people);
  const { list } = await callAs<{ list: { goodsSn: string; goodsTypeId: number }[] }>(
    seller,
    '/api/goods/selfPublishGoodsList?status=2&pageSize=50',
  );
  const item = list.find(({ goodsTypeId }) => goodsTypeId === ITEM);
  expect(item, 'the demo seller has an item on sale').toBeDefined();

  await buyer.page.goto(`/detail/${item?.goodsSn}`);
  await expectNoOverflow(buyer, 'goods page');
  const { orderSn } = await placeOrder(buyer, `/detail/${item?.goodsSn}`);
  await expectNoOverflow(buyer, 'pay page');
  await openOrder(buyer, orderSn);
  await seesDue(buyer, '请付款');
  await expectNoOverflow(buyer, 'order to be paid');
  await actionButton(buyer.page, '去付款').click();
  await buyer.page.waitForURL(/\/pay\?orderSn=/);
  await payFromBalance(buyer);
  await expectNoOverflow(buyer, 'paid');

  await openOrder(seller, orderSn);
  await openOrder(buyer, orderSn);
  await seesDue(seller, '请约定交货');
  await expectNoOverflow(seller, 'order to be met for');
  await doStep(seller, '约定交货');
  await seesDue(seller, '请交付道具');
  await seesDue(buyer, '等待卖家交付道具');
  await doStep(seller, '卖家交付道具', { proof: await picture(seller, `item-${info.project.name}.png`) });
  // The last step before the shipping ships: nobody confirms it again.
  await seesState(seller, '待收货');
  await seesState(buyer, '待收货');
  await seesDue(buyer, '请核对道具');
  for (const person of [buyer, seller]) {
    // The centre's menu names every service, so only the order itself is checked.
    const order = person.page.getByRole('main').locator('.center-shell > :last-child');
    await expect(order).toContainText('道具');
    await expect(order).not.toContainText(/换绑|验号|验收账号/);
    await expectNoOverflow(person, 'shipped order');
  }
  await takeAction(buyer, '确认收货', '交易成功');
  await expectNoOverflow(buyer, 'finished order');
});

test('a private deal for an account has account hand-over, and its seller can cancel it', async ({ people }, info) => {
  const { seller, buyer } = await pair(people);
  const { page } = seller;
  await page.goto('/intermediary/intermediary');
  await expectNoOverflow(seller, 'deal form');
  await page.getByLabel('交易内容').fill(`王者荣耀 V8 账号 ${info.project.name}`);
  await page.getByRole('combobox', { name: '游戏' }).selectOption({ label: '王者荣耀' });
  await page.getByRole('combobox', { name: '商品类型' }).selectOption({ label: '账号' });
  await page.getByRole('combobox', { name: '服务器' }).selectOption({ index: 1 });
  await page.getByRole('textbox', { name: '游戏账号' }).fill(`deal-${info.project.name}-1`);
  await page.getByLabel('价格（元）').fill('66');
  await page.getByRole('button', { name: '发起并生成链接' }).click();
  await page.waitForURL(/\/intermediary\/.*\?/);
  await expect(page.getByRole('heading', { name: '担保交易' })).toBeVisible();
  await expectNoOverflow(seller, 'deal opened');

  await buyer.page.goto(page.url());
  await expectNoOverflow(buyer, 'deal to be accepted');
  await buyer.page.getByRole('button', { name: '接受并去付款' }).click();
  await buyer.page.waitForURL(/\/pay\?orderSn=/);
  const orderSn = new URL(buyer.page.url()).searchParams.get('orderSn') ?? '';
  await payFromBalance(buyer);

  await openOrder(seller, orderSn);
  await openOrder(buyer, orderSn);
  await expect(seller.page.getByRole('region', { name: '换绑交付' })).toBeVisible();
  await seesDue(buyer, '等待卖家提交账号资料');
  await doStep(seller, '提交账号资料', { logIn: { account: `deal-${info.project.name}-1`, password: 'danbao-2026' } });
  await seesDue(seller, '等待客服验号');
  await seesDue(buyer, '等待客服验号');
  for (const person of [buyer, seller]) await expectNoOverflow(person, 'deal under way');
  await takeAction(seller, '取消订单', '已取消', '无法交付');
  await seesState(buyer, '已取消');
  await expectNoOverflow(buyer, 'called off');
});

test('the pages of orders in every state fit the screen, for both parties and for staff', async ({ people }) => {
  const { seller, buyer } = await pair(people);
  const staff = await staffAtWork(people, 'admin');
  const size = buyer.page.viewportSize();
  if (size) await staff.page.setViewportSize(size);
  for (const [person, belong] of [
    [buyer, 0],
    [seller, 1],
  ] as const) {
    const { orderList } = await callAs<{ orderList: { orderSn: string; status: number }[] }>(
      person,
      `/api/order/queryOrderList?belong=${belong}&pageSize=50`,
    );
    const byStatus = new Map(orderList.map((order) => [order.status, order.orderSn]));
    expect(byStatus.size, 'states').toBeGreaterThan(4);
    for (const [status, orderSn] of byStatus) {
      await openOrder(person, orderSn);
      await expectNoOverflow(person, `order in state ${status}`);
      if (person === seller) continue;
      await staff.page.goto(`/backstage/orders/${orderSn}`);
      await expect(staff.page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectNoOverflow(staff, `order in state ${status}`);
    }
  }
});
