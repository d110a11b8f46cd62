/**
 * Seven pages as a phone on a slow network sees them. `npm run bench -- lighthouse` prints the table of medians for bench/results.md; a demo
 * market must be running, with nothing else on the machine. MARKET names the market (http://localhost:3000), RUNS the runs of a page (3),
 * PAGE one page. Pages behind a log-in get their session as a header. Lighthouse is fetched by npx and is no dependency: it is larger than
 * everything else together.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { median } from './lib/stats.ts';

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

const cookieHeader = async (context: BrowserContext, of: string): Promise<string> =>
  (await context.cookies(of)).map(({ name, value }) => `${name}=${value}`).join('; ');

async function asBuyer(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: MARKET, locale: 'zh-CN' });
  const response = await context.request.post(`${MARKET}/api/user/login`, {
    form: { username: BUYER, password: PASSWORD },
    headers: { 'x-timestamp': String(Date.now()) },
  });
  const answer = (await response.json()) as { code: number; msg: string; data: Record<string, string> };
  if (answer.code !== 0) throw new Error(`${BUYER} cannot log in: ${answer.msg}`);
  const hints = ['token', 'userId', 'nickName', 'actor'];
  await context.addCookies(
    hints.map((name) => ({ name, value: encodeURIComponent(answer.data[name] ?? ''), url: MARKET })),
  );
  return context;
}

interface SelfCheck {
  data: { staff: { login: string; code: string; waitSeconds: number }[] };
}

async function asStaff(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: BACK_OFFICE, locale: 'zh-CN' });
  const page = await context.newPage();
  await page.goto('/backstage/login');
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
      return context;
    }
    await new Promise((resolve) => setTimeout(resolve, mine.waitSeconds * 1000));
  }
}

/** The first address on a page that begins so. */
async function linkOf(context: BrowserContext, path: string, begins: string): Promise<string> {
  const page = await context.newPage();
  await page.goto(path);
  const href = await page.locator(`a[href^="${begins}"]`).first().getAttribute('href');
  await page.close();
  return `${MARKET}${href ?? ''}`;
}

interface Measured {
  page: string;
  url: string;
  cookie?: string;
}

/** The pages, with a session where they need one. */
async function pagesOf(browser: Browser): Promise<Measured[]> {
  const buyer = await asBuyer(browser);
  const staff = await asStaff(browser);
  const cookie = await cookieHeader(buyer, MARKET);
  const list = '/wares?gt=1&gid=1';
  return [
    { page: 'home', url: `${MARKET}/` },
    { page: 'list', url: `${MARKET}${list}` },
    { page: 'goods', url: await linkOf(buyer, list, '/detail/') },
    { page: 'order', url: await linkOf(buyer, '/center/buyGoodsOrder', '/center/buyOrderDetail'), cookie },
    { page: 'centre', url: `${MARKET}/center`, cookie },
    { page: 'chat', url: `${MARKET}/chatSystem`, cookie },
    { page: 'back office', url: `${BACK_OFFICE}/backstage`, cookie: await cookieHeader(staff, BACK_OFFICE) },
  ];
}

interface Report {
  runtimeError?: { message: string };
  finalDisplayedUrl: string;
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
}

/** One run of a page; its figures in the order of CATEGORIES and AUDITS. Throws where another page than the wanted one was measured. */
async function measure({ page, url, cookie }: Measured, folder: string): Promise<number[]> {
  const [file, headers] = [join(folder, 'report.json'), join(folder, 'headers.json')];
  writeFileSync(headers, JSON.stringify(cookie === undefined ? {} : { Cookie: cookie }), { mode: 0o600 });
  const args = [
    `--only-categories=${CATEGORIES.join(',')}`,
    '--output=json',
    `--output-path=${file}`,
    `--extra-headers=${headers}`,
  ];
  const flags = '--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage';
  const { code, errors } = await npx([LIGHTHOUSE, url, ...args, '--quiet', flags], PAGE_LIMIT_MS);
  if (code !== 0) throw new Error(`${page}: lighthouse ended with ${code}\n${errors.slice(-600)}`);
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  if (report.runtimeError) throw new Error(`${page}: ${report.runtimeError.message}`);
  if (/\/login/.test(report.finalDisplayedUrl))
    throw new Error(`${page}: the session was not taken, ${report.finalDisplayedUrl}`);
  const scores = CATEGORIES.map((name) => Math.round((report.categories[name]?.score ?? 0) * 100));
  const values = Object.keys(AUDITS).map((name) => report.audits[name]?.numericValue ?? 0);
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
const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const folder = mkdtempSync(join(tmpdir(), 'youshi-lighthouse-'));
try {
  const pages = (await pagesOf(browser)).filter(({ page }) => !process.env.PAGE || page === process.env.PAGE);
  await browser.close();
  console.log(
    '| page | performance | accessibility | best practices | search engines | runs | first paint s | largest paint s | blocked ms | layout shift |',
  );
  console.log(`|${' --- |'.repeat(10)}`);
  for (const page of pages) {
    const runs: number[][] = [];
    for (let n = 0; n < RUNS; n++) runs.push(await measure(page, folder));
    console.log(row(page.page, runs));
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
