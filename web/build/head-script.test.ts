import { join } from 'node:path';
import vm from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import { compileHeadScript } from './head-script.ts';

let text = '';

beforeAll(async () => {
  ({ text } = await compileHeadScript(join(import.meta.dirname, '../head/head.ts')));
});

/** A page that is still loading, whose elements answer as far as the script asks. */
function pageWith(attributes: Readonly<Record<string, string>>) {
  const page = vm.createContext({ attributes, URL, setTimeout: () => 0, console });
  const run = (code: string): unknown => vm.runInContext(code, page);
  run(`
    var window = globalThis, heard = {}, added = [], sent = [], prevented = [];
    class Element {
      constructor(tagName, own) { Object.assign(this, { tagName }, own); }
      closest(selector) { return this.in && selector.split(',').includes(this.in) ? this : null; }
      getAttribute(name) { return this[name]; }
      animate() {}
      appendChild(child) { added.push(child); }
    }
    var HTMLElement = Element, location = {}, sessionStorage = {};
    HTMLElement.prototype.popover = null;
    class PerformanceObserver { observe() {} }
    var history = { state: { isOver: true }, back() { sent.push('back'); } };
    var document = {
      currentScript: { nonce: 'n0nce', dataset: attributes }, head: new Element('HEAD'), visibilityState: 'visible',
      addEventListener(type, listener) { (heard[type] ??= []).push(listener); },
      createElement: (name) => new Element(name), querySelector: () => null, querySelectorAll: () => [],
    };
    function addEventListener(type, listener) { document.addEventListener(type, listener); }
    function happen(type, target, more) {
      const event = { type, target, preventDefault() { prevented.push(target); }, ...more };
      for (const listener of heard[type] ?? []) listener(event);
    }
  `);
  return { run };
}

test('its syntax is older than the floor of browsers', () => {
  expect(text).toMatch(/^\(function\(\)\{[\s\S]*\}\)\(\);$/);
  expect(text).not.toMatch(/\?\.[a-z([]|\?\?|\basync\b|\bawait\b|catch\{|\*\*|\{\.\.\./);
});

test('buttons, forms and fields are queued, links and GET forms are not', () => {
  const { run } = pageWith({});
  run(text);
  run(`
    var link = new Element('A', { href: '/' }), button = new Element('BUTTON', { in: 'button', type: 'button' });
    var submit = new Element('BUTTON', { in: 'button', type: 'submit', form: {} });
    var form = new Element('FORM', { method: 'post' }), search = new Element('FORM', { method: 'get' });
    var opens = new Element('A', { in: 'a[aria-haspopup]', href: '/x' });
    var select = new Element('SELECT', { value: 'a' });
    for (const one of [link, button, submit, opens]) happen('click', one);
    happen('submit', form, { submitter: submit });
    happen('submit', search);
    happen('input', select);
    select.value = 'reset';
    happen('change', select);
    select.value = 'b';
    happen('input', select);
  `);
  expect(run('[...early.acts].map((one) => [button, opens, form].indexOf(one)).join()')).toBe('0,1,2');
  expect(run('prevented.map((one) => [opens, form].indexOf(one)).join()')).toBe('0,1');
  expect(run('early.fields.get(select).join()')).toBe('a,b');
});

test('once the page is hydrated, only input in parts that are not is queued', () => {
  const { run } = pageWith({});
  run(text);
  run(`
    early.done = true;
    happen('click', new Element('BUTTON', { in: 'button', type: 'button' }));
    happen('input', new Element('INPUT', { in: '[data-late]', value: 'x' }));
  `);
  expect(run('early.acts.size')).toBe(0);
  expect(run('early.fields.size')).toBe(1);
});

test('the entry of a closed dialog is left at once', () => {
  const { run } = pageWith({});
  run(text);
  expect(run('sent.join()')).toBe('back');
});

test('polyfills are loaded with the page’s nonce, and only where something is missing', () => {
  const older = pageWith({ older: '/assets/older.js' });
  older.run('delete Map.groupBy');
  older.run(text);
  expect(older.run('added.map(({ src, nonce }) => src + nonce).join()')).toBe('/assets/older.jsn0nce');
  expect(older.run('olderWait')).toBe(true);
  const current = pageWith({ older: '/assets/older.js' });
  current.run(text);
  expect(current.run('added.length')).toBe(0);
});
