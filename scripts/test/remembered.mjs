/** Stores the stages of a long run that passed on a tree, so that an interrupted run continues where it was. Runs on Node 20. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { treeHash } from '../lib/git.mjs';
import { root } from '../lib/prerequisites.mjs';
import { RECORD } from './covered.mjs';

const FILE = join(root, 'node_modules/.cache/youshi/passed.json');
const KEPT_TREES = 5;

function readTrees() {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'));
  } catch {
    return {};
  }
}

/** The memory of the tree as it is: `passed(name)` returns a stage's result or undefined, `remember(name, result)` stores one. */
export function memoryOfTree() {
  const tree = treeHash([RECORD]);
  return {
    tree,
    passed: (name) => (tree === undefined ? undefined : readTrees()[tree]?.[name]),
    remember(name, { passed, skipped, skips = [], seconds }) {
      if (tree === undefined) return;
      const { [tree]: own = {}, ...others } = readTrees();
      const kept = Object.fromEntries(Object.entries(others).slice(-(KEPT_TREES - 1)));
      const result = { passed, skipped, skips, seconds, at: new Date().toISOString() };
      mkdirSync(dirname(FILE), { recursive: true });
      writeFileSync(FILE, JSON.stringify({ ...kept, [tree]: { ...own, [name]: result } }));
    },
  };
}
