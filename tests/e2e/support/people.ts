/** People of a journey: each in a browser context of their own, each watched for what must never appear in a console. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test as base, type Browser, type BrowserContext, expect, type Page } from '@playwright/test';

const port = process.env.E2E_PORT ?? '';
const dataDir = process.env.E2E_DATA_DIR ?? '';
/** The password of every demo login and of those who register here. */
export const PASSWORD = 'youshi2026';
/** The pay password of every demo login that has one. */
export const PAY_PASSWORD = '246810';
export const MARKET = `http://localhost:${port}`;
export const BACK_OFFICE = `http://backstage.localhost:${port}`;

export interface Person {
  name: string;
  page: Page;
  context: BrowserContext;
}

/** Console messages that count as defects: errors, and React's word that server and browser disagree. */
function isDefect(type: string, text: string): boolean {
  return type === 'error' || (type === 'warning' && /hydrat|did not match|Warning:/i.test(text));
}

/** A decision that asks for the second factor first: the page gives it and sends again, and the journey waits for what comes of it. */
const FACTOR_ASKED =
  /status of 403.*\/api\/backstage\/((dispute|claim)\/(rule|act|second)|ledger\/releaseHold|withdraw\/approve)$/;

/** Collects what a page's console says against it. */
export function watchConsole(page: Page, name: string, defects: string[]): void {
  page.on('console', (message) => {
    if (!isDefect(message.type(), message.text())) return;
    const text = `${message.text()} ${message.location().url}`;
    if (!FACTOR_ASKED.test(text)) defects.push(`${name} at ${page.url()}: ${text}`);
  });
  page.on('pageerror', (error) => defects.push(`${name} at ${page.url()}: ${error.message}`));
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
    context.on('page', (page) => watchConsole(page, name, this.#defects));
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

/** When a code was last asked for, by phone and page. */
const requestedAt = new Map<string, number>();
/** A number is sent one code per minute and purpose; a test that needs another waits as a user would. */
const CODE_EVERY_MS = 61_000;

/** Presses the page's button that asks for a code, and answers the code that was then sent to the phone. */
export async function requestCode(page: Page, phone: string): Promise<string> {
  const before = (await codesOf(phone)).length;
  // A real vendor counts every code to a number, whatever it is for.
  const purpose = process.env.REHEARSE_PORTS ? phone : `${phone} ${new URL(page.url()).pathname}`;
  await page.waitForTimeout(Math.max(0, (requestedAt.get(purpose) ?? 0) + CODE_EVERY_MS - Date.now()));
  await page.getByRole('button', { name: '获取验证码' }).click();
  await expect.poll(async () => (await codesOf(phone)).length).toBeGreaterThan(before);
  requestedAt.set(purpose, Date.now());
  return (await codesOf(phone)).at(-1) ?? '';
}

/** The button or link of that name which is on the screen: narrow pages keep a second one in a bar of their own. */
export function actionButton(page: Page, name: string | RegExp) {
  return page
    .getByRole('button', { name, exact: true })
    .or(page.getByRole('link', { name, exact: true }))
    .locator('visible=true')
    .first();
}

/** Waits until the scripts have taken the page over (web/lib/pre-hydration.ts). */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => window.early?.done);
}
