/** Firefox and WebKit as Debian ships them, for tests/engines. Runs on Node 20. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FIREFOX = [process.env.FIREFOX_PATH, '/usr/bin/firefox-esr', '/usr/bin/firefox'];
const DRIVER = '/usr/bin/WebKitWebDriver';
const XVFB = '/usr/bin/Xvfb';
const LIBRARIES = '/usr/lib';

const first = (paths) => paths.find((path) => path && existsSync(path));

/** WebKit's small browser lies beside its library, in a folder that the machine and the version name. */
function findMiniBrowser() {
  if (!existsSync(LIBRARIES)) return undefined;
  const folders = readdirSync(LIBRARIES)
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => join(LIBRARIES, name));
  const programs = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^webkit2?gtk-/.test(name))
      .map((name) => join(folder, name, 'MiniBrowser')),
  );
  return first(programs);
}

/** Finds the programs for `firefox` or `webkit`: `{ programs }`, or `{ lack }`, the reason why it cannot run on this machine. */
export function findEngine(name) {
  if (name === 'firefox') {
    const firefox = first(FIREFOX);
    return firefox ? { programs: { firefox } } : { lack: 'Firefox is missing: apt-get install firefox-esr' };
  }
  const [driver, xvfb, browser] = [first([DRIVER]), first([XVFB]), findMiniBrowser()];
  return driver && xvfb && browser
    ? { programs: { webkit: { driver, xvfb, browser } } }
    : { lack: 'WebKit is missing: apt-get install webkit2gtk-driver xvfb' };
}
