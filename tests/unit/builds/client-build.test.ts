import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { type BuiltPages, readBuiltPages } from '#web/build/built-pages.ts';
import { STOREFRONT, urlMap } from '#web/lib/pages/url-map.ts';

/** A storefront page may load this much JavaScript, as browsers get it (specification of the storefront, Speed). */
const BUDGET_BYTES = 130 * 1024;
const CLIENT = join(process.cwd(), 'build/client');
/** The same for pages of the user centre and the chat, which also load forms, dialogs and the chat's connection. */
const SIGNED_IN_BUDGET_BYTES = 170 * 1024;
/** Pages of the back office: lists with their tools, files and editors; and the conversations, which also load the chat. */
const STAFF_BUDGET_BYTES = 199 * 1024;
const SUPPORT_BUDGET_BYTES = 203 * 1024;

let pages: BuiltPages;

beforeAll(async () => {
  // By a computed address: a plain script has no types to import.
  const built = (await import(pathToFileURL(join(process.cwd(), 'scripts/lib/built.mjs')).href)) as {
    ensurePages(node: string): Promise<void>;
  };
  await built.ensurePages(process.execPath);
  pages = readBuiltPages(CLIENT);
});

const storefront = urlMap
  .filter(({ layout, file }) => file !== undefined && STOREFRONT.includes(layout))
  .map(({ path }) => path);

const signedIn = urlMap
  .filter(({ layout, file }) => file !== undefined && ['center', 'centerCode', 'chat', 'shop'].includes(layout))
  .map(({ path }) => path);

const staffPages = urlMap
  .filter(({ layout, file }) => file !== undefined && ['backstage', 'staff-plain'].includes(layout))
  .map(({ path }) => path);

describe.each(storefront)('%s', (path) => {
  const id = `page:${path}`;

  test('is among the built pages', () => {
    expect(pages.branchOf(id).length).toBeGreaterThan(1);
  });

  test('loads no style sheet', () => {
    expect([...pages.chunksOf(id, true)].length).toBeGreaterThan(5);
    expect(pages.branchOf(id).flatMap(({ css }) => css)).toEqual([]);
  });

  test('stays within its JavaScript budget', () => {
    const bytes = [...pages.chunksOf(id)].reduce((sum, url) => sum + pages.servedBytes(url), 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(BUDGET_BYTES);
  });
});

describe.each(signedIn)('%s', (path) => {
  test('stays within its JavaScript budget', () => {
    const bytes = [...pages.chunksOf(`page:${path}`)].reduce((sum, url) => sum + pages.servedBytes(url), 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(SIGNED_IN_BUDGET_BYTES);
  });
});

describe.each(staffPages)('%s', (path) => {
  test('stays within its JavaScript budget', () => {
    const bytes = [...pages.chunksOf(`page:${path}`)].reduce((sum, url) => sum + pages.servedBytes(url), 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(path === '/backstage/chat' ? SUPPORT_BUDGET_BYTES : STAFF_BUDGET_BYTES);
  });
});

/** Syntax that browsers of the floor cannot parse (docs/BROWSERS.md). */
describe('browsers of the floor', () => {
  const built = (ending: string): [name: string, text: string][] =>
    readdirSync(join(CLIENT, 'assets'))
      .filter((name) => name.endsWith(ending))
      .map((name) => [name, readFileSync(join(CLIENT, 'assets', name), 'utf8')]);

  test('style sheets have no media query in the short form of ranges', () => {
    const sheets = built('.css');
    expect(sheets.length).toBeGreaterThan(1);
    for (const [name, text] of sheets) expect([...text.matchAll(/@media[^{]*[<>][^{]*/g)], name).toEqual([]);
  });

  test('every custom property in oklch() has a twin for browsers without', () => {
    for (const [name, text] of built('.css')) {
      const twins = [...text.matchAll(/@supports not \(color:oklch\(0 0 0\)\)\{([^@]*?\})\}/g)].map(
        ([, block = '']) => block,
      );
      const plain = twins.join('');
      const coloured = [...text.matchAll(/(--[\w-]+):[^;{}]*oklch\(/g)].map(([, property = '']) => property);
      expect(
        coloured.filter((property) => !plain.includes(`${property}:`)),
        name,
      ).toEqual([]);
      expect(plain, name).not.toMatch(/oklch|color-mix/);
    }
  });

  test('no rule is lost with :popover-open, and no script asks for it outside of :is()', () => {
    for (const [name, text] of built('.css')) {
      const heads = [...text.matchAll(/[{}]([^{}@]*:popover-open[^{}@]*)\{/g)].map(([, head = '']) => head);
      const lists = heads
        .map((head) => head.replaceAll(/:(?:is|where|not)\([^()]*\)/g, ''))
        .filter((head) => head.includes(','));
      expect(lists, name).toEqual([]);
    }
    for (const [name, text] of built('.js'))
      if (!name.startsWith('older-')) expect(text.match(/(?<!:is\():popover-open/g), name).toBeNull();
  });

  test('scripts have no flags and groups of regular expressions that the floor cannot parse', () => {
    // Lookbehind is read from Safari 16.4 on, below which pages run no scripts.
    for (const [name, text] of built('.js'))
      expect(text.match(/\(\?[ims]+(?:-[ims]+)?:|\/[dgimsuy]*v[dgimsuy]*\.(?:test|exec)\(/g), name).toBeNull();
  });
});
