/** Finds a Chromium for the browser tests; installs one on Debian as root. Runs on Node 20. */
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from '../run.mjs';
import { PlainError, step } from '../output.mjs';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const PLAYWRIGHT_HOMES = [
  process.env.PLAYWRIGHT_BROWSERS_PATH,
  join(homedir(), '.cache/ms-playwright'),
  join(homedir(), 'Library/Caches/ms-playwright'),
];

const PLAYWRIGHT_PROGRAMS = [
  'chrome-linux64/chrome',
  'chrome-linux/chrome',
  'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
];

function playwrightBrowsers() {
  return PLAYWRIGHT_HOMES.filter((home) => home && existsSync(home)).flatMap((home) =>
    readdirSync(home)
      .filter((name) => /^chromium-\d+$/.test(name))
      .sort()
      .reverse()
      .flatMap((name) => PLAYWRIGHT_PROGRAMS.map((program) => join(home, name, program))),
  );
}

/** The path of a browser, or undefined. `BROWSER_PATH` wins; a path where there is nothing counts as no browser. */
export function findBrowser() {
  const wanted = process.env.BROWSER_PATH;
  if (wanted) return existsSync(wanted) ? wanted : undefined;
  return [...INSTALLED, ...playwrightBrowsers()].find((path) => existsSync(path));
}

const canUseApt = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** Whether screenshots of Chinese pages would show boxes. */
async function lacksHanFont() {
  if (!existsSync('/usr/bin/fc-list')) return !existsSync('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc');
  const { output } = await run('/usr/bin/fc-list', [':lang=zh-cn', 'family']);
  return output.trim() === '';
}

async function aptInstall(packages) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update'], { env, timeoutMs: 180_000 });
  const { code, output } = await run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], {
    env,
    timeoutMs: 420_000,
  });
  if (code !== 0)
    throw new PlainError(`apt-get did not install ${packages.join(', ')}:\n${output.trim().slice(-1500)}`);
}

/**
 * The path of a browser, installed first when this is Debian and root and there is none.
 * @throws PlainError when there is none and this script may not install one
 */
export async function ensureBrowser() {
  const missing = [];
  if (findBrowser() === undefined && !process.env.BROWSER_PATH) missing.push('chromium');
  if (canUseApt() && (await lacksHanFont())) missing.push('fonts-noto-cjk');
  if (missing.length > 0 && canUseApt()) {
    await step(`Installing ${missing.join(', ')} for the browser tests`, async () => await aptInstall(missing));
  }
  const browser = findBrowser();
  if (browser === undefined) {
    throw new PlainError(
      'No Chromium or Chrome was found, so the browser tests cannot run. Install one, or name its path in BROWSER_PATH.',
    );
  }
  return browser;
}
