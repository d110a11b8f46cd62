import { expect, test } from 'vitest';
import { base32, nextTotp, secondsToNextStep, totpCode, totpStep } from './totp.ts';

const SECRET = base32(Buffer.from('12345678901234567890'));

test('secrets are written in base32', () => {
  expect(SECRET).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
});

// RFC 6238 appendix B gives eight digits; six are its suffix.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at second %i is that of RFC 6238', (seconds, code) => {
  expect(totpCode(SECRET, seconds * 1000)).toBe(code);
});

test('a code is accepted one step early and late, not two', () => {
  const at = 1_700_000_000_000;
  const step = Math.floor(at / 30_000);
  for (const shift of [-1, 0, 1])
    expect(totpStep(SECRET, totpCode(SECRET, at + shift * 30_000), at)).toBe(step + shift);
  for (const shift of [-2, 2]) expect(totpStep(SECRET, totpCode(SECRET, at + shift * 30_000), at)).toBeUndefined();
});

test('the next code must be unused, and the response says when it is accepted', () => {
  const atMs = 1_000_000 * 30_000 + 10_000;
  const codeAt = (step: number) => totpCode(SECRET, step * 30_000);
  expect(nextTotp(SECRET, 0, atMs)).toEqual({ code: codeAt(1_000_000), waitSeconds: 0, secondsLeft: 20 });
  expect(nextTotp(SECRET, 1_000_000, atMs)).toEqual({ code: codeAt(1_000_001), waitSeconds: 0, secondsLeft: 50 });
  const later = nextTotp(SECRET, 1_000_001, atMs);
  expect(later).toEqual({ code: codeAt(1_000_002), waitSeconds: 20, secondsLeft: 80 });
  expect(totpStep(SECRET, later.code, atMs)).toBeUndefined();
  expect(totpStep(SECRET, later.code, atMs + 20_000)).toBe(1_000_002);
});

test.each([
  [0, 30],
  [1, 30],
  [1000, 29],
  [29_999, 1],
  [30_000, 30],
])('%i ms into a step the next code appears in %i s', (ms, seconds) => {
  expect(secondsToNextStep(1_000_000 * 30_000 + ms)).toBe(seconds);
});

test('a secret is accepted in groups, in lower case and short; an invalid one gives none', () => {
  const at = 1_111_111_109_000;
  const stored = `${SECRET.slice(0, 4)} ${SECRET.slice(4).toLowerCase()}==`;
  expect(totpCode(stored, at)).toBe('081804');
  expect(totpStep(stored, '081804', at)).toBe(Math.floor(at / 30_000));
  expect(totpStep('GEZDGNBVGY3TQOJQ', totpCode('GEZDGNBVGY3TQOJQ', at), at)).toBe(Math.floor(at / 30_000));
  for (const code of ['', '81804', '08180４', '0818045', 'abcdef']) expect(totpStep(SECRET, code, at)).toBeUndefined();
});
