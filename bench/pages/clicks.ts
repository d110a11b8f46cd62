/**
 * Counts the clicks, keys and page loads of eight everyday tasks, each done only through the interface of a running demo market.
 * `npm run bench -- clicks` prints the table of docs/CLICKS.md. MARKET names the market (http://localhost:3000), TASK one task.
 * Every task is done as an experienced user does it; waiting for other users is not part of it.
 */
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from '@playwright/test';
import { logIn } from '../lib/log-in.ts';

const MARKET = process.env.MARKET ?? 'http://localhost:3000';
const BACK_OFFICE = MARKET.replace('//localhost', '//backstage.localhost');
const PASSWORD = 'youshi2026';
const PAY_PASSWORD = '835274';
const [BUYER, SELLER] = ['13800000001', '13800000002'];
const ACCOUNT_OF_KINGS = 'gameId=2&gt=1';
/** Goods type: items. */
const ITEM = 27;
const STEP_LIMIT_MS = 60_000;

/** Somebody at a screen; counts what the hands do. */
class Hands {
  readonly page: Page;
  clicks = 0;
  keys = 0;
  loads = 0;

  constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(STEP_LIMIT_MS);
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.loads += 1;
    });
  }

  async click(target: Locator): Promise<void> {
    await target.locator('visible=true').first().click();
    this.clicks += 1;
  }

  async type(target: Locator, text: string): Promise<void> {
    await target.locator('visible=true').first().fill(text);
    this.keys += text.length;
  }

  async key(name: string): Promise<void> {
    await this.page.keyboard.press(name);
    this.keys += 1;
  }

  async choose(target: Locator, index: number): Promise<void> {
    await target.selectOption({ index });
    this.clicks += 2;
  }

  /** A file is chosen by three clicks: the button, the file, open. */
  async attach(target: Locator): Promise<void> {
    await target.setInputFiles({ name: 'proof.png', mimeType: 'image/png', buffer: await this.page.screenshot() });
    this.clicks += 3;
  }

  /** Opens the start of the task as the address bar or a bookmark does; not counted. */
  async start(path: string): Promise<void> {
    await this.page.goto(path);
    await this.page.waitForLoadState('networkidle');
    this.clicks = 0;
    this.keys = 0;
    this.loads = 0;
  }
}

interface Result {
  task: string;
  clicks: number;
  keys: number;
  loads: number;
  seconds: number;
}

async function data<T>(context: BrowserContext, path: string): Promise<T> {
  const response = await context.request.get(`${MARKET}${path}`, {
    headers: { authorization: await tokenOf(context) },
  });
  const { code, msg, data: answer } = (await response.json()) as { code: number; msg: string; data: T };
  if (code !== 0) throw new Error(`${path}: ${msg}`);
  return answer;
}

async function tokenOf(context: BrowserContext): Promise<string> {
  const cookies = await context.cookies(MARKET);
  return decodeURIComponent(cookies.find(({ name }) => name === 'token')?.value ?? '');
}

async function customer(browser: Browser, phone?: string): Promise<Hands> {
  const context = await browser.newContext({
    baseURL: MARKET,
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
  });
  if (phone !== undefined) {
    await logIn(context, MARKET, phone);
  }
  return new Hands(await context.newPage());
}

interface SelfCheck {
  staff: { login: string; name: string; code: string; waitSeconds: number }[];
}

/** The next one-time code of a member of staff; each is taken once. */
async function codeOf(context: BrowserContext, login: string): Promise<string> {
  for (;;) {
    const { staff } = await data<SelfCheck>(context, '/api/test/selfCheck');
    const mine = staff.find((one) => one.login === login);
    if (!mine) throw new Error(`no staff ${login}`);
    if (mine.waitSeconds === 0) return mine.code;
    await new Promise((resolve) => setTimeout(resolve, mine.waitSeconds * 1000));
  }
}

async function staff(browser: Browser, login: string): Promise<Hands> {
  const context = await browser.newContext({
    baseURL: BACK_OFFICE,
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    acceptDownloads: true,
  });
  const hands = new Hands(await context.newPage());
  const { page } = hands;
  await page.goto('/backstage/login');
  await page.getByLabel('账号').fill(login);
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await page.getByLabel('动态码').fill(await codeOf(context, login));
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/backstage');
  return hands;
}

/** Counts one task from where it begins. */
async function measured(task: string, hands: Hands, path: string, work: () => Promise<void>): Promise<Result> {
  await hands.start(path);
  const began = performance.now();
  await work();
  const { clicks, keys, loads } = hands;
  return { task, clicks, keys, loads, seconds: Math.round((performance.now() - began) / 100) / 10 };
}

async function find(browser: Browser): Promise<Result> {
  const hands = await customer(browser);
  const { page } = hands;
  return await measured('find an account: home, game, area, filter, goods', hands, '/', async () => {
    await hands.click(page.getByRole('link', { name: '王者荣耀' }));
    await page.waitForURL(/\/wares/);
    await hands.click(page.getByRole('main').getByRole('link', { name: '安卓QQ', exact: true }));
    await page.waitForURL(/area|server|as=/i);
    await hands.click(page.locator('a[href^="/detail/"]'));
    await page
      .getByRole('link', { name: '立即购买' })
      .or(page.getByRole('button', { name: '立即购买' }))
      .first()
      .waitFor();
  });
}

/** Fills one required field of a game's own form, whatever its kind. */
async function fillField(hands: Hands, field: Locator): Promise<void> {
  const choice = field.locator('input[type="radio"], input[type="checkbox"]').first();
  if ((await choice.count()) > 0) {
    await choice.check({ force: true });
    hands.clicks += 1;
    return;
  }
  const list = field.locator('select').first();
  if ((await list.count()) > 0) return await hands.choose(list, 1);
  const help = await field.innerText();
  const [, least] = /(\d+) 至 \d+/.exec(help) ?? [];
  await hands.type(field.locator('input'), least ?? '5');
}

async function publish(browser: Browser): Promise<Result> {
  const hands = await customer(browser, SELLER);
  const { page } = hands;
  return await measured('publish an account with a picture', hands, `/center/sell?${ACCOUNT_OF_KINGS}`, async () => {
    const place = page.getByRole('region', { name: '区服与账号' });
    for (const name of ['大区', '服务器']) await hands.choose(place.getByRole('combobox', { name }), 1);
    await hands.type(place.getByRole('textbox', { name: '游戏账号' }), `p${Date.now() % 1_000_000}`);
    const fields = page.getByRole('region', { name: '商品属性' }).locator('.field').filter({ hasNotText: '选填' });
    for (const field of await fields.all()) await fillField(hands, field);
    await hands.attach(page.getByLabel('添加图片', { exact: true }));
    await page.getByAltText('第 1 张图片').waitFor();
    await hands.type(page.getByRole('textbox', { name: '标题', exact: true }), '安卓QQ 全英雄 贵族八级 满级号');
    await hands.type(page.getByRole('textbox', { name: '标价（元）' }), '288.80');
    await hands.click(page.getByRole('button', { name: '提交审核' }));
    await page.getByRole('heading', { name: '已提交审核' }).waitFor();
  });
}

/** An item of the demo seller that is on sale; an item is handed over without customer service. */
async function itemOnSale(browser: Browser): Promise<string> {
  const { page } = await customer(browser, SELLER);
  const { list } = await data<{ list: { goodsSn: string; goodsTypeId: number }[] }>(
    page.context(),
    '/api/goods/selfPublishGoodsList?status=2&pageSize=50',
  );
  const item = list.find(({ goodsTypeId }) => goodsTypeId === ITEM);
  if (!item) throw new Error('the demo seller has no item on sale');
  return item.goodsSn;
}

async function buy(browser: Browser): Promise<Result[]> {
  const buyer = await customer(browser, BUYER);
  const { page } = buyer;
  const bought = await measured(
    'buy and pay from the balance',
    buyer,
    `/detail/${await itemOnSale(browser)}`,
    async () => {
      await buyer.click(
        page.getByRole('link', { name: '立即购买' }).or(page.getByRole('button', { name: '立即购买' })),
      );
      await buyer.click(page.getByRole('button', { name: '提交订单' }));
      await page.waitForURL(/\/pay\?orderSn=/);
      await buyer.click(page.getByRole('radio', { name: /余额支付/ }));
      await buyer.click(page.getByRole('button', { name: /^确认支付/ }));
      await buyer.type(page.getByRole('dialog').getByLabel('支付密码', { exact: true }), PAY_PASSWORD);
      await buyer.click(page.getByRole('dialog').getByRole('button', { name: '确认' }));
      await page.waitForURL(/\/success\?orderSn=/);
    },
  );
  const orderSn = new URL(page.url()).searchParams.get('orderSn') ?? '';
  return [bought, await handOver(browser, buyer, `/center/buyOrderDetail?orderSn=${orderSn}`)];
}

/** Both sides together, from the order's page to the money being released. */
async function handOver(browser: Browser, buyer: Hands, path: string): Promise<Result> {
  const seller = await customer(browser, SELLER);
  await seller.start(path);
  const due = seller.page.getByRole('group', { name: '这一步' });
  const finish = (title: string) => due.getByRole('heading', { name: title, exact: true });
  const result = await measured('hand over an item, both sides', buyer, path, async () => {
    await finish('请约定交货').waitFor();
    await seller.click(due.getByRole('button', { name: '这一步我已完成' }));
    await finish('请交付道具').waitFor();
    await seller.attach(due.getByLabel(/上传截图/));
    await due.getByAltText('凭证 1').waitFor();
    await seller.click(due.getByRole('button', { name: '这一步我已完成' }));
    const label = { name: '确认收货', exact: true };
    await buyer.click(buyer.page.getByRole('button', label));
    await buyer.click(buyer.page.getByRole('dialog').getByRole('button', label));
    await buyer.page.getByRole('dialog').waitFor({ state: 'hidden' });
  });
  return { ...result, clicks: result.clicks + seller.clicks, keys: result.keys + seller.keys };
}

async function review(browser: Browser): Promise<Result> {
  const hands = await staff(browser, 'shenhe');
  const { page } = hands;
  return await measured('review 20 goods', hands, '/backstage/goods', async () => {
    for (let i = 0; i < 20; i += 1) {
      const title = await page.getByRole('article').locator('h2, h1').first().innerText();
      await hands.key('a');
      await page.waitForFunction(
        (before) => document.querySelector('article :is(h1, h2)')?.textContent?.trim() !== before.trim(),
        title,
      );
    }
  });
}

async function answer(browser: Browser): Promise<Result> {
  const hands = await staff(browser, 'kefu1');
  const { page } = hands;
  return await measured('answer 10 conversations', hands, '/backstage/chat', async () => {
    for (let i = 0; i < 10; i += 1) {
      const row = page.locator('.workbench-row').nth(i);
      await hands.click(row);
      await row.and(page.locator('[aria-current]')).waitFor();
      await page.locator('.step-answer').first().waitFor();
      await hands.key('Alt+1');
      await page.waitForFunction(() =>
        [...document.querySelectorAll('textarea')].some((area) => area.value.trim() !== ''),
      );
      await hands.key('Control+Enter');
      await page.waitForFunction(() => [...document.querySelectorAll('textarea')].every((area) => area.value === ''));
    }
  });
}

async function settle(browser: Browser): Promise<Result> {
  const hands = await staff(browser, 'kefu1');
  const { page } = hands;
  return await measured('settle a dispute', hands, '/backstage/disputes?status=evidence', async () => {
    await hands.click(page.getByRole('row', { name: /待裁决/ }).getByRole('link', { name: /^D/ }));
    await hands.type(page.getByLabel('退回的商品价（元）'), '3');
    await hands.click(page.getByRole('checkbox', { name: /^4.1/ }));
    await hands.type(page.getByLabel('裁决理由'), '双方陈述与记录一致，少交付的部分按价格退回');
    await hands.click(page.getByRole('button', { name: '作出裁决' }));
    const factor = page.getByRole('dialog', { name: '再次验证身份' });
    const done = page.getByRole('heading', { level: 1, name: /已裁决|待复核/ });
    await factor.or(done).first().waitFor();
    if (await factor.isVisible()) {
      await hands.type(factor.getByLabel('动态码'), await codeOf(page.context(), 'kefu1'));
      await hands.click(factor.getByRole('button', { name: '验证并继续' }));
    }
    await done.waitFor();
  });
}

/** Differences of the channels, the books, the distributors' days, and the month's transfers as a file. */
async function closeMonth(browser: Browser): Promise<Result> {
  const hands = await staff(browser, 'caiwu');
  const { page } = hands;
  const rail = page.getByRole('navigation', { name: '后台导航' });
  // A page stays on the screen until the next one is read: a separate button by the wanted name would be clicked in its place.
  const opened = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  return await measured('close the month', hands, '/backstage/reconcile', async () => {
    await hands.click(rail.getByRole('link', { name: /^账目/ }));
    await opened('账目');
    await hands.click(page.getByRole('button', { name: '全面核对' }));
    // The page says that the accounts sum up to zero before the check, and no longer after it.
    await page.getByText('全部规则通过').waitFor();
    await hands.click(rail.getByRole('link', { name: /^佣金结算/ }));
    await opened('佣金结算');
    await hands.click(page.getByRole('link', { name: '日结单' }));
    await opened('佣金日结单');
    await hands.click(rail.getByRole('link', { name: /^资金流水/ }));
    await opened('资金流水');
    await hands.click(page.getByRole('button', { name: /加筛选/ }));
    // In the panel that the click opened: the head of the column, which is there before it, is a button of the same name.
    await hands.click(page.locator('.menu-item').filter({ hasText: /^时间/ }));
    await hands.click(page.getByRole('button', { name: /本月/ }));
    await page.waitForURL(/backstage\/transfers\?/);
    await hands.click(page.getByRole('button', { name: '导出' }));
    await Promise.all([page.waitForEvent('download'), hands.click(page.getByText('XLSX'))]);
  });
}

const TASKS: Readonly<Record<string, (browser: Browser) => Promise<Result | Result[]>>> = {
  find,
  publish,
  buy,
  review,
  answer,
  settle,
  close: closeMonth,
};

const browser = await chromium.launch({
  executablePath: process.env.BROWSER_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
try {
  console.log('| task | clicks | keys | page loads | seconds |\n| --- | ---: | ---: | ---: | ---: |');
  for (const [name, task] of Object.entries(TASKS)) {
    if (process.env.TASK !== undefined && process.env.TASK !== name) continue;
    for (const row of [await task(browser)].flat())
      console.log(`| ${row.task} | ${row.clicks} | ${row.keys} | ${row.loads} | ${row.seconds} |`);
  }
} finally {
  await browser.close();
}
