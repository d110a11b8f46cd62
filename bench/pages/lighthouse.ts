/**
 * Seven pages as a phone on a slow network sees them, and a bare React Router page in the same run. `npm run bench -- lighthouse` prints the table of medians for bench/results.md; a demo
 * market must be running, with nothing else on the machine. MARKET names the market (http://localhost:3000), RUNS the runs of a page (3),
 * PAGE some of the pages, with commas. Pages behind a log-in are opened in a browser that has logged in. Lighthouse is fetched by npx and is no dependency: it is larger than
 * everything else together.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { startBareRouter } from '../lib/bare-router.ts';
import { logIn } from '../lib/log-in.ts';
import { median } from '../lib/stats.ts';

const MARKET = process.env.MARKET ?? 'http://localhost:3000';
const BACK_OFFICE = MARKET.replace('//localhost', '//backstage.localhost');
const RUNS = Number(process.env.RUNS ?? 3);
const BROWSER = process.env.BROWSER_PATH ?? '/usr/bin/chromium';
const LIGHTHOUSE = 'lighthouse@13';
const PASSWORD = 'youshi2026';
const [BUYER, STAFF] = ['13800000001', 'admin'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const AUDITS = {
  'first-contentful-paint': 's',
  'largest-contentful-paint': 's',
  'total-blocking-time': 'ms',
  'cumulative-layout-shift': '',
} as const;
const PAGE_LIMIT_MS = 180_000;
const FETCH_LIMIT_MS = 300_000;
const START_WAIT_MS = 200;
const START_TRIES = 100;

interface Ended {
  code: number | null;
  output: string;
  errors: string;
}

/** Runs npx to its end, or until its time is over. */
async function npx(args: readonly string[], limitMs: number): Promise<Ended> {
  const child = spawn('npx', ['--yes', ...args], {
    env: { ...process.env, CHROME_PATH: BROWSER },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()));
  return await new Promise((done) => {
    child.on('error', (error) => done({ code: null, output, errors: String(error) }));
    child.on('close', (code) => done({ code, output, errors }));
  });
}

/** Ends with one sentence where lighthouse or the market is missing. */
async function requireBoth(): Promise<void> {
  const { code, errors } = await npx([LIGHTHOUSE, '--version'], FETCH_LIMIT_MS);
  const [reason = ''] = errors
    .trim()
    .split('\n')
    .filter((line) => /ERR|error/i.test(line));
  if (code !== 0)
    throw new Error(
      `${LIGHTHOUSE} cannot be fetched by npx (${reason || `code ${code}`}); connect to a package registry and try again.`,
    );
  const answer = await fetch(`${MARKET}/readyz`).catch(() => undefined);
  if (answer?.status !== 200)
    throw new Error(`No market answers at ${MARKET}; start the demo with npm start, or name another with MARKET.`);
}

/** A separate browser, whose cookies Lighthouse meets: pages that read them in scripts are then as they are for a user. */
async function startBrowser(folder: string): Promise<{ browser: ChildProcess; port: string }> {
  const browser = spawn(
    BROWSER,
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-extensions',
      '--disable-background-networking',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
    ],
    { stdio: 'ignore' },
  );
  const file = join(folder, 'DevToolsActivePort');
  for (let n = 0; n < START_TRIES; n++) {
    await sleep(START_WAIT_MS);
    const [port = ''] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    if (port !== '') return { browser, port };
  }
  browser.kill();
  throw new Error(`${BROWSER} does not start; name another with BROWSER_PATH.`);
}

/** Does something in the browser that Lighthouse will use, and leaves no page behind. */
async function inBrowser<T>(port: string, work: (context: BrowserContext, page: Page) => Promise<T>): Promise<T> {
  const connection = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const [context] = connection.contexts();
  if (!context) throw new Error('the browser has no context');
  const page = await context.newPage();
  try {
    return await work(context, page);
  } finally {
    await page.close();
    await connection.close();
  }
}

interface SelfCheck {
  data: { staff: { login: string; code: string; waitSeconds: number }[] };
}

async function logInStaff(context: BrowserContext, page: Page): Promise<void> {
  await page.goto(`${BACK_OFFICE}/backstage/login`);
  for (;;) {
    const { data } = (await (await context.request.get(`${MARKET}/api/test/selfCheck`)).json()) as SelfCheck;
    const mine = data.staff.find(({ login }) => login === STAFF);
    if (!mine) throw new Error(`no staff ${STAFF}`);
    if (mine.waitSeconds === 0) {
      await page.getByLabel('账号').fill(STAFF);
      await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
      await page.getByLabel('动态码').fill(mine.code);
      await page.getByRole('button', { name: '登录', exact: true }).click();
      await page.waitForURL((url) => url.pathname === '/backstage');
      return;
    }
    await sleep(mine.waitSeconds * 1000);
  }
}

/** The first address on a page that begins so. */
async function linkOf(page: Page, path: string, begins: string): Promise<string> {
  await page.goto(`${MARKET}${path}`);
  const href = await page.locator(`a[href^="${begins}"]`).first().getAttribute('href');
  return `${MARKET}${href ?? ''}`;
}

interface Measured {
  page: string;
  /** Opens what the page needs, such as a session, and returns its address. */
  url: (context: BrowserContext, page: Page) => Promise<string>;
}

const LIST = '/wares?gt=1&gid=1';
const at = (address: string) => (): Promise<string> => Promise.resolve(address);

const bare = await startBareRouter();

/** Visitors' pages first: who logs in stays so. */
const PAGES: readonly Measured[] = [
  { page: 'bare', url: at(bare.url) },
  { page: 'home', url: at(`${MARKET}/`) },
  { page: 'list', url: at(`${MARKET}${LIST}`) },
  { page: 'goods', url: (_context, page) => linkOf(page, LIST, '/detail/') },
  {
    page: 'order',
    url: async (context, page) => {
      await logIn(context, MARKET, BUYER);
      return await linkOf(page, '/center/buyGoodsOrder', '/center/buyOrderDetail');
    },
  },
  { page: 'centre', url: async (context) => await logIn(context, MARKET, BUYER).then(at(`${MARKET}/center`)) },
  { page: 'chat', url: async (context) => await logIn(context, MARKET, BUYER).then(at(`${MARKET}/chatSystem`)) },
  {
    page: 'back office',
    url: async (context, page) => await logInStaff(context, page).then(at(`${BACK_OFFICE}/backstage`)),
  },
];

interface Report {
  runtimeError?: { message: string };
  finalDisplayedUrl: string;
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
}

/** One run of a page; its figures in the order of CATEGORIES and AUDITS. Throws where another page than the wanted one was measured. */
async function measure(name: string, url: string, port: string, folder: string): Promise<number[]> {
  const file = join(folder, 'report.json');
  const args = [
    `--only-categories=${CATEGORIES.join(',')}`,
    '--output=json',
    `--output-path=${file}`,
    `--port=${port}`,
  ];
  const { code, errors } = await npx([LIGHTHOUSE, url, ...args, '--quiet'], PAGE_LIMIT_MS);
  if (code !== 0) throw new Error(`${name}: lighthouse ended with ${code}\n${errors.slice(-600)}`);
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  if (report.runtimeError) throw new Error(`${name}: ${report.runtimeError.message}`);
  if (/\/login/.test(report.finalDisplayedUrl))
    throw new Error(`${name}: the session was not taken, ${report.finalDisplayedUrl}`);
  const scores = CATEGORIES.map((category) => Math.round((report.categories[category]?.score ?? 0) * 100));
  const values = Object.keys(AUDITS).map((audit) => report.audits[audit]?.numericValue ?? 0);
  return [...scores, ...values];
}

const shown = (value: number, unit: string): string =>
  unit === 's' ? (value / 1000).toFixed(2) : unit === 'ms' ? String(Math.round(value)) : value.toFixed(3);

function row(page: string, runs: readonly number[][]): string {
  const middle = (at: number): number => median(runs.map((run) => run[at] ?? 0));
  const scores = CATEGORIES.map((_, at) => String(middle(at)));
  const values = Object.values(AUDITS).map((unit, at) => shown(middle(CATEGORIES.length + at), unit));
  const every = runs.map(([performance]) => performance).join(', ');
  return `| ${[page, ...scores, every, ...values].join(' | ')} |`;
}

await requireBoth().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
const asked = process.env.PAGE?.split(',') ?? [];
const folder = mkdtempSync(join(tmpdir(), 'youshi-lighthouse-'));
const { browser, port } = await startBrowser(folder);
try {
  const columns = ['page', ...CATEGORIES, 'runs', 'first paint s', 'largest paint s', 'blocked ms', 'layout shift'];
  console.log(`| ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length)}`);
  for (const { page: name, url } of PAGES.filter(({ page }) => asked.length === 0 || asked.includes(page))) {
    const address = await inBrowser(port, url);
    const runs: number[][] = [];
    for (let n = 0; n < RUNS; n++) runs.push(await measure(name, address, port, folder));
    console.log(row(name, runs));
  }
} finally {
  const gone = new Promise((done) => browser.once('exit', done));
  browser.kill();
  bare.stop();
  await gone;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
