/** Companions: an hour is chosen, paid and accepted; a companion who does not come is paid back only by the clock. */
import { expect } from '@playwright/test';
import { callAs } from '../support/calls.ts';
import { openOrder, payFromBalance } from '../support/order-steps.ts';
import { actionButton, type Person, test } from '../support/people.ts';
import { data, signIn } from '../support/sign-in.ts';

const BUYER = '13800000001';
const COMPANION = '13800000002';
const NAME = '泽哥带练';
const MISSED = '陪玩未到场，全额退款';

/** The page of a package of this companion. */
async function packagePage({ context }: Person): Promise<string> {
  const { list } = await data<{ list: { goodsSn: string; pageUrl: string }[] }>(
    context.request,
    '/api/goods/getGoodsList?goodsTypeId=61&pageSize=50',
  );
  const sns = encodeURIComponent(JSON.stringify(list.map(({ goodsSn }) => goodsSn)));
  const cards = await data<{ list: { goodsSn: string; name: string }[] }>(
    context.request,
    `/api/accompanyer/cards?goodsSns=${sns}`,
  );
  const own = cards.list.find(({ name }) => name === NAME)?.goodsSn;
  return list.find(({ goodsSn }) => goodsSn === own)?.pageUrl ?? '';
}

test('a booked hour is accepted, and the absence of the companion is refunded automatically', async ({
  people,
}, info) => {
  const buyer = await people.visitor('buyer');
  await signIn(buyer, BUYER);
  const { page } = buyer;
  await page.goto('/wares?gt=61');
  await expect(page.getByRole('button', { name: /^播放.*的语音/ }).first()).toBeVisible();

  if (info.project.name === 'desktop') {
    // By voice: a companion without a sample is no longer listed.
    await page.getByRole('link', { name: '有语音', exact: true }).click();
    await expect(page).toHaveURL(/voice=any/);
    await expect(page.getByRole('link', { name: '去掉 有语音' })).toBeVisible();
    await expect(page.getByRole('heading', { name: /老陈不急/ })).toHaveCount(0);
    // Next to the list the selected companion's hours can be booked; the list keeps its place.
    const aside = page.getByRole('complementary', { name: '选中的陪玩' });
    const second = page.getByRole('main').getByRole('heading', { level: 3 }).nth(1);
    const name = await second.getByRole('link').innerText();
    await second.getByRole('link').click();
    await expect(aside.getByRole('heading', { name, exact: true })).toBeFocused();
    expect(new URL(page.url()).pathname).toBe('/wares');
    const free = aside.getByRole('button', { name: /可约$/ }).last();
    const label = (await free.getAttribute('aria-label')) ?? '';
    await free.click();
    const cell = aside.getByRole('button', { name: label.replace(/可约$/, '已选'), exact: true });
    await expect(cell).toHaveAttribute('aria-pressed', 'true');
    // One hour is booked at once, or the companion's minimum is named.
    const booking = aside.getByRole('link', { name: '预约并付款' });
    await expect(booking.or(aside.getByRole('button', { name: /^至少 \d+ 小时$/ }))).toBeVisible();
  }

  await page.goto(await packagePage(buyer));
  await expect(page.getByText('未到场 0 次')).toBeVisible();
  // Tomorrow and later: tonight may be over.
  await page
    .getByRole('button', { name: /20:00 可约$/ })
    .last()
    .click();
  await page.getByRole('link', { name: '预约并付款' }).click();
  await expect(page.getByText(/20:00$/).first()).toBeVisible();
  await actionButton(page, '提交订单').click();
  await expect(page.getByText('请填写您所在的区服')).toBeVisible();
  await page.getByLabel('区服').fill('安卓微信区');
  await actionButton(page, '提交订单').click();
  await page.waitForURL(/\/pay\?orderSn=/);
  const orderSn = new URL(page.url()).searchParams.get('orderSn') ?? '';
  await payFromBalance(buyer);

  const companion = await people.visitor('companion');
  await signIn(companion, COMPANION);
  await openOrder(companion, orderSn);
  await companion.page.getByRole('button', { name: '接单', exact: true }).click();
  const booked = ({ page: at }: Person) => at.getByRole('region', { name: '服务进度' }).getByText(/^已约好/);
  await expect(booked(companion)).toBeVisible();
  await openOrder(buyer, orderSn);
  await expect(booked(buyer)).toBeVisible();
  await expect(page.getByRole('button', { name: '我到了' })).toBeHidden();

  // The demo market's own session: the buyer was there, ten minutes passed, and the money is returned automatically.
  let missed = '';
  const findMissed = async (): Promise<string> => {
    const { orderList } = await callAs<{ orderList: { orderSn: string }[] }>(
      buyer,
      '/api/order/queryOrderList?belong=0&status=-1&goodsTypeId=61&pageSize=50',
    );
    // Eleven minutes after the market's start a second evening ends, for which nobody said yes.
    for (const { orderSn: sn } of orderList) {
      const { process } = await callAs<{ process: { explain: string }[] }>(
        buyer,
        `/api/order/orderDetail?orderSn=${sn}`,
      );
      if (process.some(({ explain }) => explain.includes(MISSED))) missed = sn;
    }
    return missed;
  };
  // Its clock rings half a minute after the demo was filled.
  await expect.poll(findMissed, { timeout: 180_000 }).not.toBe('');
  await openOrder(buyer, missed);
  await expect(page.getByText(MISSED).first()).toBeVisible();
});

test('ending a session asks first, with the minutes and the money of both parties', async ({ people }) => {
  const buyer = await people.visitor('buyer');
  const companion = await people.visitor('companion');
  await signIn(buyer, BUYER);
  await signIn(companion, COMPANION);
  await buyer.page.goto(`/goods/${/detail\/(\w+)/.exec(await packagePage(buyer))?.[1] ?? ''}/order`);
  await buyer.page.getByLabel('区服').fill('安卓微信区');
  await actionButton(buyer.page, '提交订单').click();
  await buyer.page.waitForURL(/\/pay\?orderSn=/);
  const orderSn = new URL(buyer.page.url()).searchParams.get('orderSn') ?? '';
  await payFromBalance(buyer);
  const card = ({ page }: Person) => page.getByRole('region', { name: '服务进度' });
  await openOrder(companion, orderSn);
  await card(companion).getByRole('button', { name: '接单', exact: true }).click();
  await card(companion).getByRole('button', { name: '我到了' }).click();
  await openOrder(buyer, orderSn);
  await card(buyer).getByRole('button', { name: '我到了' }).click();

  const end = card(buyer).getByRole('button', { name: '结束陪玩' });
  const question = buyer.page.getByRole('dialog', { name: '结束陪玩' });
  await end.click();
  await expect(question).toContainText(/已玩 1 分钟，共 \d+ 分钟/);
  await expect(question).toContainText(/退回您 [\d.]+ 元/);
  // Who goes on playing has ended nothing.
  await question.getByRole('button', { name: '继续玩' }).click();
  await expect(question).toBeHidden();
  await end.click();
  await question.getByRole('button', { name: '结束陪玩' }).click();
  await expect(card(buyer).getByText('等待陪玩确认结束')).toBeVisible();
  await card(companion).getByRole('button', { name: '确认结束' }).click();
  await expect(card(companion).getByText('已结束', { exact: true })).toBeVisible();
});
