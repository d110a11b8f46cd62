import { beforeEach, expect, test } from 'vitest';
import { putGlobals } from '#tests/support/tools/globals.ts';
import { intentDone, intentKey, isOutcomeOpen, type KeyStore } from './intent-key.ts';

let saved: Map<string, string>;
let store: KeyStore;
let created: number;
const make = () => `key-${++created}`;

beforeEach(() => {
  saved = new Map();
  created = 0;
  store = {
    getItem: (name) => saved.get(name) ?? null,
    setItem: (name, value) => void saved.set(name, value),
    removeItem: (name) => void saved.delete(name),
  };
});

test('a retry and a reload send the same key', () => {
  const body = { goodsSn: 'YS2618407', goodsNum: 1 };
  const first = intentKey('place:YS2618407', body, make, store);
  expect(intentKey('place:YS2618407', { ...body }, make, store)).toBe(first);
  expect(created).toBe(1);
});

test('a different body is a different intent', () => {
  const first = intentKey('place:a', { goodsNum: 1 }, make, store);
  expect(intentKey('place:a', { goodsNum: 2 }, make, store)).not.toBe(first);
});

test('intents do not share keys, and an ended one gets a new key', () => {
  const a = intentKey('place:a', {}, make, store);
  const b = intentKey('place:b', {}, make, store);
  expect(a).not.toBe(b);
  intentDone('place:a', store);
  expect(intentKey('place:a', {}, make, store)).not.toBe(a);
  expect(intentKey('place:b', {}, make, store)).toBe(b);
});

test('a damaged or blocked store still gives a key', () => {
  saved.set('intent:place:a', '{');
  expect(intentKey('place:a', {}, make, store)).toBe('key-1');
  const full: KeyStore = {
    ...store,
    setItem: () => {
      throw new Error('full');
    },
  };
  expect(intentKey('place:c', {}, make, full)).toBe('key-2');
});

test('only a missing response or a server error leaves the result unknown', () => {
  expect([0, 500, 503].map((status) => isOutcomeOpen({ status }))).toEqual([true, true, true]);
  expect([403, 409, 422, 429].map((status) => isOutcomeOpen({ status }))).toEqual([false, false, false, false]);
});

test.each([
  ['null', 'nothing'],
  ['{"key":1,"body":"{}"}', 'a key that is no text'],
  ['{"key":"old","body":{}}', 'a body that is no text'],
  ['{"key":"old"}', 'no body'],
  ['{"body":"{}"}', 'no key'],
  ['7', 'a number'],
  ['{"key":"old","body":["{}"]}', 'a list'],
])('a stored %s (%s) is no saved key', (text) => {
  saved.set('intent:place:a', text);
  expect(intentKey('place:a', {}, make, store)).toBe('key-1');
  expect(saved.get('intent:place:a')).toBe('{"key":"key-1","body":"{}"}');
});

test('a store that may not be read or cleared causes no error', () => {
  const blocked = (): never => {
    throw new Error('blocked');
  };
  const closed: KeyStore = { getItem: blocked, setItem: blocked, removeItem: blocked };
  expect(intentKey('place:a', {}, make, closed)).toBe('key-1');
  expect(() => intentDone('place:a', closed)).not.toThrow();
});

test('without a separate store an intent is kept for the tab', () => {
  const restore = putGlobals({ sessionStorage: store });
  try {
    const key = intentKey('place:a', {}, make);
    expect(intentKey('place:a', {}, make)).toBe(key);
    intentDone('place:a');
    expect(saved.size).toBe(0);
  } finally {
    restore();
  }
});

test.each([
  [1, false],
  [200, false],
  [499, false],
  [500, true],
  [599, true],
])('after the status %i the result is open: %o', (status, isOpen) => {
  expect(isOutcomeOpen({ status })).toBe(isOpen);
});
