/** A call is declared by the subject that answers it: who looks for a call finds its schema, its answer and its page in one folder. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { expect, test } from 'vitest';
import { endpoints } from '#contract/registry.ts';
import { order } from '#subjects/order.ts';
import { sourceOf, urlMap } from '#web/lib/pages/url-map.ts';

/** Answers to staff that need higher subjects than that of their page are in the back office (decision 704). */
const BACK_OFFICE = 'back-office';

const subjectOf = (file: string): string => file.split('/')[1] ?? '';
const read = (pattern: string): Map<string, string> =>
  new Map(
    globSync(pattern, { exclude: ['**/*.test.ts'] })
      .map((file) => file.replaceAll('\\', '/'))
      .map((file) => [file, readFileSync(file, 'utf8')]),
  );

/** The name and the path of a declared call. */
const DECLARATION =
  /^export const (\w+) = (?:endpoint\(\{\s*method: '(GET|POST)',\s*path: '([^']+)'|staff(Read|Write)\(\s*'([^']+)')/gm;
const PASSED_ON = /^export \{([^}]*)\} from '\.\/([\w-]+\.ts)';/gm;
const IMPORT = /^import (?:\{([^}]*)\}|\* as (\w+)) from '#((?:contract|subjects)\/[^']+)';/gm;
const BOUND = /\bserver\.serve\(\s*([\w.]+)/g;

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Where each call is declared, as `file#name`, by its method and path; and where a file passes one on, by that place. */
function declarations(): { placeOf: Map<string, string>; passedOn: Map<string, string> } {
  const placeOf = new Map<string, string>();
  const passedOn = new Map<string, string>();
  for (const [file, text] of read('{contract,subjects/*/contract}/*.ts')) {
    for (const [, name = '', method, path, staff, staffPath] of text.matchAll(DECLARATION))
      placeOf.set(`${method ?? (staff === 'Read' ? 'GET' : 'POST')} ${path ?? staffPath ?? ''}`, `${file}#${name}`);
    for (const [, list = '', from = ''] of text.matchAll(PASSED_ON))
      for (const name of namesIn(list)) passedOn.set(`${file}#${name}`, `${dirname(file)}/${from}#${name}`);
  }
  return { placeOf, passedOn };
}

/** What the names in a file stand for, as `file#name`; those of a namespace end in `#`. */
function importsOf(text: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const [, list = '', namespace, file = ''] of text.matchAll(IMPORT)) {
    if (namespace !== undefined) names.set(namespace, `${file}#`);
    for (const one of namesIn(list)) {
      const [from = '', to = from] = one.split(' as ');
      names.set(to, `${file}#${from}`);
    }
  }
  return names;
}

/** The file that binds each call, by the call's place; a place that is bound twice is in the list twice. */
function routes(passedOn: ReadonlyMap<string, string>): [place: string, file: string][] {
  return [...read('{server,subjects/*/server}/**/*.ts')].flatMap(([file, text]) => {
    const names = importsOf(text);
    return [...text.matchAll(BOUND)].map(([, name = '']): [string, string] => {
      const [first = '', member = ''] = name.split('.');
      const place = `${names.get(first) ?? `unknown in ${file}#${first}`}${member}`;
      return [passedOn.get(place) ?? place, file];
    });
  });
}

const { placeOf, passedOn } = declarations();
const bound = routes(passedOn);
const boundIn = new Map(bound);
const placed = endpoints.map((endpoint) => ({
  endpoint,
  place: placeOf.get(`${endpoint.method} ${endpoint.path}`) ?? '',
}));

const staffPages = read('subjects/*/staff/**/*.{ts,tsx}');
const isOnOwnPage = (subject: string, name: string): boolean =>
  [...staffPages].some(([file, text]) => subjectOf(file) === subject && new RegExp(`\\b${name}\\b`).test(text));

test('the declaration and the route of every call are found', () => {
  const places = placed.map(({ place }) => place).sort();
  expect([...placeOf.values()].sort()).toEqual(places);
  expect(bound.map(([place]) => place).sort()).toEqual(places);
});

test('a call is declared by the subject that answers it, or for staff by that of the page which calls it', () => {
  const elsewhere = placed.flatMap(({ endpoint, place }) => {
    const declaring = subjectOf(place);
    const answering = subjectOf(boundIn.get(place) ?? '');
    if (declaring === answering) return [];
    const isForStaff = endpoint.auth === 'staff' && answering === BACK_OFFICE;
    if (isForStaff && isOnOwnPage(declaring, place.split('#')[1] ?? '')) return [];
    return [`${place} is answered by ${answering}`];
  });
  expect(elsewhere).toEqual([]);
});

test('a page is in a subject whose calls it shows', () => {
  const contracts = /from '(?:#subjects\/([\w-]+)|(?:\.\.\/)+)\/?contract\//g;
  const elsewhere = urlMap.flatMap(({ file }) => {
    const source = sourceOf(file);
    if (!source.startsWith('subjects/')) return [];
    const subjects = [...readFileSync(source, 'utf8').matchAll(contracts)].map(([, name]) => name ?? subjectOf(source));
    if (subjects.length === 0 || subjects.includes(subjectOf(source))) return [];
    return [`${source} shows calls of ${[...new Set(subjects)].join(', ')}`];
  });
  expect(elsewhere).toEqual([]);
});

/** The subjects whose services a file of the back office calls, itself or through files that it imports there. */
function servicesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const called = [...text.matchAll(/'#subjects\/([\w-]+)\/server\/service\.ts'/g)].map(([, name = '']) => name);
  const inner = [...text.matchAll(/ from '(\.\.?\/[^']*)';/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  );
  // What belongs only to the back office cannot move lower.
  const own = inner.some((path) => path.startsWith(`subjects/${BACK_OFFICE}/server/system/`)) ? [BACK_OFFICE] : [];
  return [...called, ...own, ...inner.flatMap((path) => servicesOf(path, seen))];
}

/** The file in the back office that has the handler of a call, and the call's place. */
function handlers(file: string): [place: string, file: string][] {
  const text = readFileSync(file, 'utf8');
  const names = importsOf(text);
  const local = new Map(
    [...text.matchAll(/^import \{([^}]*)\} from '(\.[^']+)';/gm)].flatMap(([, list = '', path = '']) =>
      namesIn(list).map((name): [string, string] => [name, normalize(join(dirname(file), path))]),
    ),
  );
  return text
    .split('server.serve(')
    .slice(1)
    .flatMap((rest): [string, string][] => {
      const [call = '', ...handler] = (rest.split(');\n')[0] ?? '').trim().split(/[^\w.]+/);
      const [first = '', member = ''] = call.split('.');
      const found = handler.map((name) => local.get(name)).find((path) => path !== undefined);
      return found === undefined ? [] : [[`${names.get(first) ?? ''}${member}`, found]];
    });
}

test('a call of staff is bound in `server/staff` of its subject, or in the back office if it needs a higher subject', () => {
  const ofStaff = placed.filter(({ endpoint }) => endpoint.auth === 'staff');
  const elsewhere = ofStaff
    .map(({ place }) => ({ place, file: boundIn.get(place) ?? '' }))
    .filter(({ file }) => !/^subjects\/[\w-]+\/server\/staff\//.test(file) && subjectOf(file) !== BACK_OFFICE);
  expect(elsewhere).toEqual([]);
  const routesOf = [...new Set(bound.map(([, file]) => file))].filter((file) => subjectOf(file) === BACK_OFFICE);
  const answered = routesOf.flatMap(handlers).filter(([place]) => subjectOf(place) !== BACK_OFFICE);
  expect(answered.length).toBeGreaterThan(30);
  const rank = (name: string): number => order.findIndex((one) => one === name);
  const tooHigh = answered.filter(
    ([place, file]) => !servicesOf(file).some((name) => rank(name) > rank(subjectOf(place))),
  );
  expect(tooHigh).toEqual([]);
});

test('pages of the back office are in `staff` of their subject', () => {
  const staffPages = urlMap.filter(({ layout }) => layout === 'backstage' || layout === 'staff-plain');
  expect(staffPages.length).toBeGreaterThan(30);
  expect(staffPages.map(({ file }) => file).filter((file) => !/^[\w-]+\/staff\//.test(file))).toEqual([]);
});
