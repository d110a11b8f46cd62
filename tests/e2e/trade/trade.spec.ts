/** The whole trade through the interface only: two users and two staff in parallel, at either width. */
import { expect, type TestInfo } from '@playwright/test';
import { idCardFrom17 } from '../../support/market/id-card.ts';
import { enterChat, sendText, sendPicture } from '../support/chat-steps.ts';
import { ownAccounts } from '../support/goods.ts';
import { expectNoOverflow } from '../support/overflow.ts';
import {
  bindPhone,
  cannotOpenYet,
  doStep,
  openOrder,
  openCredential,
  payByCode,
  payFromBalance,
  picture,
  placeOrder,
  seesDue,
  seesState,
  takeAction,
} from '../support/order-steps.ts';
import { actionButton, type Person, test } from '../support/people.ts';
import { approve, findInSearch, publish, verifyRealName } from '../support/sell-steps.ts';
import { data, logInByPassword, logOut, register, serviceOf, signIn, staffAtWork } from '../support/sign-in.ts';
import { bindPayout, decideWithdrawal, releaseEarly, staffOpens, staffStep, withdraw } from '../support/money-steps.ts';

/** Both projects share one market, so each has its own people. */
function cast({ project }: TestInfo) {
  const n = project.name === 'phone' ? '2' : '1';
  return {
    sellerPhone: `1395550${n}001`,
    buyerPhone: `1395550${n}002`,
    sellerId: idCardFrom17(`1101011990010${n}013`),
    buyerId: idCardFrom17(`1101011992020${n}025`),
    title: `安卓QQ 全英雄 贵族八级 满级号 旅程${n}号`,
    account: `journey-${project.name}-${n}`,
  };
}

test('an account is published, found, paid for and handed over, and the seller is paid', async ({ people }, info) => {
  const { sellerPhone, buyerPhone, sellerId, buyerId, title, account } = cast(info);
  const logIn = { account, password: 'jiaoyi-2026' };
  const seller = await people.visitor('seller');
  const buyer = await people.visitor('buyer');

  await test.step('a visitor browses', async () => {
    const { page } = buyer;
    await page.goto('/');
    await expect(page.getByRole('link', { name: '王者荣耀' }).first()).toBeVisible();
    await page.goto('/wares?gt=1');
    await page.locator('a[href^="/detail/"]').first().click();
    await expect(actionButton(page, '立即购买')).toBeVisible();
    // Whoever wants to buy comes back to the same purchase after the log-in.
    await actionButton(page, '立即购买').click();
    await page.waitForURL(/\/login\?returnUrl=/);
  });

  await test.step('both register; the seller logs out and in by password', async () => {
    await register(seller, sellerPhone);
    await register(buyer, buyerPhone);
    await nextStepIsTheRealName(buyer);
    await logOut(seller);
    await logInByPassword(seller, sellerPhone);
  });

  await test.step('both verify their real names', async () => {
    await verifyRealName(seller, '周旅程', sellerId);
    await verifyRealName(buyer, '林旅程', buyerId);
  });

  const proof = await picture(seller, `proof-${info.project.name}.png`);
  const goodsSn = await test.step('the seller publishes by the game’s own form', () =>
    publish(seller, { game: '王者荣耀', type: '账号', account, title, price: '288.80', picture: proof }));

  await test.step('a reviewer approves it, and search finds it immediately', async () => {
    const reviewer = await staffAtWork(people, 'shenhe');
    await approve(reviewer, goodsSn, title);
    await findInSearch(buyer, title, goodsSn);
    await reviewer.context.close();
  });

  const { orderSn, total } = await test.step('the buyer places an order with a guarantee', () =>
    placeOrder(buyer, new URL(buyer.page.url()).pathname, '找回包赔'));
  // 288.80, service fee 1 %, guarantee at the rate that this game's own history gives it.
  const { list } = await data<{ list: { id: number; rateBp: number }[] }>(
    buyer.context.request,
    '/api/dist/distEnsureList?gameId=2',
  );
  const rateBp = list.find(({ id }) => id === 11)?.rateBp ?? 0;
  expect(total).toBe(((28_880 + 289 + Math.round((28_880 * rateBp) / 10_000)) / 100).toFixed(2));

  await test.step('a phone pays by the code, and the page updates by itself', async () => {
    await payByCode(buyer, await people.visitor('phone'));
    await openOrder(buyer, orderSn);
    await openOrder(seller, orderSn);
  });

  await test.step('the conversation opens automatically', async () => {
    await enterChat(buyer);
    await enterChat(seller);
    await sendText(buyer, seller, '您好，什么时候方便换绑？');
    await sendText(seller, buyer, '现在就可以，请看换绑卡片。');
    await sendPicture(seller, buyer, proof);
    await sendPicture(buyer, seller, proof);
  });

  await test.step('seller and customer service hand over, which ships the order', async () => {
    await openOrder(seller, orderSn);
    await doStep(seller, '提交账号资料', { logIn });
    await openOrder(buyer, orderSn);
    await cannotOpenYet(buyer);
    await expectNoOverflow(buyer, 'account to be checked');
    await seesDue(buyer, '等待客服验号');
    const service = await staffAtWork(people, await serviceOf(buyer));
    await staffOpens(service, orderSn, logIn);
    await staffStep(service, orderSn, '核对登录', proof);
    await openOrder(seller, orderSn);
    await doStep(seller, '卖家解除旧设备', { proof });
    await seesState(seller, '待收货');
    await expectNoOverflow(seller, 'account shipped');
    await service.context.close();
  });

  await test.step('the remaining steps are done, and the buyer confirms', async () => {
    await openOrder(buyer, orderSn);
    await bindPhone(buyer, seller, { number: buyerPhone, code: '417093', proof });
    await openCredential(buyer, logIn);
    await doStep(buyer, '修改密码');
    await openOrder(seller, orderSn);
    await doStep(seller, '清理好友与亲密关系');
    await openOrder(buyer, orderSn);
    await doStep(buyer, '二次实名', { proof });
    // The receipt is the last step: one click takes both.
    await takeAction(buyer, '确认收货', '交易成功');
    await expectNoOverflow(buyer, 'account received');
  });

  await test.step('the seller sees the amounts: the price less 5 % is held', async () => {
    await openOrder(seller, orderSn);
    await seesState(seller, '交易成功');
    await expect(seller.page.getByRole('region', { name: '费用明细' })).toContainText('274.36');
    await seller.page.goto('/center/mywallets');
    await expect(seller.page.getByRole('list', { name: '冻结明细' })).toContainText('274.36');
  });

  await test.step('finance ends the hold early, and pays the withdrawal', async () => {
    const finance = await staffAtWork(people, 'caiwu');
    await releaseEarly(finance, orderSn);
    await bindPayout(seller, sellerPhone, '周旅程');
    const withdrawSn = await withdraw(seller, sellerPhone, '274.36');
    await decideWithdrawal(finance, withdrawSn);
    // Paying out is a separate job: the list says so until the channel has answered.
    await expect(async () => {
      await seller.page.goto('/center/mywallets/withdrawal');
      await expect(seller.page.getByRole('list', { name: '提现记录' })).toContainText('已到账', { timeout: 5_000 });
    }).toPass({ timeout: 90_000 });
    await seller.page.goto('/center/mywallets/list');
    await expect(seller.page.getByText('提现申请（冻结）')).toBeVisible();
  });
});

/** The order page of a new user names what comes first in place of a button that does nothing. */
async function nextStepIsTheRealName({ page, context }: Person): Promise<void> {
  // An account, and a service, which has a separate form.
  for (const type of [1, 60]) {
    const { list } = await data<{ list: { goodsSn: string }[] }>(
      context.request,
      `/api/goods/getGoodsList?goodsTypeId=${type}&pageSize=1`,
    );
    await page.goto(`/goods/${list[0]?.goodsSn}/order`);
    const next = page.getByRole('link', { name: '去实名认证' }).locator('visible=true');
    await expect(next).toHaveAttribute('href', /identityAuthentication\?returnUrl=.*order/);
    await expect(page.getByRole('button', { name: '提交订单' })).toHaveCount(0);
  }
}

test('an order is cancelled freely before the seller acts, and by agreement afterwards', async ({ people }, info) => {
  const seller = await people.visitor('seller');
  await signIn(seller, '13800000002');
  const buyer = await people.visitor('buyer');
  // Unpaid orders of the first buyer end by their own clocks during a long run, and each keeps him from ordering for minutes.
  await signIn(buyer, '13800000004');
  /** Sums the order's debits of the balance by the bill, in fen: other orders of the same person may end by their own clocks meanwhile. */
  const taken = async (orderSn: string) => {
    await buyer.page.goto(`/center/mywallets/list?orderSn=${orderSn}`);
    const lines = buyer.page.getByRole('list', { name: '账单' }).getByRole('listitem');
    await expect(lines.first()).toBeVisible();
    return (await lines.allInnerTexts()).reduce((sum, text) => {
      const [, sign, yuan = '?', cents = '00'] = /([+−])\s*¥\s*([\d,]+)(?:\s*\.\s*(\d{2}))?/.exec(text) ?? [];
      return sum + Number(`${yuan.replaceAll(',', '')}${cents}`) * (sign === '−' ? 1 : -1);
    }, 0);
  };
  const own = await ownAccounts(seller);
  // Other journeys bargain for theirs.
  const goodsSn = own.find(({ price, bargainOpen }) => !bargainOpen && Number(price) < 200)?.goodsSn ?? '';
  const goods = `/detail/${goodsSn}`;

  await test.step('a paid order without any action is refunded in full immediately', async () => {
    const { orderSn, total } = await placeOrder(buyer, goods);
    await payFromBalance(buyer);
    expect(await taken(orderSn)).toBe(Math.round(Number(total) * 100));
    await openOrder(buyer, orderSn);
    await takeAction(buyer, '取消并退款', '已取消', '买错了');
    expect(await taken(orderSn)).toBe(0);
  });

  await test.step('after an action the seller must agree', async () => {
    const { orderSn } = await placeOrder(buyer, goods);
    await payFromBalance(buyer);
    await openOrder(seller, orderSn);
    await doStep(seller, '提交账号资料', { logIn: { account: `demo${goodsSn}`, password: 'quxiao-2026' } });
    await openOrder(buyer, orderSn);
    await buyer.page.getByRole('button', { name: '申请取消' }).first().click();
    const dialog = buyer.page.getByRole('dialog', { name: '申请取消' });
    await dialog.getByRole('textbox').fill('不需要了');
    await dialog.getByRole('button', { name: '申请取消' }).click();
    await seesDue(buyer, '等待卖家答复取消申请');
    await openOrder(seller, orderSn);
    await takeAction(seller, '同意取消', '已取消');
    await openOrder(buyer, orderSn);
    await seesState(buyer, '已取消');
    expect(await taken(orderSn)).toBe(0);
  });

  await test.step('an unpaid order is cancelled freely by its buyer', async () => {
    const other = await people.visitor('other');
    // Cancelling an unpaid order delays the buyer's next order, longer for the same goods, so each screen size uses another buyer.
    await signIn(other, info.project.name === 'phone' ? '13800000005' : '13800000006');
    const { orderSn } = await placeOrder(other, goods);
    await openOrder(other, orderSn);
    await takeAction(other, '取消订单', '已取消', '不想要了');
  });
});
