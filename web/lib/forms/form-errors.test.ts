import { expect, test } from 'vitest';
import { ApiFailure } from '#web/lib/api/api-failure.ts';
import { putGlobals } from '#tests/support/tools/globals.ts';
import { codes, type ErrorName } from '#contract/codes.ts';
import { errorsOf, fieldOfFailure, hasErrors, rejected, typed } from './form-errors.ts';

const refusal = (name: ErrorName, field?: string) =>
  new ApiFailure(codes[name][0], codes[name][2], codes[name][1], field);

test('an error is shown beside the field that its path names', () => {
  const fields = ['phone', 'smsCode', 'passWord', 'inviteCode'];
  expect(errorsOf(refusal('SMS_CODE_WRONG', 'smsCode'), fields)).toEqual({ smsCode: '验证码错误或已失效' });
  expect(errorsOf(refusal('PASSWORD_WEAK', 'passWord'), fields)).toEqual({ passWord: '密码过于简单，请换一个' });
  expect(errorsOf(refusal('BAD_INPUT', 'inviteCode'), fields)).toHaveProperty('inviteCode');
  expect(errorsOf(refusal('BAD_INPUT', 'phone'), fields)).toHaveProperty('phone');
});

test('a nested path is shown at the nearest field that the form has', () => {
  expect(errorsOf(refusal('BAD_INPUT', 'items.0.count'), ['items'])).toHaveProperty('items');
  expect(errorsOf(refusal('BAD_INPUT', 'items.0.count'), { 'items.0': 'first', items: 'all' })).toHaveProperty('first');
  expect(errorsOf(refusal('BAD_INPUT', 'itemsMore'), ['items'])).toHaveProperty('send');
});

test('a form may name a field differently from the call', () => {
  expect(errorsOf(refusal('LOGIN_FAILED', 'password'), { password: 'passWord' })).toHaveProperty('passWord');
  const byPath = (path: string) => (path.startsWith('details.') ? `attr:${path.slice(8)}` : null);
  expect(errorsOf(refusal('BAD_INPUT', 'details.rank'), byPath)).toHaveProperty(['attr:rank']);
  expect(errorsOf(refusal('BAD_INPUT', 'gameId'), byPath)).toHaveProperty('send');
});

test('two codes of one form are distinguished', () => {
  const fields = ['smsCode', 'phone', 'newSmsCode'];
  expect(errorsOf(refusal('SMS_CODE_WRONG', 'newSmsCode'), fields)).toHaveProperty('newSmsCode');
  expect(errorsOf(refusal('SMS_CODE_WRONG', 'smsCode'), fields)).toHaveProperty('smsCode');
});

test('an error without a field of the form is shown beside the button', () => {
  expect(errorsOf(refusal('LOGIN_THROTTLED'), ['phone', 'passWord'])).toHaveProperty('send');
  expect(errorsOf(refusal('REAL_NAME_USED'), ['realName', 'idCard'])).toHaveProperty('send');
  expect(errorsOf(refusal('BAD_INPUT', 'toString'), ['phone'])).toHaveProperty('send');
  expect(errorsOf(refusal('BAD_INPUT', 'toString'), { phone: 'phone' })).toHaveProperty('send');
  expect(errorsOf(new TypeError('offline'), ['phone'])).toEqual({
    send: '网络超时，结果还不确定；请重试，不会重复提交',
  });
});

test('an error of no field of the form is beside the button, or where its row is', () => {
  const failure = new ApiFailure(9, '这一版已经删除', 400, 'version');
  expect(errorsOf(failure, ['price'])).toEqual({ send: '这一版已经删除' });
  expect(errorsOf(failure, ['price'], 'v3')).toEqual({ v3: '这一版已经删除' });
  expect(errorsOf(failure, ['version'], 'v3')).toEqual({ version: '这一版已经删除' });
});

test('each rejection has its own messages, also with the same text', () => {
  const wrong = { price: '请填写价格', stock: undefined };
  const first = rejected(wrong);
  const second = rejected(wrong);
  expect(first).toEqual({ price: { text: '请填写价格' }, stock: undefined });
  expect(second.price).not.toBe(first.price);
});

test('a message that stays is the same message, so that what was edited since is known', () => {
  const first = rejected({ price: '请填写价格', stock: '请填写库存' });
  expect(rejected({ ...first, stock: undefined }).price).toBe(first.price);
});

test.each([
  [{}, false],
  [{ price: undefined }, false],
  [{ price: '' }, false],
  [{ price: undefined, send: '网络超时' }, true],
  [{ price: { text: '已被占用' } }, true],
])('the errors %o: %o', (errors, has) => {
  expect(hasErrors(errors)).toBe(has);
});

test('an empty message stays empty: no rejection of nothing', () => {
  expect(rejected({ price: '', stock: '请填写库存' })).toEqual({ price: '', stock: { text: '请填写库存' } });
});

test.each([
  ['items.0.count', ['items.0', 'items'], 'items.0'],
  ['items.0.count', ['items.0.count', 'items'], 'items.0.count'],
  ['items.0.count', ['count'], null],
  ['items', ['items.0'], null],
  ['.count', (path: string) => (path === '' ? 'all' : null), null],
  [undefined, ['items'], null],
  // A function gets the whole path, and decides alone.
  ['items.0.count', (path: string) => (path === 'items' ? 'all' : null), null],
  ['items.0.count', (path: string) => (path.startsWith('items.') ? 'all' : null), 'all'],
  ['items.0', () => undefined, null],
  ['items', { items: 'all' }, 'all'],
  ['items.1', { 'items.0': 'first' }, null],
] as const)('the failure of %s in a form with %o is about %s', (field, fields, name) => {
  expect(fieldOfFailure({ field }, fields)).toBe(name);
});

test('the text of a field is what was typed; a file, a field that is not there and no form are no text', () => {
  const texts = new FormData();
  texts.set('price', ' 12 ');
  texts.set('photo', new File([], 'a.png'));
  // In place of a form of a page, whose data this is.
  const restore = putGlobals({
    FormData: class {
      get = (name: string) => texts.get(name);
    },
  });
  try {
    const form = {} as HTMLFormElement;
    expect(['price', 'photo', 'stock'].map((name) => typed(form, name))).toEqual([' 12 ', '', '']);
    expect(typed(null, 'price')).toBe('');
  } finally {
    restore();
  }
});
