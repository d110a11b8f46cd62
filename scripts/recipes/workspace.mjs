/**
 * A copy of the working tree in which a recipe of docs/HOWTO.md is followed, and the edits that a recipe makes. An edit of a file that the
 * recipe does not name fails, and so does one whose place is gone: then the recipe, or its code here, is to be corrected. Runs on Node 20.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onInterrupt } from '../lib/run.mjs';

/** The recipes by their titles, without what is said in brackets. */
export function recipeTexts(root) {
  const text = readFileSync(join(root, 'docs/HOWTO.md'), 'utf8');
  const parts = text.split(/^## /m).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')).replace(/ \(.*$/, ''), part]));
}

function copyTree(root, folder) {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of new Set(list.toString('utf8').split('\0')))
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

/** Runs `work` with the folder of a copy of the tree, which is removed afterwards. */
export async function withCopy(root, work) {
  const folder = mkdtempSync(join(tmpdir(), 'youshi-recipes-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const forget = onInterrupt(remove);
  try {
    copyTree(root, folder);
    return await work(folder);
  } finally {
    remove();
    forget();
  }
}

/** The number that a migration gets next, as '0252'. */
function nextMigration(folders) {
  const names = folders.map((folder) => join(folder, 'db/migrations')).filter((path) => existsSync(path));
  const numbers = names.flatMap((path) => readdirSync(path)).map((name) => Number.parseInt(name, 10));
  return String(Math.max(...numbers.filter(Number.isInteger)) + 1).padStart(4, '0');
}

/**
 * The edits of one recipe. `text` is the recipe; each edited file is named in it, or by `says`: the words that stand for the file.
 * What `folder` does not have yet is read from `source`. Every function throws an Error that says what is wrong.
 */
export function editorOf(folder, text, source = folder) {
  const flat = text.replaceAll(/\s+/g, ' ');
  const requireNamed = (path, says) => {
    if (says === undefined ? flat.includes(`\`${path}\``) : flat.includes(says)) return;
    throw new Error(says === undefined ? `${path} is not named by the recipe` : `the recipe does not say "${says}"`);
  };
  const read = (path) => readFileSync(join(existsSync(join(folder, path)) ? folder : source, path), 'utf8');
  const place = (path, anchor) => {
    const old = read(path);
    const count = old.split(anchor).length - 1;
    if (count !== 1)
      throw new Error(`${path}: expected the anchor exactly once, found ${count}: ${JSON.stringify(anchor)}`);
    return old;
  };
  const write = (path, content) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  return {
    read,
    replace(path, anchor, content, says) {
      requireNamed(path, says);
      write(
        path,
        place(path, anchor).replace(anchor, () => content),
      );
    },
    /** Adds lines after the one that begins with `anchor`. */
    after(path, anchor, content, says) {
      requireNamed(path, says);
      const old = place(path, anchor);
      const end = old.indexOf('\n', old.indexOf(anchor)) + 1;
      write(path, `${old.slice(0, end)}${content}\n${old.slice(end)}`);
    },
    /** A new file of a kind that the recipe describes by `says`. */
    create(path, content, says) {
      requireNamed(path, says);
      if ([folder, source].some((root) => existsSync(join(root, path)))) throw new Error(`${path} already exists`);
      write(path, content);
    },
    /** A new migration; returns its name without `.sql`. Without `sql` only the name, for `npm run db:function`. */
    migration(slug, sql) {
      requireNamed('', 'igration');
      const name = `${nextMigration([folder, source])}_${slug}`;
      if (sql !== undefined) write(`db/migrations/${name}.sql`, sql);
      return name;
    },
  };
}
