import { expect, test } from 'vitest';
import { accountIdentity, accountName, maskedAccount } from './account-identity.ts';
import { deriveKeys } from './secrets/crypto.ts';

const keys = deriveKeys(Buffer.alloc(32, 7));
const same = (a: string, b: string, what: 'print' | 'near' = 'print'): boolean =>
  accountIdentity(keys, 2, a)[what].equals(accountIdentity(keys, 2, b)[what]);

test.each([
  ['her\u200Bo2026'],
  ['her\u00ADo2026'],
  ['her\u2060o2026'],
  ['her\u0301o2026'],
  ['ＨＥＲＯ２０２６'],
  ['HERO2026'],
  ['hеrо2026'],
  ['НЕRО2026'],
  ['hero-2026'],
  ['hero 2026.'],
  ['ʜᴇʀᴏ2026'],
  ['hero٢٠٢٦'],
  ['hero②⓪②⑥'],
])('A1: %j is the account hero2026', (text) => {
  expect(accountName(text)).toBe('hero2026');
  expect(same(text, 'hero2026')).toBe(true);
});

test('A1: a QQ number and a phone number are the same with their usual additions', () => {
  for (const text of ['10001@qq.com', '10001 @ QQ.com.', '１０００１＠ｑｑ．ｃｏｍ', '10001\u200B'])
    expect(same(text, '10001')).toBe(true);
  for (const text of ['+86 138-0013-8000', '8613800138000', '0086 13800138000'])
    expect(same(text, '13800138000')).toBe(true);
  expect(same('hero@qq.com', 'hero')).toBe(false);
  expect(same('8612345', '12345')).toBe(false);
});

test('A1: other mail domains are other accounts, and nearly the same', () => {
  for (const text of ['hero@163.com', 'hero@126.com', 'hero@vip.qq.com', 'hero']) {
    if (text !== 'hero@163.com') expect(same(text, 'hero@163.com')).toBe(false);
    expect(same(text, 'hero@163.com', 'near')).toBe(true);
  }
  expect(same('hero1', 'hero2', 'near')).toBe(false);
});

test('A1: accounts of two games differ, and a name of only symbols is kept as it is', () => {
  expect(accountIdentity(keys, 2, 'hero').print.equals(accountIdentity(keys, 3, 'hero').print)).toBe(false);
  expect(same('★★', '☆☆')).toBe(false);
  expect(same('英雄一号', '英雄二号')).toBe(false);
});

test('a name is shown with its middle hidden', () => {
  expect([maskedAccount('hero2026'), maskedAccount('her\u200Bo'), maskedAccount('a')]).toEqual([
    'he***26',
    'h***',
    'a***',
  ]);
});
