/** Reads the state of the checkout from git. Every function returns undefined where there is no repository. Runs on Node 20, without packages. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from './prerequisites.mjs';

const OUTPUT_LIMIT = 64_000_000;

/** The output of a git command; undefined when it fails. */
export function git(args, { cwd = root, env = {}, input } = {}) {
  try {
    return execFileSync('git', args, {
      cwd,
      env: { ...process.env, ...env },
      encoding: 'utf8',
      input,
      maxBuffer: OUTPUT_LIMIT,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}

const parts = (text) => text?.split('\0').filter((part) => part !== '');

/** The files of the checkout that patterns of git name (all without one), tracked or new, but not ignored. */
export const filesOf = (patterns = [], cwd = root) =>
  parts(git(['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...patterns], { cwd }));

/** A hash of names and contents of the files that patterns name. */
export function hashOfFiles(patterns, cwd = root) {
  const files = filesOf(patterns, cwd);
  if (files === undefined) return undefined;
  const hash = createHash('sha256');
  for (const file of [...new Set(files)].sort((a, b) => (a < b ? -1 : 1))) {
    const path = join(cwd, file);
    if (existsSync(path)) hash.update(`${file}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex').slice(0, 32);
}

/** The name of the tree that the checkout would commit now, without the files `except`. Leaves nothing in the repository. */
export function treeHash(except = [], cwd = root) {
  const at = (name) => git(['rev-parse', '--git-path', name], { cwd })?.trim();
  const [index, objects] = [at('index'), at('objects')];
  if (index === undefined || objects === undefined) return undefined;
  const scratch = mkdtempSync(join(tmpdir(), 'youshi-tree-'));
  try {
    copyFileSync(resolve(cwd, index), join(scratch, 'index'));
    mkdirSync(join(scratch, 'objects'));
    const env = {
      GIT_INDEX_FILE: join(scratch, 'index'),
      GIT_OBJECT_DIRECTORY: join(scratch, 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: resolve(cwd, objects),
    };
    if (git(['add', '--all'], { cwd, env }) === undefined) return undefined;
    for (const file of except) git(['rm', '--cached', '--quiet', '--ignore-unmatch', file], { cwd, env });
    return git(['write-tree'], { cwd, env })?.trim();
  } catch {
    return undefined;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * The files that differ from where this branch left the main one, with those that are not committed. On the main branch itself: what is
 * not committed, or else the last commit.
 */
export function changedFiles(cwd = root) {
  const head = git(['rev-parse', 'HEAD'], { cwd })?.trim();
  if (head === undefined) return undefined;
  const isDirty = git(['status', '--porcelain'], { cwd }) !== '';
  const bases = ['origin/main', 'main'].map((name) => git(['merge-base', 'HEAD', name], { cwd })?.trim());
  const base = bases.find((one) => one !== undefined && one !== head) ?? (isDirty ? head : 'HEAD~1');
  const changed = parts(git(['diff', '--name-only', '-z', base], { cwd })) ?? [];
  const added = parts(git(['ls-files', '-z', '--others', '--exclude-standard'], { cwd })) ?? [];
  return [...new Set([...changed, ...added])].sort((a, b) => (a < b ? -1 : 1));
}
