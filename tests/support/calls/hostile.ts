/** Bad input for any call, generated from the call's own declaration, and the check of the response. */
import type { Endpoint } from '#contract/endpoint.ts';
import { jsonSchema, type Json, type JsonObject } from '#server/http/openapi/openapi-schema.ts';

/** One request of an attacker. */
export interface Probe {
  name: string;
  method: 'GET' | 'POST';
  url: string;
  payload?: string;
  type?: string;
  /** The schema turns it away, whatever the handler would do. */
  isTurnedAway?: boolean;
}

/** Contained in sent texts; no rejection may repeat it. */
export const MARK = 'zqx9';

const deep = (n: number): string => `${'['.repeat(n)}${']'.repeat(n)}`;

/** Sent as text, to every field of every call. */
const TEXTS: Readonly<Record<string, string>> = {
  empty: '',
  blank: '   ',
  zero: '0',
  negative: '-1',
  'negative zero': '-0',
  fraction: '1.5',
  'three decimals': '0.001',
  exponent: '1e3',
  'beyond a double': '1e309',
  'beyond a safe integer': '9007199254740993',
  'beyond an integer of the database': '99999999999',
  'below 64 bits': '-9223372036854775809',
  'forty digits': '9'.repeat(40),
  hexadecimal: '0x1F',
  underscore: '1_000',
  'sign of plus': '+1',
  'full-width digit': '１２',
  'other digits': '٣',
  'not a number': 'NaN',
  infinity: 'Infinity',
  null: 'null',
  undefined: 'undefined',
  true: 'true',
  'empty list': '[]',
  'list of numbers': '[1,2]',
  'list of lists': '[[[]]]',
  'empty object': '{}',
  'object of objects': `{"a":{"b":{"c":"${MARK}"}}}`,
  'prototype keys': '{"__proto__":{"isAdmin":true},"constructor":{"prototype":1}}',
  'deep list': deep(400),
  'deep object': `${'{"a":'.repeat(400)}1${'}'.repeat(400)}`,
  'broken text of JSON': '{"a":',
  quote: `' or '1'='1' -- ${MARK}`,
  sleep: '1;select pg_sleep(3)--',
  wildcard: '%_\\',
  path: `../../etc/passwd${MARK}`,
  address: `http://127.0.0.1/${MARK}`,
  script: `<script>${MARK}</script>`,
  template: '${7*7}{{7*7}}',
  'key of every object': '__proto__',
  constructor: 'constructor',
  NUL: `a\0${MARK}`,
  'control characters': `a\u0001\u001b${MARK}`,
  'right to left': '\u202e\u2066',
  'line separators': '\u2028\u2029',
  emoji: '😀'.repeat(30),
  'piled accents': `a${'\u0300'.repeat(200)}`,
  'no such day': '2026-13-45',
  'far year': '99999-01-01T00:00:00Z',
  'five thousand characters': '字'.repeat(5000),
  'thirty thousand characters': 'a'.repeat(30_000),
  'for a slow pattern': `${'a'.repeat(60)}!`,
};

/** Bytes behind the equals sign that no URLSearchParams would write. */
const BYTES: Readonly<Record<string, string>> = {
  'half a character': '%E4%BD',
  overlong: '%C0%AF',
  'lone surrogate': '%ED%A0%80',
  'not UTF-8': '%FF%FE',
  'bad percent': '%zz',
  'old escape': '%u4f60',
};

/** Sent in a JSON body in place of a text. */
const VALUES: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  'negative number': -1,
  'fraction of a number': 1.5,
  'large number': 1e308,
  'unsafe number': 2 ** 53 + 2,
  list: [],
  'list of objects': [{ a: 1 }, { b: [2] }],
  object: {},
  'operator object': { $gt: '' },
  'nested object': { a: { b: { c: { d: [1, { e: MARK }] } } } },
};

/** Bodies of JSON that are no input at all. */
const BODIES: Readonly<Record<string, string>> = {
  'list at the top': '[1,2]',
  'null at the top': 'null',
  'number at the top': '1',
  'text at the top': '"x"',
  'cut off': '{"goodsSn":"',
  'deep list': deep(10_000),
  'deep object': `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  prototype: '{"__proto__":{"isAdmin":true}}',
  'lone surrogate': '{"goodsSn":"\\ud800","content":"\\ud800"}',
  'number out of range': '{"orderId":1e400}',
};

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** Valid input values. */
export type Good = Readonly<Record<string, string>>;

const at = (value: Json | undefined, key: string): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value[key] : undefined;

function sampleOf(node: Json | undefined): string {
  const options = at(node, 'enum');
  if (Array.isArray(options) && typeof options[0] === 'string') return options[0];
  const type = at(node, 'type');
  const least = at(node, 'minimum');
  if (type === 'integer' || type === 'number') return typeof least === 'number' ? String(least) : '1';
  if (type === 'boolean') return '1';
  if (type === 'array') return '[]';
  if (type === 'object') return '{}';
  return at(node, 'description') === '元，最多两位小数' ? '12.00' : '一二三四五六';
}

const fieldsOf = (endpoint: Endpoint): JsonObject =>
  (jsonSchema(endpoint.input, 'input').properties ?? {}) as JsonObject;

/** A good input: what `known` says of a field, else a sample by its schema; optional fields only when known. */
export function goodInput(endpoint: Endpoint, existing: Good): Good {
  const required = (jsonSchema(endpoint.input, 'input').required ?? []) as string[];
  return Object.fromEntries(
    Object.entries(fieldsOf(endpoint))
      .filter(([name]) => name in existing || required.includes(name))
      .map(([name, node]) => [name, existing[name] ?? sampleOf(node)]),
  );
}

/** The field's own bounds, just missed. */
function beyond(node: Json | undefined): Record<string, string> {
  const out: Record<string, string> = {};
  const minimum = at(node, 'minimum') ?? at(node, 'exclusiveMinimum');
  const maximum = at(node, 'maximum') ?? at(node, 'exclusiveMaximum');
  const longest = at(node, 'maxLength');
  if (typeof minimum === 'number') out['below its least'] = String(minimum - 1);
  if (typeof maximum === 'number') out['above its most'] = String(maximum + 1);
  if (typeof longest === 'number') out['one too long'] = '长'.repeat(longest + 1);
  return out;
}

const encoded = (input: Good): string => new URLSearchParams(input).toString();

/** Cursors that look like ours and hold what no list has written. */
const CURSORS: Readonly<Record<string, string>> = Object.fromEntries(
  [1, 2, 3].flatMap((length) =>
    ['x', -1, 1.5, 1e300, '2026-13-45', `a\0${MARK}`, '9'.repeat(50), null, {}].map((value) => [
      `cursor of ${length} times ${JSON.stringify(value)}`,
      Buffer.from(JSON.stringify(Array(length).fill(value))).toString('base64url'),
    ]),
  ),
);

/** Of the values that only the schema rejects, so many are sent for a field; each field begins at another. */
const TURNED_AWAY = 4;

/** Keeps every value that the schema lets through to the handler, and some of the others. */
function* worthSending<T>(values: readonly (readonly [string, T])[], turn: number, passes: (value: T) => boolean) {
  let rejected = 0;
  for (let i = 0; i < values.length; i++) {
    const entry = values[(i + turn * TURNED_AWAY) % values.length];
    if (!entry) continue;
    const [name, value] = entry;
    const isTurnedAway = !passes(value);
    if (!isTurnedAway || ++rejected <= TURNED_AWAY) yield { name, value, isTurnedAway };
  }
}

/** Probes of the fields, one at a time; the others hold what `good` says. */
function* fieldProbes(endpoint: Endpoint, good: Good, asForm: (name: string, body: string) => Probe): Generator<Probe> {
  const { method, path, input } = endpoint;
  for (const [turn, [field, node]] of Object.entries(fieldsOf(endpoint)).entries()) {
    const { [field]: _own, ...others } = good;
    yield asForm(`${field} missing`, encoded(others));
    const texts = Object.entries({ ...beyond(node), ...(field === 'cursor' && CURSORS), ...TEXTS });
    for (const { name, value, isTurnedAway } of worthSending(
      texts,
      turn,
      (v) => input.safeParse({ ...good, [field]: v }).success,
    ))
      if (method === 'POST' || value.length < 6000)
        yield { ...asForm(`${field} ${name}`, encoded({ ...good, [field]: value })), isTurnedAway };
    if (method === 'GET') continue;
    const values = Object.entries(VALUES);
    for (const { name, value, isTurnedAway } of worthSending(
      values,
      turn,
      (v) => input.safeParse({ ...good, [field]: v }).success,
    ))
      yield {
        name: `${field} ${name}`,
        method,
        url: path,
        payload: JSON.stringify({ ...good, [field]: value }),
        type: JSON_TYPE,
        isTurnedAway,
      };
  }
}

/** Probes of the way that fields are written, on the first field. */
function* writingProbes(
  endpoint: Endpoint,
  good: Good,
  asForm: (name: string, body: string) => Probe,
): Generator<Probe> {
  const all = encoded(good);
  const field = Object.keys(fieldsOf(endpoint))[0] ?? 'a';
  const { [field]: _own, ...others } = good;
  const rest = encoded(others);
  yield asForm('all that is good and NUL', `${all}&zz=%00`);
  for (const [name, bytes] of Object.entries(BYTES)) yield asForm(`${field} ${name}`, `${rest}&${field}=${bytes}`);
  yield asForm(`${field} twice`, `${all}&${field}=1&${field}=2`);
  yield asForm(`${field} as a list`, `${rest}&${field}[]=1&${field}[]=2`);
  yield asForm(`${field} as an operator`, `${rest}&${field}[$ne]=1`);
  yield asForm('prototype key', `${all}&__proto__=1`);
  yield asForm('prototype path', `${all}&__proto__[isAdmin]=1`);
  yield asForm('constructor key', `${all}&constructor=1`);
  yield asForm('a hundred and fifty fields', Array.from({ length: 150 }, (_, i) => `a${i}=1`).join('&'));
}

function* bodyProbes({ method, path }: Endpoint, good: Good): Generator<Probe> {
  for (const [name, payload] of Object.entries(BODIES)) yield { name, method, url: path, payload, type: JSON_TYPE };
  for (const type of ['text/plain', 'application/xml', 'multipart/form-data', 'multipart/form-data; boundary=x'])
    yield { name: `as ${type}`, method, url: path, payload: encoded(good), type };
  yield { name: 'too large', method, url: path, payload: 'a'.repeat(70_000), type: FORM };
}

/** So many of the probes of writing and of bodies go to one call; each call gets others. They test one parser, not the call. */
const OF_THE_PARSER = 6;

function* someOf(probes: readonly Probe[], turn: number): Generator<Probe> {
  for (let i = 0; i < OF_THE_PARSER; i++) {
    const probe = probes[(turn * OF_THE_PARSER + i) % probes.length];
    if (probe) yield probe;
  }
}

/** Every probe of one call. `good` is what the other fields hold, `turn` the call's place among all. */
export function* probesOf(endpoint: Endpoint, good: Good, turn: number): Generator<Probe> {
  const { method, path, idField } = endpoint;
  const asForm = (name: string, body: string): Probe =>
    method === 'GET'
      ? { name, method, url: `${path}?${body}` }
      : { name, method, url: path, payload: body, type: FORM };
  yield* fieldProbes(endpoint, good, asForm);
  yield asForm('nothing', '');
  yield* someOf([...writingProbes(endpoint, good, asForm)], turn);
  if (method === 'POST') yield* someOf([...bodyProbes(endpoint, good)], turn);
  if (idField === undefined) return;
  for (const [name, value] of Object.entries(TEXTS))
    if (value !== '' && value.length < 100)
      yield { name: `id in the path ${name}`, method, url: `${path}/${encodeURIComponent(value)}/` };
}

/** Replaces values in a body that is accepted unchanged. */
const LEAVES: readonly unknown[] = [
  null,
  true,
  '',
  '   ',
  -1,
  0,
  1.5,
  1e21,
  2 ** 53 + 2,
  '1e3',
  '１２',
  'NaN',
  '-0',
  '9'.repeat(40),
  `' or '1'='1' -- ${MARK}`,
  `<img src=x onerror=alert(1)>${MARK}`,
  '../../etc/passwd',
  '__proto__',
  'a\0b',
  '\ud800',
  '\u202e\u2066',
  '%_\\',
  '字'.repeat(5000),
  [],
  [[]],
  ['1', '1'],
  Array.from({ length: 200 }, (_, i) => i),
  {},
  { a: { b: [1] } },
  { $gt: '' },
  { min: 'a', max: {} },
  { all: [[]], any: null },
  { atLeast: -1, of: ['1'] },
  { atLeast: 99, of: [] },
];

/** So many of them are sent to one place; the next place gets the next ones. */
const LEAVES_A_FIELD = 12;

/** A body with one place of it changed. */
function changed(body: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(body)) return body.map((item, i) => (String(i) === key ? changed(item, rest, value) : item));
  const record = body as Record<string, unknown>;
  return { ...record, [key]: changed(record[key], rest, value) };
}

/** Every place of a body: its fields, and what lies in them. */
function placesOf(body: unknown, path: readonly string[] = []): string[][] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => [[...path, key], ...placesOf(value, [...path, key])]);
}

/**
 * Probes that begin from a body which the call accepts, so that they come further than its schema: each place of it, however deep, holds
 * some of the hostile values and is left out once; beside deep ones an unknown field is added.
 */
export function* leafProbes(endpoint: Endpoint, good: Readonly<Record<string, unknown>>): Generator<Probe> {
  const { method, path } = endpoint;
  const probe = (name: string, body: unknown): Probe => {
    if (method === 'POST') return { name, method, url: path, payload: JSON.stringify(body), type: JSON_TYPE };
    const query = Object.entries(body as Record<string, unknown>).flatMap(([field, value]) =>
      value === undefined ? [] : [[field, typeof value === 'string' ? value : JSON.stringify(value)]],
    );
    return { name, method, url: `${path}?${new URLSearchParams(query as string[][]).toString()}` };
  };
  for (const [turn, path] of placesOf(good).entries()) {
    const isDeep = path.length > 1;
    for (let i = 0; i < LEAVES_A_FIELD; i++) {
      const value = LEAVES[(turn * LEAVES_A_FIELD + i) % LEAVES.length];
      const text = JSON.stringify(value);
      // An address holds no more; 4,096 characters are the server's limit for one field there.
      if (method === 'GET' && text.length > 2000) continue;
      yield probe(`${path.join('.')} = ${text.slice(0, 60)}`, changed(good, path, value));
    }
    yield probe(`${path.join('.')} left out`, changed(good, path, undefined));
    if (isDeep && path.at(-1) !== '0')
      yield probe(`${path.join('.')} beside a stranger`, changed(good, [...path.slice(0, -1), '__proto__x'], 1));
  }
  if (method === 'POST') {
    const [first] = Object.keys(good);
    yield probe('a million characters', { ...good, [first ?? 'a']: 'a'.repeat(1_000_000) });
  }
}
