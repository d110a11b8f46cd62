import { expect, test } from 'vitest';
import { MAX_SECURITY_SCORE, securityScore } from '#subjects/seller-levels/rules/standing.ts';
import { securityItems } from './security.ts';

const nothing = {
  authStatus: 0,
  isHadPhone: false,
  isHadPassWord: false,
  isPayPassWord: false,
  isHadEmail: false,
  aliAccount: null,
  wxAccount: null,
  bankAccount: null,
};

test('each completed item is one point above the base of three', () => {
  const cases = [
    nothing,
    { ...nothing, authStatus: 1 },
    { ...nothing, authStatus: 2, isHadPhone: true },
    { ...nothing, bankAccount: '6222 **** 0011', isPayPassWord: true },
    {
      ...nothing,
      authStatus: 2,
      isHadPhone: true,
      isHadPassWord: true,
      isPayPassWord: true,
      isHadEmail: true,
      wxAccount: 'a',
    },
  ];
  for (const account of cases) {
    const score = securityScore({
      ...account,
      isHadPayout: Boolean(account.aliAccount ?? account.wxAccount ?? account.bankAccount),
    });
    const items = securityItems(account);
    expect(items.filter(({ held }) => held)).toHaveLength(score - 3);
    expect(MAX_SECURITY_SCORE - score).toBe(items.filter(({ held }) => !held).length);
  }
});
