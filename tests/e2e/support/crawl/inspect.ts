/**
 * Opens an address and collects what is wrong there. The long lane opens it at both widths and looks at the market in both themes; the merge
 * lane at the width at which most people see it, and gives the window the other width afterwards, since what a page costs is its opening.
 */
import AxeBuilder from '@axe-core/playwright';
import { type BrowserContext, devices, expect, type Page } from '@playwright/test';
import { LANE } from '#tests/sizes.ts';
import { BACK_OFFICE, type Person, isDefect, MARKET } from '../people.ts';

const WIDTHS = [1440, 390] as const;
type Width = (typeof WIDTHS)[number];
const HEIGHTS: Readonly<Record<Width, number>> = { 1440: 900, 390: 844 };

/** Windows with the same session, by the width at which they open an address. */
type Windows = ReadonlyMap<Width, Page>;

/** Expectations of an address in addition to the checks of every page. */
export interface Expectation {
  status?: number;
  /** An element that the page must have. */
  shows?: { role: 'region' | 'heading'; name: string };
  /** Nothing moves while the page is scrolled to its foot. */
  isStill?: boolean;
  /** How much may move, as the browser sums it up. */
  maxShift?: number;
  /** How many times slower the processor is while the page loads. */
  slowdown?: number;
}

interface Shift {
  value: number;
  where: string;
}

/** Layout shifts that nobody caused, up to which a page is good for its users (web.dev/cls). */
const MAX_SHIFT = 0.1;
/** As Lighthouse tells it: two decimals. */
const NO_SHIFT = 0.005;
/** From this version on Chromium shows a page when all of it has arrived; before, the bar at the right edge grows while it arrives. */
const WHOLE_PAGES = 124;
const PAINTED_EARLY = 0.02;
/** More than the longest of the pages has. */
const MAX_SCREENS = 40;
const HTML_LENGTH = 160;
const SHOWS_LIMIT_MS = 60_000;

/** Collects what the browser reports as moved, from the page's first moment on. */
async function watchShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    // A new page may still begin with the width that the window had for the last look; what moves when it gets its own is no finding.
    const RESIZED_MS = 3000;
    let resizedAt = -RESIZED_MS;
    addEventListener('resize', () => {
      resizedAt = performance.now();
    });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Node | null }[];
      })[]) {
        if (entry.hadRecentInput || entry.startTime - resizedAt < RESIZED_MS) continue;
        const where = entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 80) : ''));
        shifts.push({ value: entry.value, where: where.join(' | ') });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The width at which most people see the pages of a host. */
const mainWidth = (baseURL: string): Width => (baseURL === BACK_OFFICE ? 1440 : 390);

/** The windows in which this lane opens addresses: the person's own, as wide as a computer's, and one as wide as a phone's. */
export async function windowsOf(
  { page, context }: Person,
  baseURL = MARKET,
): Promise<{ windows: Windows; close: () => Promise<void> }> {
  const browser = context.browser();
  if (!browser) throw new Error('the context has no browser');
  const opened = WIDTHS.filter((width) => LANE === 'long' || width === mainWidth(baseURL));
  const windows = new Map<Width, Page>();
  const narrow = opened.includes(390)
    ? await browser.newContext({
        ...devices['Pixel 7'],
        viewport: { width: 390, height: HEIGHTS[390] },
        baseURL,
        storageState: await context.storageState(),
      })
    : undefined;
  for (const one of [context, narrow]) if (one) await watchShifts(one);
  // Console messages are findings of the address that is open.
  page.removeAllListeners('console').removeAllListeners('pageerror');
  if (opened.includes(1440)) windows.set(1440, page);
  if (narrow) windows.set(390, await narrow.newPage());
  return { windows, close: async () => await narrow?.close() };
}

/** Waits until a page has its scripts and data and no running animation. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate(async () => {
    await document.fonts.ready;
    // One without an end, one that is paused or one that follows scrolling is part of the look; one that is cancelled has ended as well.
    const ending = document
      .getAnimations()
      .filter(
        ({ effect, playState, timeline }) =>
          playState === 'running' &&
          timeline === document.timeline &&
          effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
      );
    // By the clock as well: a window that is not painted never ends an animation.
    await Promise.race([
      Promise.allSettled(ending.map((one) => one.finished)),
      new Promise((end) => setTimeout(end, 5000)),
    ]);
  });
}

async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    // Runs in the page itself: axe's own method opens another page for each run, and all frames here are ours.
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    // It would read imported style sheets through its own style elements, which the page's policy refuses; no rule of these tags needs
    // them. Passed checks are not described: that takes a third of a run, and only violations are read.
    .options({ preload: false, resultTypes: ['violations'] })
    .analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, HTML_LENGTH)).join(' | ')}`);
}

/** The findings of the dark theme, which the page takes over from the system; what was found in the light one is told there. */
async function findingsInDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  try {
    // Colours that ease into the theme are judged at their end.
    await settle(page);
    return (await seriousFindings(page)).map((finding) => `dark: ${finding}`);
  } finally {
    await page.emulateMedia({ colorScheme: 'light' });
  }
}

/** Elements wider than the screen. A phone's window grows with overflowing content, so the screen's width is compared. */
async function overflowOf(page: Page, width: Width): Promise<string[]> {
  const wide = await page.evaluate((screen) => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const limit = Math.min(clientWidth, screen);
    if (scrollWidth <= limit) return undefined;
    const by = [...document.querySelectorAll('body *')]
      .filter((e) => e.getBoundingClientRect().right > limit + 1 && e.children.length === 0)
      .slice(0, 3)
      .map((e) => e.outerHTML.slice(0, 120));
    return `overflows: ${scrollWidth} > ${limit} by ${by.join(' | ')}`;
  }, width);
  return wide === undefined ? [] : [wide];
}

/** Scrolls to the foot by half screens, so that pictures that wait for their turn come in; a list that grows is left after so many. */
async function scrollThrough(page: Page): Promise<void> {
  const half = (page.viewportSize()?.height ?? 800) / 2;
  for (let i = 1; i <= MAX_SCREENS; i++) {
    const isFoot = await page.evaluate((y) => {
      window.scrollTo(0, y);
      return y + window.innerHeight >= document.body.scrollHeight;
    }, i * half);
    // Visibility is observed in a frame, which a window that is not painted never has: then the clock goes on.
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const sentinel = document.body;
          const seen = new IntersectionObserver(() => {
            seen.disconnect();
            resolve();
          });
          seen.observe(sentinel);
          setTimeout(resolve, 1000);
        }),
    );
    if (isFoot) break;
  }
  await page.waitForLoadState('networkidle');
}

/** An element that comes with a separate part may need a moment after the page was scrolled to it. */
async function missingOf(page: Page, { role, name }: NonNullable<Expectation['shows']>): Promise<string[]> {
  const element = page.getByRole(role, { name }).first();
  return await element.waitFor({ state: 'visible', timeout: SHOWS_LIMIT_MS }).then(
    () => [],
    () => [`does not show the ${role} ${name}`],
  );
}

async function shiftsOf(page: Page, { isStill = false, maxShift = MAX_SHIFT }: Expectation): Promise<string[]> {
  if (isStill) await scrollThrough(page);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  const version = Number.parseInt(page.context().browser()?.version() ?? '', 10);
  const limit = !isStill ? maxShift : version < WHOLE_PAGES ? PAINTED_EARLY : NO_SHIFT;
  return sum < limit ? [] : [`moves by ${sum.toFixed(3)}: ${shifts.map(({ where }) => where).join(' || ')}`];
}

/** Opens an address; a slow processor is shown a page while it is still reading it. Answers the status. */
async function open(page: Page, address: string, slowdown: number | undefined): Promise<number | undefined> {
  const processor = slowdown === undefined ? undefined : await page.context().newCDPSession(page);
  await processor?.send('Emulation.setCPUThrottlingRate', { rate: slowdown ?? 1 });
  // The page remembers the width of the last look for the server's next one: the rail of the back office would begin folded and unfold.
  await page.context().clearCookies({ name: 'rail' });
  const response = await page.goto(address);
  await settle(page);
  await processor?.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await processor?.detach();
  return response?.status();
}

/** Gives a window a width; ends when its page has it, or the next page would begin with the old one and move. */
async function resize(page: Page, width: Width): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHTS[width] });
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(width);
}

/** Returns the problems of an open page at the other width. */
async function atOtherWidth(page: Page, width: Width): Promise<string[]> {
  const other: Width = width === 390 ? 1440 : 390;
  await resize(page, other);
  await settle(page);
  const headings = await page.getByRole('heading', { level: 1 }).count();
  const found = [...(headings === 1 ? [] : [`has ${headings} first headings`]), ...(await overflowOf(page, other))];
  await resize(page, width);
  return found.map((finding) => `widened or narrowed to ${other}: ${finding}`);
}

/** Everything wrong with an address at one width; each finding names both. */
async function findingsAt(page: Page, width: Width, address: string, expected: Expectation): Promise<string[]> {
  const found: string[] = [];
  const onConsole = (message: { type: () => string; text: () => string; location: () => { url: string } }) => {
    // A page that is not there is the answer that was asked for.
    if (expected.status === 404 && /status of 404/.test(message.text())) return;
    if (isDefect(message.type(), message.text())) found.push(`console: ${message.text()} ${message.location().url}`);
  };
  const onError = (error: Error) => found.push(`error: ${error.message}`);
  page.on('console', onConsole).on('pageerror', onError);
  try {
    const status = await open(page, address, expected.slowdown);
    if (status !== (expected.status ?? 200)) found.push(`answers ${status}`);
    const [wanted, here] = [new URL(address, page.url()).pathname, new URL(page.url()).pathname];
    if (here !== wanted) found.push(`goes to ${here}`);
    const headings = await page.getByRole('heading', { level: 1 }).count();
    if (headings !== 1) found.push(`has ${headings} first headings`);
    found.push(...(await overflowOf(page, width)));
    found.push(...(await seriousFindings(page)));
    if (LANE === 'long') found.push(...(await findingsInDark(page)));
    found.push(...(await shiftsOf(page, expected)));
    if (expected.shows) found.push(...(await missingOf(page, expected.shows)));
    if (LANE === 'merge') found.push(...(await atOtherWidth(page, width)));
  } catch (error) {
    found.push(`could not be looked at: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    page.off('console', onConsole).off('pageerror', onError);
  }
  return found.map((finding) => `${address} at ${width}: ${finding}`);
}

/** Opens an address in all windows at once and returns everything that is wrong with it. */
export async function inspect(windows: Windows, address: string, expected: Expectation = {}): Promise<string[]> {
  const found = await Promise.all([...windows].map(([width, page]) => findingsAt(page, width, address, expected)));
  return found.flat();
}
