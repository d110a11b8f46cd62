import { expect, test } from 'vitest';
import { PageStyles } from '#server/ssr-style.ts';

const page = (...classes: string[]): string => classes.map((name) => `<i class="${name}"></i>`).join('');
const styleOf = (css: string, ...classes: string[]): string => new PageStyles(css).of('r', page(...classes)).text;

test('a page gets the rules of its classes and those without classes, in their order', () => {
  const css = '*{margin:0}.a{x:1}.b{x:2}h1,.c{x:3}.a .b{x:4}.a:hover{x:5}';
  expect(styleOf(css, 'a')).toBe('*{margin:0}.a{x:1}h1,.c{x:3}.a:hover{x:5}');
  expect(styleOf(css, 'a b')).toBe('*{margin:0}.a{x:1}.b{x:2}h1,.c{x:3}.a .b{x:4}.a:hover{x:5}');
});

test('what is inside :not(), :is() or an attribute does not keep a rule out', () => {
  const css = '.a:not(.z){x:1}:is(.y,.z) .a{x:2}.a[data-v=".q"]{x:3}:where(.dark,.dark *) .b{x:4}';
  expect(styleOf(css, 'a')).toBe('.a:not(.z){x:1}:is(.y,.z) .a{x:2}.a[data-v=".q"]{x:3}');
});

test('classes with signs are met in the sheet and in the page', () => {
  const css = String.raw`.md\:p-1\.5{x:1}.max-\[9px\]\:p{x:2}.\[\&\>svg\]\:w{x:3}.w-1\/2{x:4}`;
  expect(styleOf(css, 'md:p-1.5')).toBe(String.raw`.md\:p-1\.5{x:1}`);
  expect(styleOf(css, 'max-[9px]:p w-1/2')).toBe(String.raw`.max-\[9px\]\:p{x:2}.w-1\/2{x:4}`);
  expect(styleOf(css, '[&amp;&gt;svg]:w')).toBe(String.raw`.\[\&\>svg\]\:w{x:3}`);
});

test('groups keep what is left of them, layers their order, and named things come with their users', () => {
  const css =
    '@layer a,b;@layer a{.p{x:1}}@layer b{.q{x:2}}@media (width>1px){.p{x:3}@supports (x:1){.q{x:4}}}@media print{.q{x:5}}' +
    '@keyframes spin{to{x:1}}@keyframes fade{to{x:2}}.p{animation:spin 1s}.q{animation:fade}@property --t{syntax:"*";inherits:false}';
  expect(styleOf(css, 'p')).toBe(
    '@layer a,b;@layer a{.p{x:1}}@layer b{}@media (width>1px){.p{x:3}}@keyframes spin{to{x:1}}.p{animation:spin 1s}',
  );
});

test('braces, commas and semicolons in texts end nothing', () => {
  // A licence before the first layer: the order of layers must not change.
  expect(styleOf('/*! v4.3 | example.com */\n@layer p{*{x:1}}@layer q{.z{x:2}}', 'a')).toBe(
    '@layer p{*{x:1}}@layer q{}',
  );
  const css = `.a{content:"}.b{"}.a:before{content:'\\'}'}/* .a{ */.b{background:url("data:;,{}")}`;
  expect(styleOf(css, 'a')).toBe(`.a{content:"}.b{"}.a:before{content:'\\'}'}`);
});

test('pages of a route share one sheet, which grows by what is new', () => {
  const styles = new PageStyles('.a{x:1}.b{x:2}.c{x:3}');
  expect(styles.of('r', page('a')).text).toBe('.a{x:1}');
  expect(styles.of('r', page('b')).text).toBe('.a{x:1}.b{x:2}');
  expect(styles.of('r', page('a')).text).toBe('.a{x:1}.b{x:2}');
  expect(styles.of('other', page('c')).text).toBe('.c{x:3}');
});

test('too many routes get the whole sheet', () => {
  const styles = new PageStyles('.a{x:1}.b{x:2}');
  for (let i = 0; i < 400; i++) expect(styles.of(`r${i}`, page('a')).text).toBe('.a{x:1}');
  expect(styles.of('one more', page('a')).text).toBe('.a{x:1}.b{x:2}');
  expect(styles.of('r1', page('a')).text).toBe('.a{x:1}');
});
