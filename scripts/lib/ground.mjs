/** What must be there before anything of ours can run: packages, Node 24, built pages. Runs on Node 20, without packages. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';
import { PlainError, step } from './say.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');

const NODE_MAJOR = 24;
const BUNDLED_NODE = join(root, 'node_modules/.bin/node');
const HASH_FILE = join(root, 'build/.hash');
const BUILD_LOCK = join(root, 'node_modules/.youshi-build.lock');
const PAGE_SOURCES = ['web', 'contract', 'vite.config.ts', 'react-router.config.ts', 'package-lock.json'];

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Whether npm brings Node and PostgreSQL for this system. */
const isSupplied = process.platform === 'linux' && process.arch === 'x64';

/**
 * Whether node_modules is what package-lock.json says. npm writes its own record last, so an install that was cut off
 * does not count as done.
 */
export function arePackagesInstalled() {
  const recordFile = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(recordFile)) return false;
  if (isSupplied && !existsSync(BUNDLED_NODE)) return false;
  const wanted = readJson(join(root, 'package-lock.json')).packages;
  const installed = readJson(recordFile).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional || installed[path]?.version === entry.version,
  );
}

/** Installs the packages when they are missing or not those of the lock. */
export async function ensurePackages() {
  if (arePackagesInstalled()) return;
  await step('安装依赖（首次约一分钟）', async () => {
    // NODE_ENV=production would leave out what builds the pages.
    const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
    const { code, output } = await run('npm', args, { timeoutMs: 900_000 });
    if (code !== 0) throw new PlainError(`依赖没有装上，请检查网络后重试：\n${output.trim()}`);
  });
}

function majorOf(program) {
  try {
    return Number(/^v(\d+)\./.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[1]);
  } catch {
    return 0;
  }
}

/** The Node to run the server and the tools with: the one npm brought, else this one when it is new enough. */
export function findNode() {
  if (majorOf(BUNDLED_NODE) >= NODE_MAJOR) return BUNDLED_NODE;
  if (majorOf(process.execPath) >= NODE_MAJOR) return process.execPath;
  throw new PlainError(
    `需要 Node ${NODE_MAJOR} 或更新，这里是 ${process.version}（${process.platform}-${process.arch}），npm 没有为此系统附带 Node。` +
      `\n请从 nodejs.org 安装 Node ${NODE_MAJOR} 后再运行。(Node ${NODE_MAJOR} or newer is needed.)`,
  );
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

/** One number for everything the built pages are made of. */
function pagesHash() {
  const hash = createHash('sha256');
  for (const file of PAGE_SOURCES.flatMap((source) => filesUnder(join(root, source)))) {
    if (/\.test\.tsx?$/.test(file)) continue;
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Whether the built pages belong to the sources as they are. */
export function arePagesBuilt(hash = pagesHash()) {
  const built = existsSync(HASH_FILE) ? readFileSync(HASH_FILE, 'utf8') : '';
  return built === hash && existsSync(join(root, 'build/server/index.js'));
}

function isLockHeld() {
  try {
    process.kill(Number(readFileSync(BUILD_LOCK, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Runs `work` while no other script builds into the same folder. */
async function withBuildLock(work) {
  while (true) {
    try {
      writeFileSync(BUILD_LOCK, String(process.pid), { flag: 'wx' });
      break;
    } catch {
      if (!isLockHeld()) rmSync(BUILD_LOCK, { force: true });
      await sleep(200);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(BUILD_LOCK, { force: true });
  }
}

/** Builds the pages when their sources changed since the last build. */
export async function ensurePages(node) {
  if (arePagesBuilt()) return;
  await step('构建页面', async () => {
    await withBuildLock(async () => {
      const hash = pagesHash();
      if (arePagesBuilt(hash)) return;
      rmSync(HASH_FILE, { force: true });
      const { code, output } = await run(node, [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'], {
        env: { NODE_ENV: 'production' },
      });
      if (code !== 0) throw new PlainError(`页面构建失败：\n${output.trim()}`);
      mkdirSync(join(root, 'build'), { recursive: true });
      writeFileSync(HASH_FILE, hash);
    });
  });
}
