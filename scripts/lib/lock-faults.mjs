/** Finds faults that make package-lock.json unsafe or incomplete. Runs on Node 20, without packages. */

const EXACT = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;
const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** The package name of a lock entry: its own name, or the last part of its path ("node_modules/a/node_modules/@b/c" is "@b/c"). */
export const nameOf = (path, entry) => entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 13);

/** Whether npm downloads the entry separately: links have no archive, bundled packages come inside the archive of another. */
const isDownloaded = (path, entry) => path !== '' && !entry.link && !entry.inBundle;

/** The paths of the downloaded entries without a usable hash. */
export function pathsWithoutHash(lock) {
  return Object.entries(lock.packages)
    .filter(
      ([path, entry]) =>
        isDownloaded(path, entry) && !(entry.integrity ?? '').split(' ').some((hash) => SHA512.test(hash)),
    )
    .map(([path]) => path);
}

/** Whether `name`, required by the package at `from`, has an entry in the lock (npm's walk up node_modules). */
function isLocked(lock, from, name) {
  for (let base = from; base !== ''; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/'))))
    if (lock.packages[`${base}/node_modules/${name}`] !== undefined) return true;
  return lock.packages[`node_modules/${name}`] !== undefined;
}

/** Dependencies of package.json without an exact version, or with another version in the lock. */
function dependencyFaults(manifest, lock) {
  const wanted = LISTS.flatMap((list) => Object.entries(manifest[list] ?? {}));
  return wanted.flatMap(([name, version]) => {
    if (!EXACT.test(version)) return [`package.json: the version "${version}" of ${name} is not exact`];
    const locked = lock.packages[`node_modules/${name}`]?.version;
    return locked === version
      ? []
      : [`package.json: ${name} is ${version}, in package-lock.json ${locked ?? 'missing'}`];
  });
}

/**
 * The faults of a parsed package.json and package-lock.json as a list of messages, empty when there are none: dependencies that are not
 * exact, entries without a sha512 hash, entries that name where they are downloaded from, and platform packages without an entry, for which
 * `npm ci` rejects the lock.
 */
export function lockFaults(manifest, lock) {
  const faults = dependencyFaults(manifest, lock);
  for (const path of pathsWithoutHash(lock)) faults.push(`${path}: no sha512 hash (integrity)`);
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (entry.resolved !== undefined && !entry.link) faults.push(`${path}: has a download address (resolved)`);
    for (const name of Object.keys(entry.optionalDependencies ?? {}))
      if (!isLocked(lock, path, name)) faults.push(`${path}: optional dependency ${name} is not in package-lock.json`);
  }
  return faults;
}
