import { expect, it } from 'vitest';
import { isMail } from './mail.ts';

it.each(['a@b.cn', 'first.last+tag_1-2@mail-1.example.com.cn', `${'a'.repeat(64)}@b.cn`, `a@${'b'.repeat(115)}.cn`])(
  '%j is an address',
  (text) => expect(isMail(text)).toBe(true),
);

it.each([
  '',
  'a@b',
  '@b.cn',
  'a@.cn',
  'a@b.',
  'a b@c.cn',
  ' a@b.cn',
  'a@b.cn ',
  'a@b_c.cn',
  'a@b.c_n',
  '中@b.cn',
  'a@@b.cn',
  `${'a'.repeat(65)}@b.cn`,
  `a@${'b'.repeat(116)}.cn`,
])('%j is none', (text) => expect(isMail(text)).toBe(false));
