/** Pages in the oldest supported browser: they are laid out, coloured and taken over by their scripts, and no console complains. */
import { expect, type Page } from '@playwright/test';
import { expectNoOverflow } from '#tests/e2e/support/overflow.ts';
import { hydrated, type Person, test } from '#tests/e2e/support/people.ts';
import { data, logInByPassword, signIn } from '#tests/e2e/support/sign-in.ts';

const BUYER = '13800000001';

const PUBLIC = ['/', '/h/', '/wares?gt=1&gid=1', '/allgame', '/black', '/recycle', '/dealshow/selltime'];
const SIGNED_IN = ['/center', '/center/notices', '/center/buyGoodsOrder', '/chatSystem?status=2&returnType=0'];

/** Nothing is transparent or black for want of a colour: the header's button has the brand's ground, the page's text is dark on light. */
async function expectColours(page: Page): Promise<void> {
  const { ground, action } = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.background = 'var(--act)';
    const colours = {
      ground: getComputedStyle(document.body).backgroundColor,
      action: getComputedStyle(probe).backgroundColor,
    };
    probe.remove();
    return colours;
  });
  expect(ground).toBe('rgb(247, 249, 250)');
  // #00566d within the rounding of percentages.
  expect(action).toMatch(/^rgb\(0, 8\d, 1\d\d\)$/);
}

async function look(person: Person, path: string): Promise<void> {
  const { page } = person;
  await page.goto(path);
  await hydrated(page);
  await expect(page.getByRole('heading', { level: 1 }).or(page.getByRole('main')).first()).toBeVisible();
  await expectColours(page);
  await expectNoOverflow(person, path);
}

test('a visitor reads the public pages and opens a popover', async ({ people, browser }) => {
  expect(Number.parseInt(browser.version(), 10)).toBe(109);
  const visitor = await people.visitor('visitor');
  const { page } = visitor;
  for (const path of PUBLIC) await look(visitor, path);
  const { list } = await data<{ list: { pageUrl: string }[] }>(
    page.request,
    '/api/goods/getGoodsList?goodsTypeId=1&pageSize=1',
  );
  await look(visitor, list[0]?.pageUrl ?? '');
  // The one with a separate popover is the signed-in bell; a visitor has the choice of the theme.
  await page.goto('/');
  await hydrated(page);
  const button = page.locator('[popovertarget]').locator('visible=true').first();
  const panel = page.locator(`[id="${await button.getAttribute('popovertarget')}"]`);
  await expect(panel).toBeHidden();
  await button.click();
  await expect(button).toHaveAttribute('aria-expanded', 'true');
  await expect(panel).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(button).toHaveAttribute('aria-expanded', 'false');
});

test('a phone number is read as a contact list fills it in', async ({ people }) => {
  const { page } = await people.visitor('visitor');
  await page.goto('/login');
  await hydrated(page);
  const field = page.getByLabel('手机号');
  for (const typed of ['+86 138-0000-0001', '１３８００００ ０００１', '\u202a138 0000 0001\u202c']) {
    await field.fill(typed);
    await expect(field).toHaveValue('13800000001');
  }
});

test('a user logs in at the page and reads the centre, the orders and the chat', async ({ people }) => {
  const person = await people.visitor('person');
  await logInByPassword(person, BUYER);
  for (const path of SIGNED_IN) await look(person, path);
});

test('below the floor the page stays as the server sent it, with one line that names browsers', async ({ people }) => {
  const { page } = await people.visitor('visitor');
  await page.addInitScript(() => {
    CSS.supports = () => false;
  });
  await page.goto('/wares?gt=1&gid=1', { waitUntil: 'domcontentloaded' });
  await expect(page.locator('#old-browser')).toContainText('浏览器版本过低');
  await expect(page.locator('#old-browser')).toHaveCount(1);
  const goods = page.locator('a[href^="/detail/"]').first();
  await goods.click();
  await expect(page.getByRole('heading', { name: '商品描述' })).toBeVisible();
  expect(await page.evaluate(() => window.early?.done)).toBeUndefined();
});

test("a failure while the page is taken over keeps the server's page", async ({ browser, baseURL }) => {
  // A separate context: this page's console does complain.
  const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const matches = Reflect.get(Element.prototype, 'matches') as (selector: string) => boolean;
    Object.defineProperty(Element.prototype, 'matches', {
      value(this: Element, selector: string) {
        if (selector.includes('popover-open')) throw new Error('planted');
        return matches.call(this, selector);
      },
    });
  });
  await page.goto('/');
  await expect(page.getByText('页面可以阅读，但部分按钮没有反应')).toBeVisible();
  await expect(page.getByRole('heading', { name: '热门游戏' })).toBeVisible();
  await expect(page.getByText('系统开小差了')).toHaveCount(0);
  await page.getByRole('link', { name: '全部游戏' }).first().click();
  await page.waitForURL(/allgame/);
  await expect(page.getByRole('main')).toBeVisible();
  await context.close();
});

test('an order is printed as a document: only its content, over the whole width', async ({ people }) => {
  const person = await people.visitor('person');
  await signIn(person, BUYER);
  const { page } = person;
  await page.goto('/center/buyGoodsOrder');
  await page.goto((await page.locator('a[href*="buyOrderDetail"]').first().getAttribute('href')) ?? '');
  await hydrated(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.copied-text').first()).toBeVisible();
  for (const part of [
    '.head-top',
    '.strip',
    '.floats',
    '.center-menu',
    '.order-chat',
    'footer',
    'main button:not(.copied-text)',
  ])
    await expect(page.locator(part).locator('visible=true'), part).toHaveCount(0);
  const { width } = (await page.locator('.order-page').boundingBox()) ?? { width: 0 };
  expect(width).toBeGreaterThan(1300);
  if (process.env.E2E_SHOTS) await page.screenshot({ path: `${process.env.E2E_SHOTS}/print.png`, fullPage: true });
});

test('public pages are printed as documents on white, also where the theme is dark', async ({ people }) => {
  const person = await people.visitor('person');
  const { page } = person;
  const { list } = await data<{ list: { pageUrl: string }[] }>(
    page.request,
    '/api/goods/getGoodsList?goodsTypeId=1&pageSize=1',
  );
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const path of [list[0]?.pageUrl ?? '', '/wares?gt=1', '/news/handover']) {
    await page.goto(path);
    await hydrated(page);
    for (const part of ['.head-top', '.head-rest', '.floats', '.filters', '.buy-bar', 'footer', 'nav'])
      await expect(page.locator(part).locator('visible=true'), `${part} of ${path}`).toHaveCount(0);
    await expect(page.locator('body'), path).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    await expect(page.getByRole('main').locator('h1, h2').first(), path).toBeVisible();
  }
});

test('a statement is printed from its first sheet on, without choices that are not taken', async ({ people }) => {
  const person = await people.visitor('person');
  await signIn(person, BUYER);
  const { page } = person;
  await page.goto('/center/mywallets/list');
  await hydrated(page);
  await page.emulateMedia({ media: 'print' });
  const panel = page.locator('section.panel').filter({ has: page.getByRole('heading', { level: 1 }) });
  // Kept together, a panel longer than a sheet begins on the next one.
  await expect(panel).toHaveCSS('break-inside', 'auto');
  await expect(page.locator('.pick:not(.pick-on)').locator('visible=true')).toHaveCount(0);
  await expect(page.getByLabel('订单编号')).toBeHidden();
});

test('the narrowest phone shows tables, filters and the bar of a purchase whole', async ({ people }) => {
  const person = await people.visitor('person');
  await signIn(person, BUYER);
  const { page } = person;
  await page.setViewportSize({ width: 320, height: 700 });
  for (const path of ['/dealshow/selltime', '/center/mywallets/list']) {
    await page.goto(path);
    await hydrated(page);
    await expectNoOverflow(person, path);
  }
  const { list } = await data<{ list: { pageUrl: string }[] }>(
    page.request,
    '/api/goods/getGoodsList?goodsTypeId=1&pageSize=1',
  );
  await page.goto(list[0]?.pageUrl ?? '');
  const { x, width } = (await page.locator('.buy-bar .btn-lg').boundingBox()) ?? { x: 0, width: 0 };
  expect(x + width).toBeGreaterThan(0);
  expect(x + width).toBeLessThanOrEqual(320);
});

test('a toast is above the dialog that is open', async ({ people }) => {
  const person = await people.visitor('person');
  await signIn(person, BUYER);
  const { page } = person;
  await page.goto('/center/buyGoodsOrder');
  await page.goto((await page.locator('a[href*="buyOrderDetail"]').first().getAttribute('href')) ?? '');
  await hydrated(page);
  await page.evaluate(() => {
    const dialog = document.body.appendChild(document.createElement('dialog'));
    dialog.id = 'planted';
    dialog.showModal();
  });
  // Nobody can click what is behind the dialog: the page's own script stands for what answers late.
  await page
    .locator('.copied-text')
    .first()
    .evaluate((button: HTMLElement) => button.click());
  await expect(page.locator('#planted .toast')).toBeVisible();
});

test('chat messages are sent', async ({ people }) => {
  const person = await people.visitor('person');
  await signIn(person, BUYER);
  const { page } = person;
  await page.goto('/chatSystem?status=2&returnType=0');
  await page.getByRole('list', { name: '订单', exact: true }).getByRole('link').first().click();
  const log = page.getByRole('log', { name: '聊天记录' });
  await expect(log).toBeVisible();
  const text = `老浏览器里的一句话 ${Date.now()}`;
  const field = page.getByLabel('消息', { exact: true });
  await field.fill(text);
  // The Enter with which Safari ends a composition sends nothing.
  await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
  await expect(field).toHaveValue(text);
  await page.getByRole('button', { name: '发送', exact: true }).click();
  await expect(log.getByText(text)).toBeVisible();
});
