/** A trial market as `npm start` opens it, its people, and the codes that only administrators see. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, expect, type Page, test as base } from '@playwright/test';
import { BACK_OFFICE, MARKET, type Person, watchConsole } from '#tests/e2e/support/people.ts';
import { Authenticator, type Colleague, STAFF_PASSWORD } from '#tests/rehearse/cast.ts';
import { type Ended, Node, runCommand, type Settings } from '#tests/rehearse/ground/market.ts';

const ROOM = process.env.E2E_DATA_DIR ?? '';
const PORT = Number(process.env.E2E_PORT);

const SETTINGS: Settings = {
  TRIAL: '1',
  SECRET: 'the secret of a trial, kept nowhere else',
  SITE_URL: MARKET,
  BACKSTAGE_HOST: new URL(BACK_OFFICE).hostname,
  STAFF_PASSKEYS: '0',
  DATA_DIR: join(ROOM, 'data'),
};

/** A write of staff is refused until the second factor is given, and the page sends it again. */
const ASKED_FIRST = /status of 403.*\/api\/backstage\//;

export class Trial {
  readonly node = new Node(PORT, join(ROOM, 'market.log'), SETTINGS);
  readonly staff = new Map<string, Colleague>();
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  readonly #defects: string[] = [];
  readonly #copied = new Set<string>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Somebody new before a browser. */
  async enter(name: string, baseURL: string, width = 1440): Promise<Person> {
    const context = await this.#browser.newContext({
      baseURL,
      viewport: { width, height: 900 },
      locale: 'zh-CN',
      timezoneId: 'Asia/Shanghai',
    });
    this.#contexts.push(context);
    context.on('page', (page) => watchConsole(page, name, this.#defects));
    return { name, context, page: await context.newPage() };
  }

  /** Sets a password and binds an authenticator at a one-time address; resolves when `done` has been clicked. */
  async join(login: string, person: Person, done: string): Promise<Colleague> {
    const { page } = person;
    await page.getByLabel('新密码', { exact: true }).fill(STAFF_PASSWORD);
    await page.getByLabel('再输一次新密码').fill(STAFF_PASSWORD);
    const secret = await page.getByRole('button', { name: /^复制密钥/ }).innerText();
    const factor = new Authenticator(secret.trim());
    await page.getByLabel('动态码').fill(await factor.code(page));
    await page.getByRole('button', { name: done }).click();
    const colleague = { ...person, login, factor };
    this.staff.set(login, colleague);
    return colleague;
  }

  /** A colleague who has joined. */
  colleague(login: string): Colleague {
    const found = this.staff.get(login);
    if (!found) throw new Error(`nobody is called ${login}`);
    return found;
  }

  /**
   * Runs steps that ask for codes of an SMS: these are shown only on the administrator's page and are copied from there to the file in which the
   * steps look for them.
   */
  async withCodes(work: () => Promise<void>): Promise<void> {
    const page = await this.colleague('zhangsan').context.newPage();
    let isOver = false;
    const copy = async () => {
      while (!isOver) {
        await page.goto('/backstage/trial');
        for (const row of await page.getByRole('main').getByRole('listitem').or(page.getByRole('row')).allInnerTexts())
          this.#copyCode(row);
      }
    };
    const copying = copy();
    await work().finally(() => (isOver = true));
    await copying;
    await page.close();
  }

  #copyCode(row: string): void {
    const phone = /1[3-9]\d{9}/.exec(row)?.[0];
    const code = /(?<!\d)\d{6}(?!\d)/.exec(row.replace(phone ?? '', ''))?.[0];
    if (!phone || !code || this.#copied.has(`${phone} ${code}`)) return;
    this.#copied.add(`${phone} ${code}`);
    appendFileSync(join(ROOM, 'sms.jsonl'), `${JSON.stringify({ phone, code })}\n`);
  }

  /** Clears the trial as its operator does. */
  async goLive(name: string): Promise<Ended> {
    return await runCommand(['npm', 'run', '--silent', 'go-live', '--', '--name', name], SETTINGS);
  }

  /** Closes all browsers, so that no page asks a market that is stopped. */
  async leave(): Promise<void> {
    for (const context of this.#contexts.splice(0)) await context.close();
  }

  async end(): Promise<void> {
    await this.leave();
    await this.node.stop();
    expect(
      this.#defects.filter((text) => !ASKED_FIRST.test(text)),
      'console',
    ).toEqual([]);
  }
}

/** Clicks a button of a row, gives the reason where one is asked for, and confirms. */
export async function decide(page: Page, row: RegExp, button: string, reason?: string): Promise<void> {
  await page.getByRole('row', { name: row }).getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog');
  if (reason !== undefined) await dialog.getByRole('textbox').fill(reason);
  await dialog.getByRole('button', { name: button, exact: true }).click();
}

export const test = base.extend<object, { trial: Trial }>({
  trial: [
    async ({ browser }, provide) => {
      const trial = new Trial(browser);
      await provide(trial);
      await trial.end();
    },
    { scope: 'worker' },
  ],
});
