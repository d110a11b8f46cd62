/** A question before buying that ends in a sale: asked in public, answered from the centre, read by everybody, bought. */
import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { expect } from '@playwright/test';
import { callAs } from '../support/calls.ts';
import { payFromBalance, placeOrder } from '../support/order-steps.ts';
import { test } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';

interface Own {
  goodsSn: string;
  price: string;
  goodsTypeId: number;
  pageUrl: string;
}

test('a question gets a public answer, and its author buys', async ({ people }) => {
  const seller = await people.visitor('seller');
  const buyer = await people.visitor('buyer');
  const visitor = await people.visitor('visitor');
  await signIn(seller, '13800000002');
  await signIn(buyer, '13800000001');
  const { list } = await callAs<{ list: Own[] }>(seller, '/api/goods/selfPublishGoodsList?status=2&pageSize=50');
  const goods = list.findLast(({ goodsTypeId, price }) => goodsTypeId === OrderType.Account && Number(price) < 500);
  const path = goods?.pageUrl ?? '';
  const question = `铭文碎片还有多少？${Date.now() % 100_000}`;

  await test.step('a question that is too short gets a field error', async () => {
    const { page } = buyer;
    await page.goto(path);
    const panel = page.getByRole('region', { name: '公开问答' });
    await panel.scrollIntoViewIfNeeded();
    await panel.getByLabel('问题').fill('在吗');
    await panel.getByRole('button', { name: '问卖家' }).click();
    await expect(panel.getByText('至少 4 个字')).toBeVisible();
    await panel.getByLabel('问题').fill(question);
    await panel.getByRole('button', { name: '问卖家' }).click();
    await expect(panel.getByRole('listitem').filter({ hasText: question })).toContainText('已发给卖家');
  });

  await test.step('the seller answers from the centre', async () => {
    const { page } = seller;
    await page.goto('/center/questions');
    const items = page.getByRole('listitem');
    const row = items.filter({ hasText: question });
    const more = page.getByRole('button', { name: /更多/ });
    await expect(row.or(more).first()).toBeVisible();
    for (let pages = 0; pages < 3 && (await row.count()) === 0; pages++) {
      const before = await items.count();
      await more.click();
      await expect.poll(() => items.count()).toBeGreaterThan(before);
    }
    await row.getByLabel('回答').fill('还有两千多，都跟号走。');
    await row.getByRole('button', { name: '回答', exact: true }).click();
    await expect(row).toBeHidden();
  });

  await test.step('the answer is public, also without scripts', async () => {
    const html = await (await visitor.context.request.get(path)).text();
    expect(html).toContain(question);
    expect(html).toContain('还有两千多，都跟号走。');
  });

  await test.step('the buyer buys', async () => {
    await placeOrder(buyer, path);
    await payFromBalance(buyer);
    await buyer.page.goto('/center/buyGoodsOrder?status=1');
    await expect(
      buyer.page
        .getByText(goods?.goodsSn ?? '')
        .or(buyer.page.getByText('待发货'))
        .first(),
    ).toBeVisible();
  });
});
