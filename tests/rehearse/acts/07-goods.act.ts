/** Two people register by SMS and prove their names; one publishes in the new game, and a reviewer lets it through. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { approve, publish, verifyRealName } from '#tests/e2e/support/sell-steps.ts';
import { picture } from '#tests/e2e/support/order-steps.ts';
import { register } from '#tests/e2e/support/sign-in.ts';
import { idCardFrom17 } from '#tests/support/market/id-card.ts';
import { BRAND, SITE } from '../hosts.ts';
import { NEW_GAME } from '../new-game.ts';
import { BUYER, GAME, GOODS, SELLER } from '../parts.ts';
import { test } from '../stage.ts';

test('a seller on the platform and a buyer on the brand register by SMS', async ({ cast }) => {
  await register(await cast.user('seller', SITE), SELLER.phone);
  await register(await cast.user('buyer', BRAND, 'phone'), BUYER.phone);
});

test('a name unknown to the register is rejected with a message, the right ones are accepted', async ({
  stage,
  cast,
}) => {
  const { people } = stage.vendors.aliyun;
  for (const { name, idCard, phone } of [SELLER, BUYER]) people.set(idCard, { name, phone });
  const seller = await cast.user('seller', SITE);
  const { page } = seller;
  cast.expects(/status of 4\d\d.*\/api\/.*[cC]ert/);
  await page.goto('/center/myself/identityAuthentication');
  await page.getByRole('textbox', { name: '姓名' }).fill('另有其人');
  await page.getByRole('textbox', { name: '身份证号' }).fill(idCardFrom17('11010119880808123'));
  await page.getByRole('button', { name: '提交认证' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await verifyRealName(seller, SELLER.name, SELLER.idCard);
  await verifyRealName(await cast.user('buyer', BRAND), BUYER.name, BUYER.idCard);
});

test('listings are published by the form of the new game, and approved', async ({ cast }) => {
  const seller = await cast.user('seller', SITE);
  const reviewer = cast.colleague('wangwu');
  const proof = await picture(seller, 'proof.png');
  // A draft that is slow to be saved must not outlive what was submitted.
  await seller.page.route('**/api/goods/saveDraft', async (route) => {
    await sleep(1_500);
    // A page that has been closed meanwhile saves nothing.
    await route.continue().catch(() => undefined);
  });
  for (const goods of GOODS) {
    goods.sn = await publish(seller, {
      game: NEW_GAME.name,
      type: '账号',
      account: goods.account,
      title: goods.title,
      price: goods.price,
      picture: proof,
    });
    expect(goods.sn).toMatch(/^\w+$/);
    const sent = new URL(seller.page.url()).searchParams;
    GAME.id = sent.get('gameId') ?? '';
    await seller.page.goto(`/center/sell?gameId=${GAME.id}&gt=${sent.get('gt')}`);
    await expect(seller.page.getByRole('heading', { level: 1, name: /发布 云海奇谭/ })).toBeVisible();
    await expect(seller.page.getByText('没有提交的内容')).toHaveCount(0);
    await approve(reviewer, goods.sn, goods.title);
  }
});
