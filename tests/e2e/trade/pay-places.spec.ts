/** Paying on each device, through the pages only: a computer, a phone's browser, inside WeChat. A phone is never shown a code to scan. */
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { PASSWORD, test, watchConsole } from '../support/people.ts';
import { VendorMarket } from '../support/vendor-market.ts';

const PHONE = 'Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36';
const WECHAT = `${PHONE} MicroMessenger/8.0.54.2760(0x2800363D)`;
const DONE = '充值成功,到账时间会有一定延迟';
const OPENID = 'o1';

const vendors = new VendorMarket();
const contexts: BrowserContext[] = [];
const defects: string[] = [];
/** Codes to scan that were ever shown on a page, however briefly. */
const codesSeen: string[] = [];

test.describe.configure({ mode: 'serial' });
test.skip(({ isMobile }) => isMobile, 'sets its own screens');
test.beforeAll(async () => {
  test.setTimeout(300_000);
  await vendors.start();
});
test.afterAll(async () => {
  for (const context of contexts) await context.close();
  await vendors.close();
});
test.afterEach(() => {
  expect(defects.splice(0), 'console').toEqual([]);
  expect(codesSeen.splice(0), 'codes on a phone').toEqual([]);
});

/** A page that only says so and goes on, as the vendors' own do after a payment. */
const goOn = (to: string): string => `<!doctype html><script>location.replace(${JSON.stringify(to)})</script>`;

/** Payments that leave the market for a vendor reach its fake: it opens the payment as the vendor would, pays it, and notifies. */
async function meetVendors(context: BrowserContext, agent: string): Promise<void> {
  const html = (body: string) => ({ status: 200, contentType: 'text/html; charset=utf-8', body });
  await context.route('https://wx.tenpay.com/**', async (route) => {
    const { referer } = route.request().headers();
    const opened = vendors.wechat.openH5(route.request().url(), { referer, agent });
    if (typeof opened === 'string') return await route.fulfill(html(opened));
    expect(await vendors.paid('wechat', opened.no)).toBe(204);
    await route.fulfill(html(goOn(opened.back)));
  });
  await context.route(`${vendors.gateway}/**`, async (route) => {
    const opened = vendors.alipay.openPage(route.request().url(), agent);
    if (typeof opened === 'string') return await route.fulfill(html(opened));
    expect(await vendors.paid('alipay', opened.no)).toBe(200);
    await route.fulfill(html(goOn(opened.back)));
  });
  // The market redirects to WeChat, and Chromium 109 does not let a test serve the target of a redirect: a page leads there instead.
  await context.route('**/api/pay/payer?*', async (route) => {
    const response = await route.fetch({ maxRedirects: 0 });
    const { location, 'set-cookie': cookie } = response.headers();
    if (location === undefined) return await route.fulfill({ response });
    await route.fulfill({ ...html(goOn(location)), headers: cookie === undefined ? {} : { 'set-cookie': cookie } });
  });
  await context.route('https://open.weixin.qq.com/**', async (route) => {
    // A request carries no fragment; that the address has it is a separate test (pay-places over HTTP).
    const address = `${route.request().url()}#wechat_redirect`;
    await route.fulfill(html(goOn(vendors.weixin.authorise(address, OPENID))));
  });
}

/** WeChat's own dialog over the page: it checks the signed fields, and pays or not. */
async function bringDialog(context: BrowserContext, decides: () => boolean): Promise<void> {
  await context.exposeFunction('wechatAsks', async (name: string, fields: Record<string, string>) => {
    expect(name).toBe('getBrandWCPayRequest');
    const end = vendors.wechat.dialog(fields, { openid: OPENID, pays: decides() });
    if (end.endsWith(':ok')) await vendors.paid('wechat', (fields.package ?? '').replace('prepay_id=wx', ''));
    return end;
  });
  await context.addInitScript(() => {
    type Ask = (name: string, fields: object) => Promise<string>;
    const page = window as unknown as { wechatAsks: Ask; WeixinJSBridge: object };
    page.WeixinJSBridge = {
      async invoke(name: string, fields: object, done: (end: { err_msg: string }) => void) {
        done({ err_msg: await page.wechatAsks(name, fields) });
      },
    };
  });
}

/** Records each code to scan that a page ever shows. */
async function watchCodes(context: BrowserContext): Promise<void> {
  await context.exposeFunction('sawCode', (alt: string) => void codesSeen.push(alt));
  await context.addInitScript(() => {
    const report = (window as unknown as { sawCode: (alt: string) => void }).sawCode;
    const look = (): void => {
      for (const image of document.querySelectorAll('img')) if (image.alt.endsWith('码')) report(image.alt);
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  });
}

/** A visitor inside WeChat who is not logged in. */
async function stranger(browser: { newContext(options: object): Promise<BrowserContext> }): Promise<Page> {
  const context = await browser.newContext({
    baseURL: vendors.base,
    userAgent: WECHAT,
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  contexts.push(context);
  await meetVendors(context, WECHAT);
  const page = await context.newPage();
  watchConsole(page, 'stranger', defects);
  return page;
}

/** A demo user who is logged in, with a browser that says what it is. */
async function visitor(
  browser: { newContext(options: object): Promise<BrowserContext> },
  phone: string,
  agent?: string,
): Promise<{ page: Page; context: BrowserContext }> {
  const screen =
    agent === undefined
      ? { viewport: { width: 1440, height: 900 } }
      : { userAgent: agent, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  const context = await browser.newContext({ baseURL: vendors.base, ...screen });
  contexts.push(context);
  await meetVendors(context, agent ?? '');
  if (agent !== undefined) await watchCodes(context);
  const page = await context.newPage();
  watchConsole(page, phone, defects);
  const response = await context.request.post(`${vendors.base}/api/user/login`, {
    form: { username: phone, password: PASSWORD },
    headers: { 'x-timestamp': String(Date.now()) },
  });
  const { code, data } = (await response.json()) as { code: number; data: Record<string, string> };
  expect(code).toBe(0);
  const hints = ['token', 'userId', 'nickName', 'actor'] as const;
  await context.addCookies(
    hints.map((name) => ({ name, value: encodeURIComponent(data[name] ?? ''), url: vendors.base })),
  );
  return { page, context };
}

/** Begins a top-up on its page. */
async function topUp(page: Page, channel: '支付宝' | '微信支付', amount: string): Promise<void> {
  await page.goto('/center/myself/recharge');
  await page.getByLabel('充值金额').fill(amount);
  await page.getByRole('radio', { name: new RegExp(`^${channel}`) }).check();
  await page.getByRole('button', { name: '去支付' }).click();
}

test('on a computer: a code is scanned and paid, and the page updates by itself', async ({ browser }) => {
  const { page } = await visitor(browser, '13800000001');
  for (const [channel, name] of [
    ['wechat', '微信支付'],
    ['alipay', '支付宝'],
  ] as const) {
    const { trades } = vendors[channel];
    const before = trades.size;
    await topUp(page, name, '12.00');
    await expect(page.getByAltText(`${name}付款二维码`)).toBeVisible();
    // The code can be seen before the vendor has made its trade.
    await expect.poll(() => trades.size).toBeGreaterThan(before);
    expect(await vendors.paid(channel, [...trades.keys()].at(-1) ?? '')).toBeLessThan(300);
    await expect(page.getByText(DONE).first()).toBeVisible();
  }
});

for (const name of ['微信支付', '支付宝'] as const)
  test(`in a phone’s browser: ${name} opens automatically, is paid there, and returns to the site`, async ({
    browser,
  }) => {
    const { page } = await visitor(browser, '13800000002', PHONE);
    await topUp(page, name, '13.00');
    await expect(page.getByText(DONE).first()).toBeVisible({ timeout: 60_000 });
    await expect(page).toHaveURL(/\/center\/myself\/recharge/);
  });

test('inside WeChat: its own dialog is cancelled once and then paid; Alipay shows where to open it', async ({
  browser,
}) => {
  const { page, context } = await visitor(browser, '13800000001', WECHAT);
  let pays = false;
  await bringDialog(context, () => pays);
  await topUp(page, '微信支付', '14.00');
  await expect(page.getByText('您取消了付款，没有扣款')).toBeVisible({ timeout: 60_000 });
  pays = true;
  await page.getByRole('button', { name: '重新打开微信支付' }).click();
  await expect(page.getByText(DONE).first()).toBeVisible({ timeout: 60_000 });
  await topUp(page, '支付宝', '15.00');
  await expect(page.getByText('微信里打不开支付宝，请换到手机浏览器付款')).toBeVisible();
  // The same address in the phone's browser, which is not logged in there.
  const address = page.url();
  const phone = await browser.newContext({ userAgent: PHONE, viewport: { width: 390, height: 844 }, isMobile: true });
  contexts.push(phone);
  await meetVendors(phone, PHONE);
  await watchCodes(phone);
  const other = await phone.newPage();
  await other.goto(address);
  await expect(other.getByText('付款成功', { exact: true })).toBeVisible({ timeout: 60_000 });
});

test('inside WeChat: asked once who one is, bound by the first log-in, and logged in without a click from then on', async ({
  browser,
}) => {
  const first = await stranger(browser);
  await first.goto('/login?returnUrl=%2Fcenter%2Fmyself%2FthirdPartyBinding');
  // WeChat has answered, but no user is bound to this account: the form is back, and does not start the log-in again.
  await expect(first.getByText('微信已确认，登录或注册后自动绑定')).toBeVisible({ timeout: 60_000 });
  await first.getByRole('tab', { name: '密码登录' }).click();
  await first.getByLabel('手机号').fill('13800000004');
  await first.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await first.getByRole('button', { name: '登录', exact: true }).click();
  await expect(first.getByRole('button', { name: '解除绑定' })).toBeVisible({ timeout: 60_000 });

  const second = await stranger(browser);
  await second.goto('/login?returnUrl=%2Fcenter%2Fmywallets');
  await second.waitForURL(/\/center\/mywallets/, { timeout: 60_000 });
});
