/** The browser of a project, started once, with the steps that tests take in it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test as base } from '@playwright/test';
import { isDefect, MARKET, PASSWORD } from '#tests/e2e/support/people.ts';
import type { Engine } from './engine.ts';
import { openFirefox } from './firefox.ts';
import { openWebKit, type WebKitPrograms } from './webkit.ts';

/** React Router's message about a request that Firefox ends because the page is being left. */
const LEFT = 'Failed to fetch manifest patches';

/** Where to click, or why there is nothing to click. */
type Place = { x: number; y: number; lack?: undefined } | { lack: string };

/** Runs in the page: scrolls to the first visible element of the selector with that text, and returns its middle. */
function placeOf(selector: string, text: string, isExact: boolean): Place {
  const nameOf = (e: Element) => (e.getAttribute('aria-label') ?? e.textContent ?? '').trim();
  const isNamed = (e: Element) => (isExact ? nameOf(e) === text : nameOf(e).includes(text));
  const isDisabled = (e: Element) => e.matches(':disabled, [aria-disabled="true"]');
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document;
  const found = [...modal.querySelectorAll<HTMLElement>(selector)].filter(isNamed);
  // A link around a whole card has a box; one that is laid over it by a pseudo-element has its text's.
  const visible = found.find((e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility === 'visible');
  if (visible === undefined) return { lack: `${found.length} found, none visible` };
  if (isDisabled(visible)) return { lack: 'it is disabled' };
  visible.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = visible.getBoundingClientRect();
  const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
  const over = document.elementFromPoint(x, y);
  const isOwn =
    over !== null && (visible.contains(over) || over.contains(visible) || over.closest('label')?.contains(visible));
  return isOwn ? { x, y } : { lack: `covered by ${over?.outerHTML.slice(0, 120)}` };
}

const keys = (text: string) =>
  [...text].flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]);

/** Selects all of a field, by the code points that WebDriver gives the keys. */
const SELECT_ALL = [{ type: 'keyDown', value: '\ue009' }, ...keys('a'), { type: 'keyUp', value: '\ue009' }];

/** A person at the browser. */
export class Visitor {
  readonly engine: Engine;
  readonly name: string;
  #pictures = 0;

  constructor(engine: Engine, name: string) {
    this.engine = engine;
    this.name = name;
  }

  /** Opens an address of the market; the scripts have taken the page over when it returns. */
  async open(path: string): Promise<void> {
    await this.engine.open(new URL(path, MARKET).href);
    await expect
      .poll(async () => await this.engine.ask(() => window.early?.done === true).catch(String), { timeout: 60_000 })
      .toBe(true);
  }

  async click(selector: string, text = '', { isExact = false } = {}): Promise<void> {
    let place: Place = { lack: 'not asked' };
    // A page that is just left cannot answer, and one that still moves would take the click elsewhere.
    const find = async () => {
      const before = JSON.stringify(place);
      place = await this.engine
        .ask(placeOf, selector, text, isExact)
        .catch((error: unknown) => ({ lack: String(error) }));
      return JSON.stringify(place) === before ? place.lack : 'it moves';
    };
    await expect.poll(find, { message: `${selector} ${text}`, timeout: 60_000 }).toBeUndefined();
    if (place.lack !== undefined) return;
    const { x, y } = place;
    await this.engine.perform([
      {
        type: 'pointer',
        id: 'mouse',
        actions: [
          { type: 'pointerMove', x, y, origin: 'viewport' },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ]);
  }

  /** Types into a field in place of what it holds. */
  async type(selector: string, text: string): Promise<void> {
    await this.click(selector);
    await this.engine.perform([{ type: 'key', id: 'keys', actions: [...SELECT_ALL, ...keys(text)] }]);
    const value = async () =>
      await this.engine.ask((field) => document.querySelector<HTMLInputElement>(field)?.value, selector);
    await expect.poll(value, { message: selector }).toBe(text);
  }

  /** Waits until the page's address matches. */
  async arrives(path: RegExp): Promise<void> {
    const address = async () => await this.engine.ask(() => location.pathname + location.search).catch(String);
    await expect.poll(address, { timeout: 60_000 }).toMatch(path);
  }

  /** Waits until that text is on the page. */
  async sees(text: string, selector = 'body'): Promise<void> {
    const texts = async () =>
      await this.engine
        .ask(
          (wanted) => [...document.querySelectorAll<HTMLElement>(wanted)].map((e) => e.innerText).join('\n'),
          selector,
        )
        .catch(String);
    await expect.poll(texts, { message: `${selector}: ${text}`, timeout: 60_000 }).toContain(text);
  }

  /** With `E2E_SHOTS=folder` a picture of the screen, so that it can be looked at. */
  async shoot(what: string): Promise<void> {
    const folder = process.env.E2E_SHOTS;
    if (!folder) return;
    this.#pictures += 1;
    const file = `${this.name}-${String(this.#pictures).padStart(2, '0')}-${what.replaceAll(/[^\w-]+/g, '_')}.png`;
    writeFileSync(join(folder, file), Buffer.from(await this.engine.picture(), 'base64'));
  }

  /** Returns the console messages that are defects. */
  async defects(): Promise<string[]> {
    return (await this.engine.complaints()).filter((text) => isDefect('error', text) && !text.startsWith(LEFT));
  }
}

const BUYER = '13800000001';

/** Logs the demo buyer in at the page, unless an earlier test has. */
export async function logIn(visitor: Visitor): Promise<void> {
  await visitor.open('/login');
  if (await visitor.engine.ask(() => location.pathname !== '/login')) return;
  await visitor.click('[role=tab]', '密码登录');
  await visitor.type('input[type=tel]', BUYER);
  await visitor.type('input[type=password]', PASSWORD);
  await visitor.click('button', '登录', { isExact: true });
  await visitor.arrives(/^\/(?!login)/);
  expect(await visitor.defects()).toEqual([]);
}

/** Programs found by scripts/lib/browsers/engines.mjs. */
interface Programs {
  firefox?: string;
  webkit?: Omit<WebKitPrograms, 'port'>;
  /** Where WebKit's driver listens. */
  port: number;
}

/** The browser of a project, started. */
async function engineOf(name: string): Promise<Engine> {
  const { firefox, webkit, port } = JSON.parse(process.env.ENGINE_PROGRAMS ?? '{}') as Programs;
  if (name === 'firefox' && firefox) return await openFirefox(firefox);
  if (name === 'webkit' && webkit) return await openWebKit({ ...webkit, port });
  throw new Error(`ENGINE_PROGRAMS names no program for ${name}`);
}

/** The project's browser, shared by its tests: the log-in of one is that of those after it. */
export const test = base.extend<object, { visitor: Visitor }>({
  visitor: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
    async ({}, provide, { project: { name } }) => {
      const engine = await engineOf(name);
      await provide(new Visitor(engine, name));
      await engine.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});
