/** The people of the rehearsal: each in a separate browser, from a separate network; staff with an authenticator. */
import { type Browser, type BrowserContext, devices, expect, type Page } from '@playwright/test';
import { nextTotp } from '#server/kernel/secrets/totp.ts';
import { type Person, watchConsole } from '#tests/e2e/support/people.ts';
import { BACK_OFFICE } from './hosts.ts';

/** A code of a second factor counts for half a minute and once. */
const STEP_MS = 30_000;

export const STAFF_PASSWORD = 'Kaishi-2026-Shiji';

/** An authenticator: gives each code once, and waits for the next when it has to. */
export class Authenticator {
  readonly #secret: string;
  #lastStep = 0;

  constructor(secret: string) {
    this.#secret = secret;
  }

  async code(page: Page): Promise<string> {
    const { code, waitSeconds } = nextTotp(this.#secret, this.#lastStep, Date.now());
    this.#lastStep = Math.max(Math.floor(Date.now() / STEP_MS), this.#lastStep + 1);
    await page.waitForTimeout(waitSeconds * 1000);
    return code;
  }
}

export interface Colleague extends Person {
  login: string;
  factor: Authenticator;
}

/** The screens that the rehearsal looks at. */
export const SCREENS = {
  desktop: { viewport: { width: 1440, height: 900 } },
  tablet: { viewport: { width: 820, height: 1180 } },
  phone: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } },
} as const;

export class Cast {
  readonly #browser: Browser;
  readonly #defects: string[] = [];
  readonly #contexts: BrowserContext[] = [];
  /**
   * Decisions ask for the second factor first, and the page sends them again. Somebody who leaves while the figures of
   * the first page are still on their way gets no answer to them.
   */
  readonly #refusals: RegExp[] = [/status of 403.*\/api\/backstage\//, /status of 401.*\/api\/backstage\/board\//];
  /** Members of staff by their log-in. */
  readonly staff = new Map<string, Colleague>();
  /** Users of the market by their part. */
  readonly people = new Map<string, Person>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Somebody new before a browser, at home on `host`. `node` is the process of the market that the proxy leads to. */
  async enter(
    name: string,
    host: string,
    { screen = 'desktop', node = 0 }: { screen?: keyof typeof SCREENS; node?: number } = {},
  ): Promise<Person> {
    const number = this.#contexts.length + 10;
    const context = await this.#browser.newContext({
      ...SCREENS[screen],
      baseURL: `https://${host}`,
      ignoreHTTPSErrors: true,
      locale: 'zh-CN',
      timezoneId: 'Asia/Shanghai',
      extraHTTPHeaders: { 'x-rehearse-from': `203.0.113.${number}`, 'x-rehearse-node': String(node) },
    });
    this.#contexts.push(context);
    context.on('page', (page) => watchConsole(page, name, this.#defects));
    return { name, context, page: await context.newPage() };
  }

  /** A user of the market, remembered by the part they play. */
  async user(part: string, host: string, screen: keyof typeof SCREENS = 'desktop'): Promise<Person> {
    const person = this.people.get(part) ?? (await this.enter(part, host, { screen }));
    this.people.set(part, person);
    return person;
  }

  /** A colleague who is at work already. */
  colleague(login: string): Colleague {
    const found = this.staff.get(login);
    if (!found) throw new Error(`nobody is called ${login}`);
    return found;
  }

  /** A new colleague with the authenticator that was bound; from now on at work. */
  hire(login: string, person: Person, factor: Authenticator): Colleague {
    const colleague = { ...person, login, factor };
    this.staff.set(login, colleague);
    return colleague;
  }

  /** An error that an act provokes on purpose: its lines in the console are no defect. */
  expects(refusal: RegExp): void {
    this.#refusals.push(refusal);
  }

  /** Closes all browsers, so that no page sends requests afterwards. */
  async leave(): Promise<void> {
    for (const context of this.#contexts) await context.close();
  }

  /** Fails when anybody's console held a defect; closes all browsers. */
  async end(): Promise<void> {
    await this.leave();
    const defects = this.#defects.filter((text) => this.#refusals.every((refusal) => !refusal.test(text)));
    expect(defects, 'console').toEqual([]);
  }
}

/** A browser before the back office, for staff who have not logged in yet. */
export const newStaffBrowser = async (cast: Cast, name: string): Promise<Person> => await cast.enter(name, BACK_OFFICE);
