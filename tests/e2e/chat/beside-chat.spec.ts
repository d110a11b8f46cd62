/** Actions next to the conversation: the seller seals the log-in in place, customer service compares the account with its listing. */
import { expect } from '@playwright/test';
import { ownAccounts } from '../support/goods.ts';
import { expectNoOverflow } from '../support/overflow.ts';
import { payFromBalance, placeOrder } from '../support/order-steps.ts';
import { test } from '../support/people.ts';
import { serviceOf, signIn, staffAtWork } from '../support/sign-in.ts';

const BUYER = '13800000001';
const SELLER = '13800000002';

test('the log-in is sealed and the account compared without leaving the conversation', async ({ people }, info) => {
  const isPhone = info.project.name === 'phone';
  const seller = await people.visitor('seller');
  const buyer = await people.visitor('buyer');
  await signIn(seller, SELLER);
  await signIn(buyer, BUYER);
  const accounts = await ownAccounts(seller);
  // Each project sells a separate account, the cheapest ones, which the demo buyer can pay.
  const goods = accounts.sort((a, b) => Number(a.price) - Number(b.price))[isPhone ? 1 : 0];
  expect(goods, 'the demo seller has accounts on sale').toBeDefined();
  const { orderSn } = await placeOrder(buyer, `/detail/${goods?.goodsSn}`);
  await payFromBalance(buyer);

  await test.step('the seller reads in the conversation what is due, and seals it there', async () => {
    const { page } = seller;
    await page.goto(`/chatSystem?status=1&returnType=1&orderSn=${orderSn}`);
    await expect(page.getByRole('log', { name: '聊天记录' })).toBeVisible();
    if (isPhone) {
      await expect(page.getByText('请提交账号资料，轮到您')).toBeVisible();
      await expectNoOverflow(seller, 'conversation with its due step');
      await page.getByRole('button', { name: '去操作' }).click();
    }
    const place = isPhone
      ? page.getByRole('dialog', { name: '订单信息' })
      : page.getByRole('complementary', { name: '订单信息' });
    await place.getByRole('button', { name: '封存并提交' }).click();
    await expect(place.getByText('请填写密码')).toBeVisible();
    await place.getByLabel(/账号/).first().fill(`demo${goods?.goodsSn}`);
    await place.getByLabel('密码', { exact: true }).fill('fengcun-2026');
    await expectNoOverflow(seller, 'sealed form in place');
    await place.getByRole('button', { name: '封存并提交' }).click();
    await expect(place.getByRole('button', { name: '封存并提交' })).toHaveCount(0);
    expect(page.url()).toContain('/chatSystem');
    if (!isPhone) return;
    await page.goBack();
    await expect(place).toHaveCount(0);
    await expect(page.getByText('等待客服验号，轮到客服')).toBeVisible();
    expect(page.url()).toContain(orderSn);
  });

  await test.step('a sentence of the step is put into the field, and sent by the person', async () => {
    const { page } = seller;
    await page.getByRole('list', { name: '常用语' }).getByRole('button', { name: '请客服看一下' }).click();
    await expect(page.getByLabel('消息', { exact: true })).toHaveValue('请客服看一下');
    await page.getByRole('button', { name: '发送', exact: true }).click();
    await expect(page.getByRole('log', { name: '聊天记录' }).getByText('请客服看一下')).toBeVisible();
  });

  await test.step('customer service compares, and the result goes into the answer', async () => {
    await buyer.page.goto(`/center/buyOrderDetail?orderSn=${orderSn}`);
    const staff = await staffAtWork(people, await serviceOf(buyer));
    const { page } = staff;
    const size = seller.page.viewportSize();
    if (size) await page.setViewportSize(size);
    await page.goto(`/backstage/chat?orderSn=${orderSn}`);
    await expect(page.getByRole('log', { name: '聊天记录' })).toBeVisible();
    if (isPhone) await page.getByRole('button', { name: '订单', exact: true }).click();
    const check = page.getByRole('region', { name: '核对' }).locator('visible=true').first();
    await expect(check).toBeVisible();
    const fields = check.getByRole('textbox');
    await expect(fields.first()).toBeVisible();
    // The listing's own value is taken over by a click on it; a field that reads otherwise is marked.
    await check.getByTitle('与商品页一致').first().click();
    await expect(check.getByLabel('一致', { exact: true })).toHaveCount(1);
    await fields.nth(1).fill('不是这个');
    await expect(check.getByLabel('不一致', { exact: true })).toHaveCount(1);
    await expectNoOverflow(staff, 'check list beside the conversation');
    await check.getByRole('button', { name: '结果写进回复' }).click();
    if (isPhone) {
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
    await expect(page.getByLabel('消息', { exact: true })).toHaveValue(/不是这个/);
    await page.getByRole('button', { name: '发送', exact: true }).click();
    await expect(seller.page.getByRole('log', { name: '聊天记录' }).getByText(/不是这个/)).toBeVisible();
  });
});

test('beside the conversation of a service stands what is due, with the way to the page where it is done', async ({
  people,
}, info) => {
  const booster = await people.visitor('booster');
  await signIn(booster, '13800000006');
  const { page } = booster;
  // The oldest running order is one of the demo world: newer ones may be cancelled by other journeys meanwhile.
  await page.goto('/center/boosting/boosterOrder?status=1');
  const orders = page.locator('a[href*="buyOrderDetail?orderSn="]');
  const orderSn = /orderSn=(\d+)/.exec((await orders.last().getAttribute('href')) ?? '')?.[1] ?? '';
  await page.goto(`/chatSystem?status=1&returnType=1&orderSn=${orderSn}`);
  if (info.project.name === 'phone') await page.getByRole('button', { name: '订单', exact: true }).click();
  const due = page.getByRole('region', { name: '这一步' });
  await expect(due.getByRole('heading')).not.toHaveText('');
  await expect(page.getByRole('button', { name: '我已完成' })).toHaveCount(0);
  await expectNoOverflow(booster, 'conversation of a service');
  await due.getByRole('link', { name: '去服务进度' }).click();
  await expect(page.getByRole('region', { name: '服务进度' })).toBeVisible();
});
