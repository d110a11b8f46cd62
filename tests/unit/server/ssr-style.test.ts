import { expect, test } from 'vitest';
import { PageStyles } from '#server/ssr/ssr-style.ts';

const page = (...classes: string[]): string => classes.map((name) => `<i class="${name}"></i>`).join('');
const styleOf = (css: string, ...classes: string[]): string => new PageStyles(css).of('r', page(...classes)).text;

test('a page gets the rules of its classes and those without classes, in their order', () => {
  const css = '*{margin:0}.a{x:1}.b{x:2}i,.c{x:3}.a .b{x:4}.a:focus{x:5}';
  expect(styleOf(css, 'a')).toBe('*{margin:0}.a{x:1}i{x:3}.a:focus{x:5}');
  expect(styleOf(css, 'a b')).toBe('*{margin:0}.a{x:1}.b{x:2}i{x:3}.a .b{x:4}.a:focus{x:5}');
  expect(styleOf(css, 'c')).toBe('*{margin:0}i,.c{x:3}');
});

test('rules of elements and of data- and aria- attributes come with pages that have them', () => {
  const css =
    'h1,h2>i,linearGradient,my-i{x:1}.a:is(h3){x:2}hr{x:3}.a[aria-busy=true]{x:4}[data-v]{x:5}[dir]{x:6}input::-webkit-date-and-time-value{x:7}';
  const of = (html: string): string => new PageStyles(css).of('r', html).text;
  expect(of('<i class="a">h1 data-v</i><hrx/>')).toBe('.a:is(h3){x:2}[dir]{x:6}');
  expect(of('<h2><i></i></h2><hr/>')).toBe('h2>i{x:1}hr{x:3}[dir]{x:6}');
  expect(of('<h1 data-v="2">')).toBe('h1{x:1}[data-v]{x:5}[dir]{x:6}');
  expect(of('<p class="a" aria-busy="true">')).toBe('.a:is(h3){x:2}.a[aria-busy=true]{x:4}[dir]{x:6}');
  expect(of('<p class="a" aria-busy="false">')).toBe('.a:is(h3){x:2}[dir]{x:6}');
  expect(of('<linearGradient/>')).toBe('linearGradient{x:1}[dir]{x:6}');
  expect(of('<my-i></my-i>')).toBe('my-i{x:1}[dir]{x:6}');
  expect(of('<input type="text"/>')).toBe('[dir]{x:6}');
  expect(of('<input type="date"/>')).toBe('[dir]{x:6}input::-webkit-date-and-time-value{x:7}');
});

test('rules for hover and active elements are loaded with the rest', () => {
  const css =
    '.a:hover,.a:focus{x:1}@media (hover:hover){.a:hover{x:2}}.a:active:not(.b){x:3}.a:not(:hover){x:4}.hover\\:b:hover{x:5}';
  expect(styleOf(css, 'a hover:b')).toBe('.a:focus{x:1}.a:not(:hover){x:4}');
});

test('custom properties come with what uses them, in rules, in other properties or in the page itself', () => {
  const css =
    ':root{--a:1;--b:var(--a);--c:3;--light: ;--d:var(--light)}.p{x:var(--b)}.q{x:var(--d,2);--a:4}.r{--c:5}@property --c{syntax:"*"}';
  expect(styleOf(css, 'p')).toBe(':root{--a:1;--b:var(--a)}.p{x:var(--b)}');
  // A space is a separate value.
  expect(styleOf(css, 'q')).toBe(':root{--light: ;--d:var(--light)}.q{x:var(--d,2)}');
  expect(new PageStyles(css).of('r', '<i class="r" style="x:var(--c)"></i>').text).toBe(
    ':root{--c:3}.r{--c:5}@property --c{syntax:"*"}',
  );
});

test('names that a text or an address makes up change nothing', () => {
  const styles = new PageStyles(':root{--a:1;--b:2}.p{x:var(--a)}');
  const first = styles.of('r', page('p'));
  const names = Array.from({ length: 1000 }, (_, i) => `var(--made-up-${i})`).join('.');
  expect(styles.of('r', `${page('p')}<a href="/login?to=${names}">`)).toBe(first);
  expect(styles.of('r', `${page('p')}<i style="x:var(--b)">`).text).toBe(':root{--a:1;--b:2}.p{x:var(--a)}');
});

test('content of :not(), :is() or an attribute does not exclude a rule', () => {
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
