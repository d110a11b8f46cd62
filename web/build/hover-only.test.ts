import postcss from 'postcss';
import { expect, test } from 'vitest';
import { hoverOnly } from './hover-only.ts';

const after = (css: string): string =>
  postcss([hoverOnly()]).process(css, { from: undefined }).css.replace(/\s+/g, ' ').trim();

test('a rule of hovered elements is for pointers that hover', () => {
  expect(after('.a:hover b{color:red}')).toBe('@media (hover: hover){.a:hover b{color:red}}');
});

test('the part of a rule about other elements applies to all', () => {
  expect(after('.a:hover,.a[aria-pressed]{color:red}')).toBe(
    '.a[aria-pressed]{color:red}@media (hover: hover){.a:hover{color:red}}',
  );
});

test('a rule that asks for pointers or fingers itself is left alone', () => {
  for (const css of [
    '@media (hover: none){.a:hover{color:red}}',
    '@media (hover:hover){.b{&:hover{color:red}}}',
    '.c{&:hover{@media (hover: hover){color:red}}}',
    '.hover\\:d{color:red}',
  ])
    expect(after(css)).toBe(css);
});
