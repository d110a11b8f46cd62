/**
 * Runs the public scanners (sqlmap, wapiti, nikto, where they are installed) against a market that is running already:
 *
 *   BASE_URL=http://127.0.0.1:4000 node tests/attacks/scanners.mjs [nikto sqlmap wapiti]
 *
 * The market should have wide budgets (`NODE_ENV=test LIMIT_FACTOR=10000 IP_LIMIT_FACTOR=10000 node server/main.ts`), or its limits are
 * what is scanned. Each tool is bounded in time and goes only to loopback. Each finding of nikto is requested again, because it takes any
 * answer with certain words for a hit: an address counts only when it answers 200 and is none of ours. Ends with 1 when something was found.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../scripts/lib/run.mjs';
import { dim, green, main, PlainError, red, since } from '../../scripts/lib/output.mjs';

const BASE = process.env.BASE_URL ?? 'http://127.0.0.1:4000';
const folder = mkdtempSync(join(tmpdir(), 'youshi-scan-'));
const MINUTE = 60_000;

/** Pages of ours that nikto calls interesting. */
const OURS = /^\/+(login|register|forgetPassword|news|test|jump|help|robots\.txt)?\/?$/;

/** Headers that wapiti misses: the first is obsolete, the second is sent behind TLS only (docs/SECURITY.md, "Results of public scanners"). */
const EXPECTED = /GET \/ (X-XSS-Protection|Strict-Transport-Security) is not set$/;

const isInstalled = (tool) => (process.env.PATH ?? '').split(':').some((at) => existsSync(join(at, tool)));

async function nikto() {
  const file = join(folder, 'nikto.txt');
  const args = ['-h', BASE, '-maxtime', '300s', '-nointeractive', '-ask', 'no', '-o', file, '-Format', 'txt'];
  await run('nikto', args, { timeoutMs: 6 * MINUTE });
  const lines = readFileSync(file, 'utf8').split('\n');
  const reported = new Set(lines.flatMap((line) => /GET (\/.*?): (?:\/|File)/.exec(line)?.[1] ?? []));
  const found = [];
  for (const path of reported) {
    const { status } = await fetch(BASE + path.replaceAll('#', '%23'), { redirect: 'manual' }).catch(() => ({
      status: 0,
    }));
    if (status === 200 && !OURS.test(path.split('?')[0])) found.push(path);
  }
  if (lines.some((line) => line.includes('X-Frame-Options header is not present'))) found.push('X-Frame-Options');
  return { asked: `${reported.size} reported addresses asked again`, found };
}

/** Calls and pages with a place for each value, by kind of value: numbers, words, amounts, JSON, numbers of goods, log-in and SMS. */
async function targets() {
  const list = await fetch(`${BASE}/api/goods/getGoodsList?gameId=1`).then((r) => r.json());
  const sn = list.data?.list?.[0]?.goodsSn;
  if (!sn) throw new PlainError('the market has no goods to scan');
  return [
    ['/api/goods/getGoodsList?gameId=1*&goodsTypeId=1*&keyWord=abc*&minPrice=1*&sort=newest*'],
    ['/api/goods/getGoodsList?gameId=1&details=%7B%22rank%22%3A%221*%22%7D'],
    [`/api/goods/goodsInfo?goodsSn=${sn}*`],
    ['/api/user/login', 'username=13800000001*&password=youshi2026*'],
    ['/api/comm/client/sms', 'phone=13800000001*&type=login*'],
  ];
}

async function sqlmap() {
  const found = [];
  const all = await targets();
  for (const [path, form] of all) {
    const args = ['-u', BASE + path, '--batch', '--level', '3', '--risk', '2', '--timeout', '20', '--dbms=PostgreSQL'];
    args.push('--technique=BEUST', '--time-sec', '4', '--flush-session', `--output-dir=${folder}`);
    if (form) args.push('--data', form, '--headers', `Origin: ${BASE}`);
    const { output } = await run('sqlmap', args, { timeoutMs: 10 * MINUTE });
    if (/identified the following injection point|is vulnerable/.test(output)) found.push(path);
    else if (!/do not appear to be injectable/.test(output)) found.push(`${path}: did not come to its end`);
  }
  return { asked: `${all.length} addresses, level 3, risk 2`, found };
}

async function wapiti() {
  const file = join(folder, 'wapiti.json');
  const bounds = [
    '--max-links-per-page',
    '40',
    '--max-files-per-dir',
    '20',
    '--max-scan-time',
    '500',
    '--max-attack-time',
    '60',
  ];
  const args = [
    '-u',
    `${BASE}/`,
    '--scope',
    'domain',
    '-d',
    '3',
    ...bounds,
    '-t',
    '10',
    '--flush-session',
    '-f',
    'json',
  ];
  await run('wapiti', [...args, '-o', file, '--no-bugreport'], { timeoutMs: 20 * MINUTE });
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const found = [...Object.entries(report.vulnerabilities), ...Object.entries(report.anomalies)].flatMap(
    ([kind, list]) => list.map(({ method, path, info }) => `${kind}: ${method} ${path} ${info}`),
  );
  const unexpected = found.filter((line) => !EXPECTED.test(line));
  return {
    asked: `${report.infos?.crawled_pages?.length ?? report.infos?.crawled_pages_nbr ?? '?'} pages`,
    found: unexpected,
  };
}

const TOOLS = { nikto, sqlmap, wapiti };

await main(async () => {
  const wanted = process.argv.slice(2).filter((name) => name in TOOLS);
  let count = 0;
  try {
    for (const [name, scan] of Object.entries(TOOLS)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      if (!isInstalled(name)) {
        console.log(`  ${name}: ${dim('not installed')}`);
        continue;
      }
      const begin = performance.now();
      const { asked, found } = await scan();
      count += found.length;
      console.log(
        `  ${found.length === 0 ? green('✓') : red('✗')} ${name}: ${asked}, ${found.length} found ${dim(since(begin))}`,
      );
      for (const line of found) console.log(`      ${line.slice(0, 300)}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return count === 0 ? 0 : 1;
});
