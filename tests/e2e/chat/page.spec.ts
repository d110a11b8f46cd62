/** The order chat's own rules (product.md 2, 5, 8, 9), one after the other, as one person meets them. */
import { expect, type Page } from '@playwright/test';
import { MARKET, type Person, test } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';

const BUYER = '13800000001';
const SELLER = '13800000002';
/** A picture of eight by eight. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGNQaJiAFTEMLQkAlntMAR4h+GUAAAAASUVORK5CYII=';

const log = (page: Page) => page.getByRole('log', { name: '聊天记录' });
const field = (page: Page) => page.getByLabel('消息', { exact: true });
const list = (page: Page) => page.getByRole('list', { name: '订单', exact: true });
const send = (page: Page) => page.getByRole('button', { name: '发送', exact: true });

/** Pastes markup into the field as a browser would hand it over. */
async function paste(page: Page, html: string): Promise<void> {
  await field(page).evaluate((element, input) => {
    const data = new DataTransfer();
    data.setData('text/html', input);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, html);
}

/** The number of an order of a tab that has a group: one that no journey complains about, and another at each width. */
async function orderSnOf(page: Page, status: number, isPhone: boolean): Promise<string> {
  await page.goto(`/chatSystem?status=${status}&returnType=0`);
  const link = list(page)
    .getByRole('link')
    .filter({ hasText: /卖家阿市/ })
    .nth(isPhone ? 3 : 2);
  const href = (await link.getAttribute('href')) ?? '';
  return /orderSn=([\w-]+)/.exec(href)?.[1] ?? '';
}

async function keyRules(page: Page, isPhone: boolean, n: string): Promise<void> {
  await field(page).fill('   ');
  await send(page).click();
  await expect(page.getByText('消息不能为空').first()).toBeVisible();
  await field(page).fill(`一行（${n}）`);
  await field(page).press('Shift+Enter');
  await field(page).pressSequentially('两行');
  await expect(field(page)).toHaveValue(`一行（${n}）\n两行`);
  await (isPhone ? send(page).click() : field(page).press('Enter'));
  await expect(log(page).getByText(`一行（${n}）`)).toHaveCount(1);
  await expect(field(page)).toHaveValue('');
  if (!isPhone) return;
  // A touch keyboard's Enter breaks the line; the button sends.
  await field(page).fill('只是换行');
  await field(page).press('Enter');
  await expect(field(page)).toHaveValue('只是换行\n');
  await field(page).fill('');
}

async function pictureRules(page: Page): Promise<void> {
  const pictures = log(page).getByAltText('聊天图片');
  const before = await pictures.count();
  await paste(page, `<p><img src="${PIXEL}"><img src='${PIXEL}'></p>`);
  await expect(pictures).toHaveCount(before + 2);
  await paste(page, '<img src="https://pictures.example/one.png">');
  await expect(log(page).getByText('外部图片链接已遮挡').last()).toBeVisible();
  await page
    .locator('.chat-field input[type="file"]')
    .setInputFiles({ name: 'a.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') });
  await expect(page.getByText('图片格式错误，请上传JPEG/JPG/PNG').first()).toBeVisible();
  await pictures.last().click();
  await expect(page.getByRole('dialog', { name: '图片' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: '图片' })).toHaveCount(0);
}

/** Without a connection a message fails with a text, stays, and goes once when it is sent again; what is being written is kept. */
async function unsentMessage({ page, context }: Person, n: string): Promise<void> {
  const text = `断网时说的（${n}）`;
  await context.setOffline(true);
  await field(page).fill(text);
  await send(page).click();
  await expect(log(page).getByText(/网络连接不可用，消息未发出|消息发送失败/)).toBeVisible({ timeout: 60_000 });
  await context.setOffline(false);
  // Either the returning line takes it along or the click does; the number that it bears makes it one.
  const again = log(page).getByRole('button', { name: '重新发送' });
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 5_000 });
    await expect(again).toHaveCount(0, { timeout: 5_000 });
  }).toPass({ timeout: 90_000 });
  await expect(log(page).locator('[data-seq]').getByText(text)).toHaveCount(1);
  await expect(log(page).getByText(text)).toHaveCount(1);
}

async function reloadKey(page: Page, n: string): Promise<void> {
  await field(page).fill(`没发的草稿（${n}）`);
  await page.evaluate(() => {
    document.documentElement.setAttribute('data-before', '');
    // The last listener of the key event: by then the page has or has not prevented the browser's own reload.
    window.addEventListener('keydown', ({ key, defaultPrevented }) => {
      document.documentElement.setAttribute('data-refused', `${key} ${defaultPrevented}`);
    });
  });
  await page.keyboard.down('F5');
  await expect(page.locator('html')).toHaveAttribute('data-refused', 'F5 true');
  await expect(page.locator('html[data-before]')).toHaveCount(1);
  await page.keyboard.up('F5');
  await expect(page.locator('html[data-before]')).toHaveCount(0);
  await expect(field(page)).toHaveValue(`没发的草稿（${n}）`);
  await field(page).fill('');
}

test('the order chat obeys the rules for tabs, keys, pictures, failures and read marks', async ({ people }, info) => {
  const isPhone = info.project.name === 'phone';
  const n = `${info.project.name} ${info.repeatEachIndex}`;
  const buyer = await people.visitor('buyer');
  const { page } = buyer;
  await test.step('a visitor is asked to log in', async () => {
    await page.goto('/chatSystem');
    await page.waitForURL(/\/login/);
    await expect(page.getByText('请先登录，以享受更全面的服务体验')).toBeVisible();
  });
  await signIn(buyer, BUYER);
  const orderSn = await orderSnOf(page, 2, isPhone);

  await test.step('switching tabs deselects the order; the tab of failed orders has no input field', async () => {
    await expect(page).toHaveTitle(/交易群/);
    const tabs = page.getByRole('navigation', { name: '订单状态' }).getByRole('link');
    await expect(tabs).toHaveText([/已付款/, /已发货/, /交易成功/, /交易失败/]);
    await tabs.nth(2).click();
    await page.waitForURL('**/chatSystem?status=3&returnType=0');
    await expect(list(page)).toBeVisible();
    await page.goto('/chatSystem?status=8&returnType=0');
    await expect(tabs.nth(3)).toHaveAttribute('aria-current', 'page');
    await list(page).getByRole('link').first().click();
    await page.waitForURL(/orderSn=/);
    await expect(page.getByRole('region', { name: '聊天', exact: true })).toBeVisible();
    await expect(field(page)).toHaveCount(0);
  });

  await test.step('a row shows the last message; selecting the first order shows its whole input field on every screen', async () => {
    await page.goto('/chatSystem?status=2&returnType=0');
    const first = list(page).getByRole('link').first();
    await expect(first).toContainText(/后确认|申诉中/);
    await first.click();
    await page.waitForURL(/orderSn=/);
    // On a phone it was made behind the list, where nothing can be measured.
    await expect.poll(async () => (await field(page).boundingBox())?.height ?? 0).toBeGreaterThan(30);
  });

  await test.step('keys, pictures and a reload', async () => {
    await page.goto(`/chatSystem?orderSn=${orderSn}`);
    // The first message of all is reached by going up as often as it takes.
    await expect(async () => {
      await log(page).evaluate((box) => box.scrollTo(0, 0));
      await expect(log(page).getByText('没有更多消息')).toHaveCount(1, { timeout: 2_000 });
    }).toPass();
    await keyRules(page, isPhone, n);
    await pictureRules(page);
    await reloadKey(page, n);
  });

  await test.step('a message is unread until it was visible for half a second', async () => {
    const seller = await people.visitor('seller');
    await signIn(seller, SELLER);
    await seller.page.goto(`/chatSystem?orderSn=${orderSn}`);
    await expect(log(seller.page)).toBeVisible();
    await page.goto('/chatSystem?status=1&returnType=0');
    await page.goto('/chatSystem?status=3&returnType=0');
    await field(seller.page).fill(`货已发出（${n}）`);
    await send(seller.page).click();
    const messages = log(seller.page)
      .locator('.chat-row')
      .filter({ hasText: `货已发出（${n}）` });
    await expect(messages.getByText('未读')).toBeVisible();
    await page.goto(`/chatSystem?orderSn=${orderSn}`);
    await expect(messages.getByText(/对方已读|全部已读/)).toBeVisible();
  });

  await test.step('Internet Explorer gets a warning', async () => {
    const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Trident/7.0; rv:11.0) like Gecko' };
    const answer = await buyer.context.request.get(`${MARKET}/chatSystem`, { headers });
    expect(await answer.text()).toContain('部分聊天功能无法使用');
  });
});

test('the page itself cannot be scrolled: only its columns can', async ({ people }) => {
  const buyer = await people.visitor('buyer');
  await signIn(buyer, BUYER);
  await buyer.page.goto(`/chatSystem?status=1&returnType=0&orderSn=${await orderSnOf(buyer.page, 1, false)}`);
  await expect(log(buyer.page)).toBeVisible();
  const outside = () => buyer.page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  await expect.poll(outside).toBe(0);
});

test('a link to an order without a conversation opens no other order and keeps its URL', async ({ people }) => {
  const buyer = await people.visitor('buyer');
  await signIn(buyer, BUYER);
  const { page } = buyer;
  await page.goto('/chatSystem?orderSn=999999999');
  await expect(page.getByText('没有这笔订单')).toBeVisible();
  await expect(page.getByText('订单号 999999999')).toBeVisible();
  await expect(field(page)).toHaveCount(0);
  expect(new URL(page.url()).searchParams.get('orderSn')).toBe('999999999');
});

test('a message that cannot be sent shows an error and is sent once after reconnecting', async ({
  page,
  context,
}, info) => {
  test.skip(info.project.name === 'phone', 'the wait for a receipt is the same on every screen');
  // A browser without a network logs that to its console; this test does not check the console.
  const buyer = { name: 'buyer', page, context };
  await signIn(buyer, BUYER);
  await page.goto(`/chatSystem?orderSn=${await orderSnOf(page, 2, false)}`);
  await expect(log(page)).toBeVisible();
  await unsentMessage(buyer, `第 ${info.repeatEachIndex} 次`);
});
