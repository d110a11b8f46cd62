import { describe, expect, test } from 'vitest';
import {
  browserName,
  contactLocation,
  goodRate,
  isWeakPassword,
  isWeakPin,
  nicknameError,
  PIN,
} from '#subjects/accounts/server/rules.ts';

const PHONE = '13912345678';
const weak = (...passwords: string[]) => passwords.filter((one) => isWeakPassword(one, PHONE));
const weakPins = (...pins: string[]) => pins.filter((one) => isWeakPin(one, PHONE));

test('a pay password that stands for words of love is weak, also one that no leak has', () => {
  expect(weakPins('520131', '131452', '520138')).toEqual(['520131', '131452']);
});

describe('a weak log-in password', () => {
  test('is a run up, down or in place, over its whole length', () => {
    const runs = ['cdefghij', 'jihgfedc', 'yyyyyyyyy', '3456789'];
    expect(weak(...runs)).toEqual(runs);
    expect(weak('cdefghiq', 'cegikmoq', 'xcdefghi')).toEqual([]);
  });

  test('is a block of up to four characters that fills it', () => {
    const blocks = ['k7k7k7k7', 'x9zx9zx9z', 'w4k8w4k8'];
    expect(weak(...blocks)).toEqual(blocks);
    expect(weak('w4k8pw4k8p', 'k7k7k7k7x', 'w4k8')).toEqual([]);
  });

  test('is common, in any letters', () => {
    expect(weak('Wzry123456', 'YOUSHI888')).toHaveLength(2);
    expect(weak('wzry1234567x')).toEqual([]);
  });

  test('is a bare date that exists in form', () => {
    const dates = ['19900131', '20001231', '900131', '20260210'];
    expect(weak(...dates)).toEqual(dates);
    expect(weak('18900131', '19901331', '19900132', '19900100', 'x19900131', '19900131x')).toEqual([]);
  });

  test('is a number of a telephone, above all the own one', () => {
    expect(weak('13812345679', '19912345679', `a${PHONE}`, PHONE.slice(2))).toHaveLength(4);
    expect(weak('12812345679', '138123456790', 'x13812345679', 'b13912345678')).toEqual([]);
  });

  test('is not a long one of mixed words', () => {
    expect(weak('Lantern-River-58')).toEqual([]);
  });
});

describe('a weak pay password', () => {
  test('is a run, a block, a date or a part of the own number', () => {
    const pins = ['345678', '876543', '777777', '838383', '902902', '850417', PHONE.slice(3, 9)];
    expect(weakPins(...pins)).toEqual(pins);
    expect(weakPins('835274', '851447', '838384')).toEqual([]);
  });

  test('has six digits and nothing else', () => {
    expect(['835274', '83527', '8352741', 'a35274', '835274x', 'x835274'].filter((pin) => PIN.test(pin))).toEqual([
      '835274',
    ]);
  });
});

describe('a nickname', () => {
  test('has no invisible characters, but may have an emoji', () => {
    for (const name of ['小\u200b游', '小\t游', '小\u202e游', '小\u2028游'])
      expect(nicknameError(name)).toBe('昵称含有不支持的字符');
    expect(nicknameError('小游❤\ufe0f')).toBeUndefined();
    expect(nicknameError('听风')).toBeUndefined();
  });

  test('does not pass for staff, however it is written', () => {
    for (const name of ['官方小王', '官.方小王', '客 服', 'Ａｄｍｉｎ', 'ad_min', '管-理-员'])
      expect([name, nicknameError(name)]).toEqual([name, '昵称不能包含官方、客服等字样']);
  });

  test('is rejected if it contains a contact', () => {
    expect(nicknameError('加我微信abc12345')).toBe('昵称不能包含联系方式');
  });
});

test('the share of good reviews has one decimal, and none without reviews', () => {
  expect([goodRate(0, 0), goodRate(0, 3), goodRate(2, 3), goodRate(3, 3), goodRate(1, 8)]).toEqual([
    null,
    0,
    66.7,
    100,
    12.5,
  ]);
});

test('a browser is named as its owner knows it', () => {
  const names = [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari/604.1 MicroMessenger/8.0',
    'Mozilla/5.0 (Windows NT 10.0) Chrome/120.0 Safari/537.36 Edg/120.0',
    'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Firefox/120.0',
    'Mozilla/5.0 (Linux; Android 14) Chrome/120.0 Safari/537.36',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/17.0 Safari/605.1',
    'curl/8.0',
  ].map(browserName);
  expect(names).toEqual([
    '苹果手机上的 微信',
    'Windows 电脑上的 Edge',
    'Linux 电脑上的 Firefox',
    '安卓手机上的 Chrome',
    'Mac 电脑上的 Safari',
    '浏览器',
  ]);
});

test('a weak password is a row of digits from 0 or 1 on, with or without some that follow', () => {
  const rows = ['01234567890', '0123456852', '012345685', '12345678907', '12345678903', '12345697', '1234561'];
  expect(weak(...rows)).toEqual(rows);
  expect(weak('0123456852x', 'x0123456852', '12345678907x', '123456789071', '1234569x')).toEqual([]);
});

test('the place of a sealed contact names its user, so that it opens in no other row', () => {
  expect(contactLocation(7)).toBe('app_user.contact_enc:7');
});
