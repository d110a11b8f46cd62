/**
 * Interaction to Next Paint of the clicks that users make most, on a phone's screen with a processor four times slower, and what each click
 * moved. `npm run bench -- inp` prints the table for bench/results.md; a demo market must be running. MARKET names the market
 * (http://localhost:3000), RUNS the times that each click is made (3), ACTION some of the actions, with commas. COST=1 measures only the
 * processor time of the page's main thread, which depends less on other work on the machine: times four it is an estimate of the main thread's
 * part of INP on such a phone.
 */
import { loadavg } from 'node:os';
import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Locator,
  type Page,
} from '@playwright/test';
import { logIn } from '../lib/log-in.ts';
import { median } from '../lib/stats.ts';

const MARKET = process.env.MARKET ?? 'http://localhost:3000';
const RUNS = Number(process.env.RUNS ?? 3);
const BROWSER = process.env.BROWSER_PATH ?? '/usr/bin/chromium';
const WANTED = process.env.ACTION?.split(',');
const BUYER = '13800000001';
const IS_COST = process.env.COST === '1';
const SLOWDOWN = 4;
const LIMIT_MS = 60_000;
/** How long is waited for what a click brings: longer than any interaction that is still good. */
const AFTER_MS = 1500;

interface Action {
  name: string;
  path: string;
  target: (page: Page) => Locator;
  /** Typed into the target in place of a click. */
  text?: string;
}

/** Measurements of one action in the page. */
interface Seen {
  /** The longest interaction, in milliseconds; 0 when none took as long as a frame. */
  longest: number;
  /** From the click to the first change of the document; null when nothing changed. */
  changed: number | null;
  shift: number;
  /** Processor time of the main thread for all that the click brought, times the slowdown, in milliseconds. */
  cost: number;
}

const button =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole('button', { name }).locator('visible=true').first();
const link =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole('link', { name }).locator('visible=true').first();
const field =
  (label: string | RegExp) =>
  (page: Page): Locator =>
    page.getByLabel(label).locator('visible=true').first();
const bar =
  (name: string) =>
  (page: Page): Locator =>
    page.locator('nav').last().getByRole('link', { name });

const LIST = '/wares?gt=1&gid=2';
const GOODS = '/detail/{goods}';

const ACTIONS: readonly Action[] = [
  {
    name: '首页：搜索',
    path: '/',
    target: (page) => page.getByText('搜游戏、关键词、商品编号').locator('visible=true').first(),
  },
  { name: '首页：进游戏', path: '/', target: link(/^王者荣耀/) },
  { name: '首页：底部“我的”', path: '/', target: bar('我的') },
  { name: '列表：价格升序', path: LIST, target: link(/价格升序/) },
  { name: '列表：筛选', path: LIST, target: button(/^筛选/) },
  {
    name: '列表：已验号',
    path: LIST,
    target: (page) => page.getByText('已验号', { exact: true }).locator('visible=true').first(),
  },
  { name: '列表：排序说明', path: LIST, target: button('排序说明') },
  { name: '列表：打开商品', path: LIST, target: (page) => page.locator('.goods-row a.stretched').first() },
  { name: '商品：收藏', path: GOODS, target: button(/^(收藏|已收藏|取消收藏)/) },
  { name: '商品：包赔', path: GOODS, target: (page) => page.getByText('人脸包赔').locator('visible=true').first() },
  { name: '商品：问卖家', path: GOODS, target: button('问卖家') },
  { name: '商品：看大图', path: GOODS, target: button(/图/) },
  {
    name: '商品：立即购买',
    path: GOODS,
    target: (page) => button('立即购买')(page).or(link('立即购买')(page)).first(),
  },
  {
    name: '下单：包赔',
    path: '/wares/{goods}/order',
    target: (page) => page.getByText('人脸包赔').locator('visible=true').first(),
  },
  { name: '订单列表：状态', path: '/center/buyGoodsOrder', target: link(/^待付款/) },
  { name: '求购：打字', path: '/center/buyBlackList?new=1', target: field('一句话说明'), text: '求无双' },
  {
    name: '聊天：打字',
    path: '/chatSystem?status=1&returnType=0&orderSn={order}',
    target: (page) => page.getByRole('textbox').locator('visible=true').first(),
    text: '您好',
  },
  { name: '代练：发单出价', path: '/center/boosting/requests?new=1', target: field('出价（元）'), text: '128' },
  {
    name: '陪玩：进一位',
    path: '/wares?gt=61',
    target: (page) => page.locator('main a[href^="/detail/"]').locator('visible=true').first(),
  },
  { name: '登录：验证码', path: '/login', target: (page) => page.getByRole('tab', { name: '验证码登录' }) },
  { name: '消息：全部功能', path: '/center', target: link(/全部功能/) },
];

/** Watches interactions, changes and shifts from the page's first moment on. */
async function watch(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const seen: Seen & { pressedAt: number } = {
      longest: 0,
      changed: null,
      shift: 0,
      cost: 0,
      pressedAt: Number.POSITIVE_INFINITY,
    };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEventTiming & { interactionId?: number })[])
        if ((entry.interactionId ?? 0) > 0 && entry.startTime >= seen.pressedAt)
          seen.longest = Math.max(seen.longest, entry.duration);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput && entry.startTime >= seen.pressedAt) seen.shift += entry.value;
    }).observe({ type: 'layout-shift' });
    const press = (event: Event) => {
      if (seen.pressedAt === Number.POSITIVE_INFINITY) seen.pressedAt = event.timeStamp;
    };
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, press, { capture: true });
    new MutationObserver(() => {
      if (seen.changed === null && seen.pressedAt <= performance.now())
        seen.changed = performance.now() - seen.pressedAt;
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
}

/** The numbers of the demo market that the addresses name. */
async function samplesOf(context: BrowserContext): Promise<Readonly<Record<string, string>>> {
  const token = decodeURIComponent((await context.cookies(MARKET)).find(({ name }) => name === 'token')?.value ?? '');
  const data = async <T>(path: string): Promise<T> => {
    const response = await context.request.get(`${MARKET}${path}`, { headers: { authorization: token } });
    const answer = (await response.json()) as { code: number; msg: string; data: T };
    if (answer.code !== 0) throw new Error(`${path}: ${answer.msg}`);
    return answer.data;
  };
  const { list } = await data<{ list: { goodsSn: string }[] }>(
    '/api/goods/getGoodsList?goodsTypeId=1&gameId=2&pageSize=1',
  );
  const { orderList } = await data<{ orderList: { orderSn: string }[] }>(
    '/api/order/queryOrderList?belong=0&status=1&pageSize=1',
  );
  return { goods: list[0]?.goodsSn ?? '', order: orderList[0]?.orderSn ?? '' };
}

async function phone(browser: Browser, isSignedIn: boolean): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: MARKET,
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 2,
    locale: 'zh-CN',
  });
  if (isSignedIn) {
    await logIn(context, MARKET, BUYER);
  }
  await watch(context);
  return context;
}

/** Makes the click, and waits for what it brings. */
async function press(page: Page, element: Locator, text: string | undefined): Promise<void> {
  if (text === undefined) await element.tap();
  else {
    await element.focus();
    await page.keyboard.type(text, { delay: 60 });
  }
  await page.waitForTimeout(AFTER_MS);
}

/** Processor time of the page's main thread so far, in milliseconds. */
async function threadTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

/** One action on a freshly opened page. */
async function runAction(context: BrowserContext, { target, text }: Action, address: string): Promise<Seen> {
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  try {
    await page.goto(address);
    await page.waitForFunction(() => window.early?.done, null, { polling: 100 });
    await page.waitForTimeout(AFTER_MS);
    const element = target(page);
    await element.scrollIntoViewIfNeeded();
    const session = await context.newCDPSession(page);
    if (IS_COST) await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    else await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    const before = IS_COST ? await threadTime(session) : 0;
    await press(page, element, text);
    const cost = IS_COST ? ((await threadTime(session)) - before) * SLOWDOWN : 0;
    return await page.evaluate((cost) => {
      const { longest, changed, shift } = (window as unknown as { seen: Seen }).seen;
      return { longest, changed, shift, cost };
    }, cost);
  } finally {
    await page.close();
  }
}

const ms = (value: number | null): string => (value === null ? '–' : String(Math.round(value)));

const browser = await chromium.launch({ executablePath: BROWSER });
const [buyer, visitor] = [await phone(browser, true), await phone(browser, false)];
const samples = await samplesOf(buyer);
console.log(`Load at the start ${loadavg()[0]?.toFixed(1)}, medians of ${RUNS}, processor ${SLOWDOWN} times slower.\n`);
console.log(
  `| press | ${IS_COST ? 'processor time' : 'INP'}, ms | first change, ms | shift |\n| --- | --- | --- | --- |`,
);
for (const action of ACTIONS) {
  if (WANTED && !WANTED.some((part) => action.name.includes(part))) continue;
  const address = action.path.replace(/\{(\w+)\}/g, (_, name: string) => samples[name] ?? '');
  const seen: Seen[] = [];
  try {
    for (let run = 0; run < RUNS; run++)
      seen.push(await runAction(action.path === '/login' ? visitor : buyer, action, address));
    const changes = seen.flatMap(({ changed }) => (changed === null ? [] : [changed]));
    const shift = Math.max(...seen.map((one) => one.shift));
    console.log(
      `| ${action.name} | ${ms(median(seen.map(({ longest, cost }) => (IS_COST ? cost : longest))))} | ${ms(changes.length === 0 ? null : median(changes))} | ${shift.toFixed(3)} |`,
    );
  } catch (error) {
    console.log(`| ${action.name} | not measured: ${String(error).split('\n')[0]} | | |`);
  }
}
await browser.close();
console.log(`\nLoad at the end ${loadavg()[0]?.toFixed(1)}.`);
