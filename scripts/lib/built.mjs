/** Builds pages and server from the sources, again after changes. Runs on Node 20, without packages. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './prerequisites.mjs';
import { run } from './run.mjs';
import { inLanguage, PlainError, step } from './output.mjs';

const BUILD_LOCK = join(root, 'node_modules/.youshi-build.lock');

/** The program that runs the built server, under Node 24. */
export const serverEntry = join(root, 'build/main.js');

const PAGES = {
  title: ['build the pages', '构建页面'],
  failure: ['the build of the pages failed:', '页面构建失败：'],
  sources: ['web', 'contract', 'subjects', 'vite.config.ts', 'react-router.config.ts', 'package-lock.json'],
  // The parts of web/router-internals that are disabled in the pages.
  setting: process.env.STOCK_ROUTER,
  hashFile: join(root, 'build/.hash'),
  result: join(root, 'build/server/index.js'),
  command: [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'],
};

const SERVER = {
  title: ['build the server', '构建服务器'],
  failure: ['the build of the server failed:', '服务器构建失败：'],
  sources: ['server', 'contract', 'subjects', 'db/catalogue', 'scripts/build-server.mjs', 'package-lock.json'],
  hashFile: join(root, 'build/.server-hash'),
  result: serverEntry,
  command: [join(root, 'scripts/build-server.mjs')],
};

function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

/** A hash of everything that a part is built from. */
function hashOf({ sources, setting = '' }) {
  const hash = createHash('sha256').update(setting);
  for (const file of sources.flatMap((source) => filesUnder(join(root, source)))) {
    if (/\.test\.tsx?$/.test(file)) continue;
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function isBuilt(part, hash = hashOf(part)) {
  const built = existsSync(part.hashFile) ? readFileSync(part.hashFile, 'utf8') : '';
  return built === hash && existsSync(part.result);
}

/** Whether the built pages match the current sources. */
export const arePagesBuilt = () => isBuilt(PAGES);

/** Whether the built server matches the current sources. */
export const isServerBuilt = () => isBuilt(SERVER);

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

async function ensurePart(part, node) {
  if (isBuilt(part)) return;
  await step(inLanguage(...part.title), async () => {
    await withBuildLock(async () => {
      const hash = hashOf(part);
      if (isBuilt(part, hash)) return;
      rmSync(part.hashFile, { force: true });
      const { code, output } = await run(node, part.command, { env: { NODE_ENV: 'production' } });
      if (code !== 0) throw new PlainError(`${inLanguage(...part.failure)}\n${output.trim()}`);
      mkdirSync(join(root, 'build'), { recursive: true });
      writeFileSync(part.hashFile, hash);
    });
  });
}

/** Builds the pages when their sources changed since the last build. */
export const ensurePages = async (node) => await ensurePart(PAGES, node);

/** Builds the server when its sources changed since the last build. */
export const ensureServer = async (node) => await ensurePart(SERVER, node);
