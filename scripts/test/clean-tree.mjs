/** The gate that no test writes into the source tree: another test that walks the tree would meet the file. Runs on Node 20. */
import { existsSync, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesOf, git } from '../lib/git.mjs';
import { root } from '../lib/prerequisites.mjs';

/** The lines of `git status` that are in only one of two outputs, without their two letters. */
function differences(before, after) {
  const [old, now] = [new Set(before.split('\n')), new Set(after.split('\n'))];
  return [...[...now].filter((line) => !old.has(line)), ...[...old].filter((line) => !now.has(line))]
    .filter((line) => line !== '')
    .map((line) => line.slice(3));
}

/** Those of the names that git does not ignore. */
function withoutIgnored(names, cwd) {
  if (names.length === 0) return [];
  const ignored = new Set((git(['check-ignore', '-z', '--stdin'], { cwd, input: names.join('\0') }) ?? '').split('\0'));
  return names.filter((name) => !ignored.has(name) && name !== '.git');
}

/**
 * Watches the folders that have sources, and compares `git status`. A file that is removed a moment later is noticed too. Returns a function
 * that ends this and returns the names of files that were written, sorted; undefined outside of a git repository.
 */
export function watchTree(cwd = root) {
  const status = () => git(['status', '--porcelain', '--untracked-files=all'], { cwd });
  const before = status();
  if (before === undefined) return undefined;
  const since = Date.now();
  const touched = new Set();
  const watchers = new Map();
  // A change of rights alone is an event too, but leaves the time of the content.
  const isWritten = (path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined || (stat.mtimeMs >= since && !stat.isDirectory());
  };
  const follow = (folder) => {
    // A file of the index whose folder was removed.
    const at = existsSync(join(cwd, folder)) ? join(cwd, folder) : cwd;
    const watcher = watch(at, { persistent: false }, (event, name) => {
      if (name === null) return;
      const path = join(folder, name);
      if (event === 'rename' || isWritten(join(cwd, path))) touched.add(path);
    });
    watcher.on('error', () => watcher.close());
    watchers.set(folder, watcher);
  };
  for (const file of filesOf([], cwd) ?? [])
    for (let folder = dirname(file); !watchers.has(folder); folder = dirname(folder)) follow(folder);
  return () => {
    for (const watcher of watchers.values()) watcher.close();
    const names = [...differences(before, status() ?? ''), ...touched];
    return withoutIgnored([...new Set(names)], cwd).sort();
  };
}
