/** Gestures of phones: going back closes the topmost modal, pulling down refreshes a list, a camera opens directly. */
import { devices, expect, type Page } from '@playwright/test';
import { hydrated, test } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';

const SELLER = '13800000002';

test('going back closes a sheet and keeps what was chosen in it; the next one leaves the page', async ({
  people,
}, info) => {
  test.skip(info.project.name !== 'phone', 'a computer goes back to the page before');
  const { page } = await people.visitor('visitor');
  await page.goto('/allgame');
  await page.goto('/wares?gt=1');
  const sheet = page.getByRole('dialog', { name: '筛选' });
  const open = async () => {
    await page.getByRole('button', { name: /^筛选/ }).click();
    await expect(sheet).toBeVisible();
    // The entry that going back takes away comes with a separate script.
    await expect.poll(() => page.evaluate(() => (history.state as { isOver?: boolean } | null)?.isOver)).toBe(true);
  };
  await open();
  await page.goBack();
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(/\/wares\?gt=1$/);

  // A choice is a separate page; going back from it closes the sheet and keeps it.
  await open();
  await sheet.getByRole('link', { name: '300 内' }).click();
  await expect(page).not.toHaveURL(/\/wares\?gt=1$/);
  const chosen = page.url();
  await sheet.getByRole('button', { name: /^查看/ }).click();
  await expect(sheet).toHaveCount(0);
  expect(page.url()).toBe(chosen);

  // Closed by its own button the sheet leaves no step behind that has to be gone back twice.
  await page.goto('/allgame');
  await page.goto('/wares?gt=1');
  await open();
  await sheet.getByRole('button', { name: '关闭' }).click();
  await expect(sheet).toHaveCount(0);
  await page.goBack();
  await page.waitForURL(/\/allgame/);
});

test('a top-up from the dialog leads on to the payment without a question', async ({ people }, info) => {
  test.skip(info.project.name !== 'phone', 'a computer shows the code in the dialog');
  const person = await people.visitor('seller');
  await signIn(person, SELLER);
  const { page } = person;
  const questions: string[] = [];
  page.on('dialog', (question) => {
    questions.push(question.type());
    void question.accept();
  });
  await page.goto('/center');
  await page.getByRole('button', { name: '充值' }).first().click();
  const dialog = page.getByRole('dialog', { name: '充值' });
  await dialog.getByLabel('充值金额').pressSequentially('123');
  // The leave warning is loaded as a separate script.
  await expect.poll(() => page.evaluate(() => (history.state as { isOver?: boolean } | null)?.isOver)).toBe(true);
  await dialog.getByRole('button', { name: '去支付' }).click();
  await page.waitForURL(/\/pay\//);
  expect(questions).toEqual([]);
});

/** Draws a finger down the page. */
async function pull(page: Page, px: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const at = (y: number) => ({ x: 200, y });
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at(300)] });
  for (let y = 310; y <= 300 + px; y += 10)
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(y)] });
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await cdp.detach();
}

test('pulling a list down loads it again; a short pull and a pull further down do not', async ({ people }, info) => {
  test.skip(info.project.name !== 'phone', 'there is no finger');
  const seller = await people.visitor('seller');
  await signIn(seller, SELLER);
  const { page } = seller;
  await page.goto('/center/sellOutGoods');
  const mark = page.locator('.pull-mark');
  await expect(mark).toBeAttached();
  let loads = 0;
  page.on('request', (request) => {
    if (/sellOutGoods\.data/.test(request.url())) loads += 1;
  });
  await pull(page, 40);
  await page.evaluate(() => window.scrollTo(0, 300));
  await pull(page, 150);
  await page.evaluate(() => window.scrollTo(0, 0));
  expect(loads).toBe(0);
  const answer = page.waitForResponse(/sellOutGoods\.data/);
  await pull(page, 150);
  expect((await answer).ok()).toBe(true);
  await expect(mark).toBeHidden();
  expect(loads).toBe(1);
  // The mark goes with the page.
  await page.goto('/center/sell');
  await expect(mark).toHaveCount(0);
});

test('a picture is taken at once where there is a camera, and goes the way of chosen ones', async ({
  people,
}, info) => {
  const seller = await people.visitor('seller');
  await signIn(seller, SELLER);
  const { page } = seller;
  // A game in which no other journey of this seller publishes: what is added here stays in a draft of it.
  await page.goto('/center/sell?gameId=3&gt=1');
  const camera = page.getByLabel('拍照添加图片');
  await expect(camera).toBeAttached();
  await expect(camera).toHaveAttribute('capture', 'environment');
  if (info.project.name !== 'phone') return await expect(camera).toBeHidden();
  await hydrated(page);
  await camera.setInputFiles({ name: 'shot.png', mimeType: 'image/png', buffer: await page.screenshot() });
  await expect(page.getByAltText('第 1 张图片')).toBeVisible();
});

test('inside WeChat a page has its card, and a file is not lost in silence', async ({ browser }, info) => {
  test.skip(info.project.name !== 'phone', 'WeChat for computers saves files');
  const context = await browser.newContext({
    ...devices['Pixel 7'],
    userAgent: `${devices['Pixel 7'].userAgent} MicroMessenger/8.0.54.2760(0x2800363D)`,
    locale: 'zh-CN',
  });
  const page = await context.newPage();
  const cards: { title: string; desc: string; link: string; imgUrl: string }[] = [];
  await page.exposeFunction('keepCard', (card: (typeof cards)[number]) => cards.push(card));
  await page.route('**/api/operation/wechat_js*', (route) =>
    route.fulfill({ json: { code: 0, msg: '', data: { appId: 'wx1', timestamp: 1, nonceStr: 'n', signature: 's' } } }),
  );
  await page.route('https://res.wx.qq.com/**', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'window.wx={config(){},ready(f){f()},updateAppMessageShareData(c){keepCard(c)},updateTimelineShareData(){}}',
    }),
  );
  const card = async (address: string) => {
    cards.length = 0;
    await page.goto(address);
    await expect.poll(() => cards.length).toBeGreaterThan(0);
    return cards.at(-1);
  };
  const home = await card('/');
  expect(home?.title).not.toBe('');
  expect(home?.imgUrl).toMatch(/\/art\/app\/180\.png$/);
  await page.goto('/wares?gt=1');
  const sn = /\/detail\/(\w+)/.exec((await page.locator('a.stretched').first().getAttribute('href')) ?? '')?.[1];
  const goods = await card(`/detail/${sn}?isOfficialSell=0`);
  expect(goods?.title).toBe(await page.locator('meta[property="og:title"]').getAttribute('content'));
  expect(goods?.link).toMatch(new RegExp(`/detail/${sn}$`));
  expect(goods?.imgUrl).toMatch(new RegExp(`/og/goods/${sn}\\.jpg$`));
  expect(goods?.desc).toContain('全包价');

  await page.getByRole('button', { name: '分享' }).first().click();
  const share = page.getByRole('dialog', { name: '分享商品' });
  await expect(share).toContainText('长按上面的卡片可保存或转发');
  await expect(share.getByRole('link', { name: '保存卡片' })).toHaveCount(0);
  await signIn({ name: 'merchant', page, context }, SELLER);
  for (const [address, button] of [
    ['/center/goodsImport?kind=stock', '下载模板'],
    // A page outside of the market's layout.
    ['/center/extend/qrCode', '保存二维码'],
  ] as const) {
    await page.goto(address);
    await hydrated(page);
    // The script that prevents saving is loaded after the page's script.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => /in-wechat[^/]*\.js$/.test(name)),
    );
    await expect(async () => {
      await page.getByRole('button', { name: button }).click();
      await expect(page.getByRole('dialog', { name: '微信里不能保存文件' })).toContainText('在浏览器打开', {
        timeout: 2_000,
      });
    }).toPass();
  }
  await context.close();
});

test('a public page that has been open for a while leads to the centre without a new document', async ({ people }) => {
  const person = await people.visitor('buyer');
  await signIn(person, '13800000001');
  const { page } = person;
  await page.clock.install();
  await page.goto('/');
  await hydrated(page);
  // Longer than statistics wait: without scripts of the brand they must not take the document from the next page.
  await page.clock.runFor(5000);
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  const link = page.locator('a[href="/center"]').locator('visible=true').first();
  // The bars around the page are hydrated after it; until then a click is the browser's own navigation.
  await expect.poll(() => link.evaluate((element) => Object.keys(element).join())).toContain('__reactProps');
  await link.click();
  await page.waitForURL(/\/center$/);
  await expect(
    page
      .getByText('退出登录')
      .or(page.getByRole('link', { name: /全部功能/ }))
      .first(),
  ).toBeVisible();
  await page.clock.runFor(5000);
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
});
