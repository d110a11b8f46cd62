/** People of a journey: each in a separate browser context, each watched for what must never appear in a console. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test as base, type Browser, type BrowserContext, expect, type Page } from '@playwright/test';

const port = process.env.E2E_PORT ?? '';
const dataDir = process.env.E2E_DATA_DIR ?? '';
/** The password of every demo login and of those who register here. */
export const PASSWORD = 'youshi2026';
/** The pay password of every demo login that has one. */
export const PAY_PASSWORD = '835274';
export const MARKET = `http://localhost:${port}`;
export const BACK_OFFICE = `http://backstage.localhost:${port}`;

export interface Person {
  name: string;
  page: Page;
  context: BrowserContext;
}

/** Chromium 109 reports every `popover` attribute, which it knows as an experiment; web/older/older.js brings what it means. */
const NO_POPOVER = "Found a 'popover' attribute";
/** React Router's message when the browser cancels its request for routes because the page is being left. Error responses have another message. */
const LEFT = 'Failed to fetch manifest patches TypeError: Failed to fetch';

/** Console messages that count as defects: errors, and React's message that server and browser disagree. */
export function isDefect(type: string, text: string): boolean {
  if (text.startsWith(NO_POPOVER) || text.startsWith(LEFT)) return false;
  return type === 'error' || (type === 'warning' && /hydrat|did not match|Warning:/i.test(text));
}

/** A write that needs the second factor or the real name first: the page asks for it and sends again, and the journey waits for what comes of it. */
const ASKED_FIRST =
  /status of 403.*\/api\/(goods\/bargaining|backstage\/((dispute|claim)\/(rule|act|second)|ledger\/releaseHold|withdraw\/approve))$/;

/** Collects what a page's console says against it. */
export function watchConsole(page: Page, name: string, defects: string[]): void {
  page.on('console', (message) => {
    if (!isDefect(message.type(), message.text())) return;
    const text = `${message.text()} ${message.location().url}`;
    if (!ASKED_FIRST.test(text)) defects.push(`${name} at ${page.url()}: ${text}`);
  });
  page.on('pageerror', (error) => defects.push(`${name} at ${page.url()}: ${error.message}`));
}

/**
 * Makes `goto` and `reload` wait until the page is hydrated, unless they are told to wait for less (`commit`, `domcontentloaded`). Before that a
 * link leaves the page, a choice is taken back for a moment until it is replayed, and the effect of a click is late: `pre-hydration.spec.ts`
 * is about that moment, the other journeys are about the page in use.
 */
function opensHydrated(page: Page): void {
  type Options = Parameters<Page['goto']>[1];
  const isEarly = (options: Options) => /^(commit|domcontentloaded)$/.test(options?.waitUntil ?? '');
  const settled = async <T>(opened: Promise<T>, options: Options): Promise<T> => {
    const response = await opened;
    if (isEarly(options)) return response;
    const hasScripts = await page.evaluate(() => 'early' in window).catch(() => true);
    if (hasScripts) await hydrated(page);
    return response;
  };
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = (url, options) => settled(goto(url, options), options);
  page.reload = (options) => settled(reload(options), options);
}

export class People {
  readonly #browser: Browser;
  readonly #defects: string[] = [];
  readonly #contexts: BrowserContext[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  async #enter(name: string, options: Parameters<Browser['newContext']>[0]): Promise<Person> {
    const context = await this.#browser.newContext(options);
    this.#contexts.push(context);
    context.on('page', (page) => {
      watchConsole(page, name, this.#defects);
      opensHydrated(page);
    });
    return { name, context, page: await context.newPage() };
  }

  /** A visitor of the market in the project's own screen. */
  async visitor(name: string): Promise<Person> {
    return await this.#enter(name, { baseURL: MARKET });
  }

  /**
   * A member of staff: the back office is always opened at desktop width, whatever the width of the market. `storageState` brings a
   * session along.
   */
  async staff(name: string, storageState?: string): Promise<Person> {
    return await this.#enter(name, {
      baseURL: BACK_OFFICE,
      ...(storageState && { storageState }),
      viewport: { width: 1440, height: 900 },
      isMobile: false,
      hasTouch: false,
    });
  }

  /** Fails when anybody's console held a defect; closes all contexts. */
  async end(): Promise<void> {
    for (const context of this.#contexts) await context.close();
    expect(this.#defects, 'console').toEqual([]);
  }
}

export const test = base.extend<{ people: People }>({
  page: async ({ page }, provide) => {
    opensHydrated(page);
    await provide(page);
  },
  people: async ({ browser }, provide) => {
    const people = new People(browser);
    await provide(people);
    await people.end();
  },
});

/** The codes that were sent to a phone, oldest first, as the local SMS adapter's outbox has them. */
async function codesOf(phone: string): Promise<string[]> {
  const text = await readFile(join(dataDir, 'sms.jsonl'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { phone: string; code?: string })
    .flatMap((sms) => (sms.phone === phone && sms.code ? [sms.code] : []));
}

/** When a code was last sent to a phone by the rehearsal's vendor. */
const sentAt = new Map<string, number>();
/** The vendor of the rehearsal, as a real one, sends a number one code per minute, whatever it is for. */
const VENDOR_EVERY_MS = 61_000;

/**
 * Clicks the page's button that requests a code, and answers the code that was then sent to the phone. The market sends a number one code per
 * minute and purpose: a journey that needs a second one uses another phone.
 */
export async function requestCode(page: Page, phone: string): Promise<string> {
  const before = (await codesOf(phone)).length;
  if (process.env.REHEARSE_PORTS)
    await page.waitForTimeout(Math.max(0, (sentAt.get(phone) ?? 0) + VENDOR_EVERY_MS - Date.now()));
  await page.getByRole('button', { name: '获取验证码' }).click();
  await expect.poll(async () => (await codesOf(phone)).length).toBeGreaterThan(before);
  sentAt.set(phone, Date.now());
  return (await codesOf(phone)).at(-1) ?? '';
}

/** The visible button or link of that name: narrow pages contain a second one in a separate bar. */
export function actionButton(page: Page, name: string | RegExp) {
  return page
    .getByRole('button', { name, exact: true })
    .or(page.getByRole('link', { name, exact: true }))
    .locator('visible=true')
    .first();
}

/**
 * Waits until the scripts have taken the page over (web/lib/loading/pre-hydration.ts). It asks by a clock: frames, by which `waitForFunction` asks, may
 * stop on a large surface. A failure says what the page had received.
 */
export async function hydrated(page: Page): Promise<void> {
  const state = () =>
    page
      .evaluate(() => {
        if (window.early?.done) return 'hydrated';
        const files = performance.getEntriesByType('resource').map(({ name }) => name.replace(/.*\//, ''));
        return `${document.readyState}, ${document.visibilityState}, received: ${files.join(' ')}`;
      })
      // A page that is just left cannot answer.
      .catch((error: unknown) => String(error));
  // Most pages are taken over within a second: the usual intervals, which grow to a second, would wait as long again.
  await expect.poll(state, { timeout: 60_000, intervals: [50, 50, 100, 100, 200] }).toBe('hydrated');
}
