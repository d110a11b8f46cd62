/**
 * Completes package-lock.json with the optional platform packages that the registry did not offer.
 *
 * A registry that lacks packages of foreign platforms makes `npm install` leave them out of the lock, and the next
 * `npm ci` then refuses the lock as incomplete ("Missing: x from lock file"). An entry that says only version, os and
 * cpu satisfies it; npm never fetches an optional package of another platform. Run after every `npm install`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const lockFile = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(lockFile, 'utf8'));

const OS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const CPU = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32'];
const LIBC = ['musl', 'glibc'];

/** Whether `name`, required from the package at `from`, has an entry in the lock (npm's walk up node_modules). */
function isLocked(from, name) {
  let base = from;
  while (base !== '') {
    if (lock.packages[`${base}/node_modules/${name}`] !== undefined) return true;
    base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')));
  }
  return lock.packages[`node_modules/${name}`] !== undefined;
}

/** The words of a package name, the part that tells the platform ("@swc/core-linux-arm64-musl"). */
function wordsOf(name) {
  return name
    .toLowerCase()
    .replace('windows', 'win32')
    .replace('loongarch64', 'loong64')
    .split(/[^a-z0-9]+/);
}

/** A lock entry that says only where the package would be installed. */
function stubOf(name, range) {
  const words = wordsOf(name);
  const stub = { version: range.replace(/^[\^~=v]+/, ''), optional: true };
  const os = OS.filter((word) => words.includes(word));
  const cpu = CPU.filter((word) => words.includes(word));
  const libc = LIBC.filter((word) => words.includes(word));
  if (os.length === 0 && cpu.length === 0) return undefined;
  if (cpu.length > 0) stub.cpu = cpu;
  if (libc.length > 0) stub.libc = libc;
  if (os.length > 0) stub.os = os;
  return stub;
}

let added = 0;
for (const [path, entry] of Object.entries({ ...lock.packages })) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(path, name)) continue;
    const stub = stubOf(name, range);
    if (stub === undefined) {
      console.warn(`lock-stubs: ${name} of ${path} is missing and names no platform, left alone`);
      continue;
    }
    lock.packages[`node_modules/${name}`] = stub;
    added += 1;
  }
}

if (added > 0) {
  const root = lock.packages[''];
  const rest = Object.entries(lock.packages).filter(([path]) => path !== '');
  rest.sort(([a], [b]) => a.localeCompare(b, 'en'));
  lock.packages = { '': root, ...Object.fromEntries(rest) };
  writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`);
}
console.log(`lock-stubs: ${added} added`);
