import { expect, it } from 'vitest';
import { INVITE_HOURS, inviteCodeOf } from './invite.ts';

const codeIn = (query: string): string | null => inviteCodeOf(new URLSearchParams(query));

it('an invite code has 4 to 16 letters or digits, under either name', () => {
  expect([codeIn('inviteCode=Ab12'), codeIn('invitecode=Ab12')]).toEqual(['Ab12', 'Ab12']);
  expect(codeIn(`inviteCode=${'a'.repeat(16)}`)).toBe('a'.repeat(16));
  for (const code of ['', 'abc', 'a'.repeat(17), '-abcd', 'abcd-', '中文代码'])
    expect(codeIn(`inviteCode=${encodeURIComponent(code)}`), code).toBeNull();
  expect(codeIn('')).toBeNull();
});

it('an invitation is remembered for a week', () => {
  expect(INVITE_HOURS).toBe(168);
});
