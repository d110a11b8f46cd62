import { expect, test } from 'vitest';
import { isWeakPassword, isWeakPin } from '#subjects/accounts/server/rules.ts';
import { isBreachedPassword } from './breached-passwords.ts';

test('ASVS 6.2.12: passwords of published leaks are known, in whatever case', () => {
  for (const password of ['trustno1', 'TrustNo1', 'liverpool1', 'michelle1', 'Passw0rd', 'qwerty123'])
    expect(isBreachedPassword(password), password).toBe(true);
  for (const password of ['correct-horse-9', '雨天不打伞88', 'Youshi#2026ok', '738264'])
    expect(isBreachedPassword(password), password).toBe(false);
});

test('ASVS 6.2.12: they are weak for users, as log-in and as pay password', () => {
  expect(isWeakPassword('michelle1', '13912345678')).toBe(true);
  expect(isWeakPassword('quokka-7194', '13912345678')).toBe(false);
  expect(isWeakPin('696969', '13912345678')).toBe(true);
  expect(isWeakPin('159753', '13912345678')).toBe(true);
  expect(isWeakPin('738264', '13912345678')).toBe(false);
});
