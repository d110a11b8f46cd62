import { expect, test } from 'vitest';
import {
  SEALED_OPEN_SECONDS,
  sealedFieldKeys,
  sealedFieldKind,
  stepFieldLabel,
  usualStepFields,
} from './sealed-fields.ts';

test('the fields of the sealed form, in order', () => {
  expect(sealedFieldKeys.map((key) => [key, sealedFieldKind(key).label, sealedFieldKind(key).max])).toEqual([
    ['account', '账号', 100],
    ['password', '密码', 100],
    ['mailbox', '密保邮箱', 100],
    ['mailboxPassword', '邮箱密码', 100],
    ['question', '密保问题与答案', 200],
    ['code', '一次性验证码', 20],
    ['notes', '备注', 300],
  ]);
});

test('passwords are masked while they are typed', () => {
  expect(sealedFieldKeys.filter((key) => sealedFieldKind(key).hidden)).toEqual(['password', 'mailboxPassword']);
});

test('a code is readable for ten minutes, an opened form for one', () => {
  expect(sealedFieldKeys.flatMap((key) => sealedFieldKind(key).seconds ?? [])).toEqual([600]);
  expect(sealedFieldKind('code').seconds).toBe(600);
  expect(SEALED_OPEN_SECONDS).toBe(60);
});

test('a step that defines no fields asks for the usual ones, none of which is required', () => {
  expect(usualStepFields).toEqual(
    ['account', 'password', 'mailbox', 'question', 'code', 'notes'].map((key) => ({ key, required: false })),
  );
});

test('a step may name a field differently', () => {
  expect(stepFieldLabel({ key: 'account', required: true })).toBe('账号');
  expect(stepFieldLabel({ key: 'account', label: 'QQ 或微信账号', required: true })).toBe('QQ 或微信账号');
});
