import { expect, test } from 'vitest';
import { ApiFailure } from '#web/lib/api-failure.ts';
import { codes, type ErrorName } from '#contract/codes.ts';
import { errorsOf } from './form-errors.ts';

const refusal = (name: ErrorName, words?: string) =>
  new ApiFailure(codes[name][0], words ?? codes[name][2], codes[name][1]);

test('a refusal stands beside the field that it names', () => {
  const fields = ['phone', 'smsCode', 'passWord', 'inviteCode'];
  expect(errorsOf(refusal('SMS_CODE_WRONG'), fields)).toEqual({ smsCode: '验证码错误或已失效' });
  expect(errorsOf(refusal('PASSWORD_WEAK'), fields)).toEqual({ passWord: '密码过于简单，请换一个' });
  expect(errorsOf(refusal('BAD_INPUT', '邀请码不存在，请核对或留空'), fields)).toHaveProperty('inviteCode');
  expect(errorsOf(refusal('BAD_INPUT', '您输入的手机号有误'), fields)).toHaveProperty('phone');
});

test('two codes of one form are told apart', () => {
  const fields = ['smsCode', 'phone', 'newSmsCode'];
  expect(errorsOf(refusal('SMS_CODE_WRONG', '新手机验证码错误或已失效'), fields)).toHaveProperty('newSmsCode');
  expect(errorsOf(refusal('SMS_CODE_WRONG', '原手机验证码错误或已失效'), fields)).toHaveProperty('smsCode');
});

test('what names no field of the form, or is about the account, stands beside the button', () => {
  expect(errorsOf(refusal('LOGIN_THROTTLED'), ['phone', 'passWord'])).toHaveProperty('send');
  expect(errorsOf(refusal('REAL_NAME_USED'), ['realName', 'idCard'])).toHaveProperty('send');
  expect(errorsOf(refusal('LOGIN_FAILED'), ['passWord', 'phone'])).toHaveProperty('passWord');
  expect(errorsOf(new TypeError('offline'), ['phone'])).toEqual({ send: '网络超时，请检查网络后重试' });
});
