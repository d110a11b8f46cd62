/** One conversation of four people: buyer, seller, and two of customer service, one of whom hands it over to the other. */
import { expect, type Page } from '@playwright/test';
import { sendText } from '../support/chat-steps.ts';
import { type Person, test } from '../support/people.ts';
import { data, signIn, staffAtWork } from '../support/sign-in.ts';

const BUYER = '13800000001';
const SELLER = '13800000002';
const CONSIGNED = 50;

interface Found {
  orderSn: string;
  groupId: string;
}

const log = (page: Page) => page.getByRole('log', { name: '聊天记录' });

/** Returns the response of a call for the person of the page, with the header that the page's own calls carry. */
async function fetchData<T>({ page }: Person, path: string): Promise<T> {
  await page.goto('/test');
  return await page.evaluate(async (to) => {
    const token = /(?:^|; )token=([^;]+)/.exec(document.cookie)?.[1] ?? '';
    const response = await fetch(to, { headers: { authorization: decodeURIComponent(token) } });
    const { code, msg, data: answer } = (await response.json()) as { code: number; msg: string; data: T };
    if (code !== 0) throw new Error(`${to}: ${msg}`);
    return answer;
  }, path);
}

/** The demo buyer's consigned order that waits for the seller. */
async function orderOf(person: Person): Promise<Found> {
  const path = `/api/order/queryOrderList?belong=0&status=1&goodsTypeId=${CONSIGNED}&pageSize=1`;
  const { orderList } = await fetchData<{ orderList: Found[] }>(person, path);
  return orderList[0] ?? { orderSn: '', groupId: '' };
}

/** Log-in names of the two of customer service: first who has the group now. */
async function serviceOf(person: Person, groupId: string): Promise<[mine: string, other: string]> {
  const info = await fetchData<{ members: { nickName: string; isCurrent: boolean }[] }>(
    person,
    `/api/im/groupInfo?groupId=${groupId}`,
  );
  const { staff } = await data<{ staff: { login: string; name: string }[] }>(
    person.context.request,
    '/api/test/selfCheck',
  );
  const current = info.members.find((m) => m.isCurrent)?.nickName;
  const mine = staff.find(({ name }) => name === current)?.login ?? '';
  return [mine, mine === 'kefu1' ? 'kefu2' : 'kefu1'];
}

/** Opens the conversation from the own list of the workbench, by the order's number; on a phone the order is behind a button. */
async function openAtSupport({ page }: Person, orderSn: string, isNarrow = false): Promise<void> {
  await page.goto('/backstage/chat');
  await page.getByLabel('订单编号').fill(orderSn);
  await page.getByRole('button', { name: '筛选' }).click();
  await page.waitForURL(/keyWord=/);
  await expect(page.locator('.workbench-row')).toHaveCount(1);
  await page.locator('.workbench-row').click();
  await expect(log(page)).toBeVisible();
  const order = page.getByRole('region', { name: '订单', exact: true });
  if (!isNarrow) return await expect(order).toContainText(orderSn);
  await page.getByRole('button', { name: '订单', exact: true }).click();
  await expect(page.getByRole('dialog', { name: '订单和用户' }).getByText(orderSn)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

async function openMenu(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: '会话操作' }).click();
  await page.getByRole('menuitem', { name }).click();
}

test('four people talk in one order’s group, and customer service hands it over', async ({ people }, info) => {
  // A participant who repeats a text must not be mistaken for its first author.
  const n = `${info.project.name} ${info.repeatEachIndex}`;
  const isDesktop = info.project.name === 'desktop';
  const buyer = await people.visitor('buyer');
  const seller = await people.visitor('seller');
  await signIn(buyer, BUYER);
  await signIn(seller, SELLER);
  const { orderSn, groupId } = await orderOf(buyer);
  const [mine, other] = await serviceOf(buyer, groupId);

  await test.step('the buyer opens it from the home page, the seller from the order', async () => {
    const { page } = buyer;
    await page.goto('/');
    if (isDesktop) {
      await page.getByRole('button', { name: /交易群/ }).click();
      const bought = page.getByRole('region', { name: '我买的' });
      await expect(bought).toBeVisible();
      // The storefront's styles leave the chat's folders out: the widget must bring its own width along.
      expect((await bought.boundingBox())?.width).toBeCloseTo(334, -1);
      await page.getByRole('region', { name: '我买的' }).getByText('待发货').first().click();
      await page.waitForURL(/\/chatSystem\?status=1/);
      await expect(log(page)).toBeVisible();
    }
    await page.goto(`/chatSystem?orderSn=${orderSn}`);
    await expect(log(page)).toBeVisible();
    await seller.page.goto(`/chatSystem?returnType=1&status=1&orderSn=${orderSn}`);
    await expect(log(seller.page)).toBeVisible();
    // The seller must not see the buyer's total.
    if (isDesktop) {
      const panel = (of: Page) => of.getByRole('complementary', { name: '订单信息' });
      await expect(panel(page)).toContainText('实付');
      await expect(panel(seller.page)).toContainText('到手');
      await expect(panel(seller.page)).not.toContainText('实付');
    }
  });

  const first = await staffAtWork(people, mine);
  const second = await staffAtWork(people, other);
  await openAtSupport(first, orderSn);

  await test.step('every member sees every message', async () => {
    await sendText(buyer, seller, `您好，今天能换绑吗（${n}）`);
    await sendText(seller, first, `可以，八点以后（${n}）`);
    await first.page.getByRole('button', { name: '快捷回复', exact: true }).click();
    await first.page.getByLabel('搜索快捷回复').fill('站外');
    await first.page.getByRole('button', { name: /站外交易/ }).click();
    await expect(first.page.getByLabel('消息', { exact: true })).toHaveValue(/站外交易不受平台保护/);
    await first.page.getByRole('button', { name: '发送', exact: true }).click();
    await expect(log(buyer.page).getByText('站外交易不受平台保护').last()).toBeVisible();
    await sendText(buyer, first, `说错了（${n}）`);
    // The message's own menu: it has one once the server has it, and an earlier message's is another.
    const wrong = log(buyer.page)
      .locator('.chat-row')
      .filter({ hasText: `说错了（${n}）` });
    await wrong.getByRole('button', { name: '消息操作' }).click();
    await buyer.page.getByRole('menuitem', { name: '撤回' }).click();
    await expect(log(seller.page).getByText(`说错了（${n}）`)).toHaveCount(0);
    await expect(log(seller.page).getByText('撤回了一条消息').last()).toBeVisible();
  });

  await test.step('after a hand-over the first member of staff has left, and the second is in the group', async () => {
    const { page } = first;
    await page.getByRole('button', { name: '转接' }).click();
    const dialog = page.getByRole('dialog', { name: '转接会话' });
    const colleague = dialog.getByRole('option', { name: other === 'kefu1' ? /小安/ : /小宁/ });
    // The list of colleagues comes after the dialog.
    await expect(colleague).toHaveCount(1);
    await dialog.getByLabel('接手的客服').selectOption((await colleague.getAttribute('value')) ?? '');
    await dialog.getByLabel('备注').fill('到点下班');
    await dialog.getByRole('button', { name: '转接' }).click();
    await expect(
      log(buyer.page)
        .getByText(/已转给客服/)
        .last(),
    ).toBeVisible();
    await expect(page.getByText('还没有接手这个会话')).toBeVisible();
    if (!isDesktop) await second.page.setViewportSize({ width: 390, height: 844 });
    await openAtSupport(second, orderSn, !isDesktop);
    await sendText(second, buyer, `我来接着跟进（${n}）`);
    await log(buyer.page).getByRole('button', { name: '平台客服' }).last().click();
    await expect(buyer.page.getByText(`正在负责订单 ${orderSn}`)).toBeVisible();
    await buyer.page.keyboard.press('Escape');
  });

  await test.step('the buyer searches, mutes and rates', async () => {
    const { page } = buyer;
    await openMenu(page, '搜索聊天记录');
    await page.getByPlaceholder('搜索聊天记录').fill('八点以后');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: '搜索结果' }).getByRole('button').first().click();
    await expect(page.locator('.chat-row-found')).toBeVisible();
    await page.getByRole('button', { name: '关闭搜索' }).click();
    await openMenu(page, '消息免打扰');
    await openMenu(page, '取消免打扰');
    await openMenu(page, /评价客服|客服评价/);
    const dialog = page.getByRole('dialog', { name: '评价客服' });
    await dialog.getByRole('radio', { name: '满意', exact: true }).check({ force: true });
    await dialog.getByRole('radio', { name: '已解决' }).check();
    await dialog.getByLabel(/想说的话/).fill(`很快（${n}）`);
    await dialog.getByRole('button', { name: '提交评价' }).click();
    await expect(dialog).toHaveCount(0);
    await second.page.setViewportSize({ width: 1440, height: 900 });
    await second.page.reload();
    await expect(second.page.getByRole('region', { name: '接待' })).toContainText('用户评分 4 分');
  });

  await test.step('the compact layout shows the order’s progress', async () => {
    await seller.page.goto('/chatSystem?layout=light');
    const tabs = seller.page.getByRole('navigation', { name: '订单状态' }).getByRole('link');
    await expect(tabs).toHaveText([/待发货/, /已发货/]);
    await expect(seller.page.getByRole('switch', { name: /消息提示音/ })).toBeVisible();
  });
});
