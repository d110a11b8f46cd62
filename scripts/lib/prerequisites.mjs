/** The prerequisites of our own code: packages and Node 24. Runs on Node 20, without packages. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseNode, missingNodeText, suppliedFor } from './machines.mjs';
import { run } from './run.mjs';
import { inLanguage, PlainError, step } from './output.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');

const BUNDLED_NODE = join(root, 'node_modules/.bin/node');

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

const supplied = suppliedFor(process.platform, process.arch);

/**
 * Whether node_modules holds what package-lock.json says: what runs and builds the market, with `tests` also what only checks, tests and
 * measurements need (devDependencies, which `npm start` leaves out). npm writes its own record last, so an install that was cut off does not
 * count as done.
 */
export function arePackagesInstalled({ tests = false } = {}) {
  const recordFile = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(recordFile)) return false;
  if (supplied.node && !existsSync(BUNDLED_NODE)) return false;
  const wanted = readJson(join(root, 'package-lock.json')).packages;
  const installed = readJson(recordFile).packages;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' || entry.optional || (entry.dev && !tests) || installed[path]?.version === entry.version,
  );
}

/** Whether what only checks, tests and measurements need was installed before, in whatever version. */
function areToolsThere() {
  const recordFile = join(root, 'node_modules/.package-lock.json');
  return existsSync(recordFile) && Object.values(readJson(recordFile).packages).some((entry) => entry.dev);
}

/**
 * Installs the packages when they are missing or not those of the lock; with `tests` also those of checks, tests and measurements, which
 * stay once they are there.
 */
export async function ensurePackages({ tests = false } = {}) {
  if (arePackagesInstalled({ tests })) return;
  // Installed packages stay when only the packages of tests are missing; `--no-save` leaves the lock as it is.
  const adds = tests && arePackagesInstalled();
  const title = adds
    ? inLanguage('install the packages of checks and tests', '安装检查与测试的依赖')
    : inLanguage('install the packages', '安装依赖（首次约一分钟）');
  await step(title, async () => {
    const how = adds ? ['install', '--no-save'] : ['ci'];
    const what = [tests || areToolsThere() ? '--include=dev' : '--omit=dev', '--include=optional'];
    const { code, output } = await run(
      'npm',
      [...how, ...what, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
      {
        timeoutMs: 900_000,
      },
    );
    if (code !== 0)
      throw new PlainError(
        `${inLanguage('the packages could not be installed, check the network:', '依赖没有装上，请检查网络后重试：')}\n${output.trim()}`,
      );
  });
}

/** The version of a Node as it prints it; '' when it does not run. */
function versionOf(program) {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

/** The Node to run the server and the tools with. Throws PlainError where neither this one nor that of npm is new enough. */
export function findNode() {
  const { version: own, platform, arch, execPath } = process;
  const choice = chooseNode({ own, bundled: versionOf(BUNDLED_NODE) });
  if (choice === undefined) throw new PlainError(missingNodeText({ platform, arch, own }));
  return choice === 'own' ? execPath : BUNDLED_NODE;
}
