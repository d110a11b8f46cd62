/** The borders of the patterns themselves; texts of the whole filter are in contacts.test.ts. All texts are in plain form. */
import { describe, expect, it } from 'vitest';
import { BAIT, CONTACTS, LINKS, NUMBER, SECRETS, UNIT, WIDE_NUMBER } from './contact-patterns.ts';

/** The values that any of the patterns finds in a text, each once. */
const valuesOf = (patterns: readonly RegExp[], text: string): string[] => [
  ...new Set(patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, value = '']) => value))),
];

describe('accounts after the name of a service', () => {
  it.each([
    // A lone 扣, at the beginning or after a letter; 7 to 11 digits with single separators.
    ['扣1234567', '1234567'],
    ['加扣 : 1234567', '1234567'],
    ['扣  :  12345678901', '12345678901'],
    ['扣1 2-3.4_567', '1 2-3.4_567'],
    // 'v' with a colon.
    ['v:abc123', 'abc123'],
    ['v : abc123', 'abc123'],
    ['v  :  a-_b12345', 'a-_b12345'],
    ['号v:abcdef', 'abcdef'],
    ['v:12345', '12345'],
    ['v:1234567890123', '1234567890123'],
    [`v:a${'b'.repeat(19)}`, `a${'b'.repeat(19)}`],
    // Words that ask for a call.
    ['加我123456', '123456'],
    ['加一下123456', '123456'],
    ['加个123456', '123456'],
    ['联系我123456', '123456'],
    ['私聊123456', '123456'],
    ['私聊我123456', '123456'],
    ['私我123456', '123456'],
    ['打电话123456', '123456'],
    ['打我电话123456', '123456'],
    ['电话:123456', '123456'],
    ['手机 是 123456', '123456'],
    ['手机号为:+86 138-0013 8000', '+86 138-0013 8000'],
    ['座机0512 1234567', undefined],
    ['电话12345678901234', '12345678901234'],
    ['wxid_abc123', 'wxid_abc123'],
    ['我的wxid_1234567890', 'wxid_1234567890'],
    // Mail addresses.
    ['a@b.cn', 'a@b.cn'],
    ['x.y_z+1-2@mail-1.example.co', 'x.y_z+1-2@mail-1.example.co'],
    ['邮箱abc@qq.com', 'abc@qq.com'],
    ['abc#qq.com', 'abc#qq.com'],
    ['abc艾特qq点com', 'abc艾特qq点com'],
    ['邮箱abc爱特163.com', 'abc爱特163.com'],
    ['abc (at) gmail (dot) com', 'abc (at) gmail (dot) com'],
    ['abc [ at ] gmail [dot] com', 'abc [ at ] gmail [dot] com'],
    ['abc【at】gmail【dot】com', 'abc【at】gmail【dot】com'],
    ['abc at gmail dot com', 'abc at gmail dot com'],
    ['abc圈aqq.c0m', 'abc圈aqq.c0m'],
    ['a1._+-  #  qq  。  com', 'a1._+-  #  qq  。  com'],
    ['abc#qq,com', 'abc#qq,com'],
    ['abc#qq丶com', 'abc#qq丶com'],
    ['abc#qq·com', 'abc#qq·com'],
    ['abc(atqq.com', undefined],
    [`${'a'.repeat(41)}#qq.com`, `${'a'.repeat(41)}#qq.com`],
  ])('%s', (text, value) => {
    expect(valuesOf(CONTACTS, text)).toEqual(value === undefined ? [] : [value]);
  });

  it.each(['打电话123456', '打我电话123456', '电话123456'])('the words before the number belong to it: %s', (text) => {
    const found = CONTACTS.flatMap((pattern) => [...`请${text}`.matchAll(pattern)].map(([all]) => all));
    expect(found).toEqual([text]);
  });

  it.each([
    '补扣1234567',
    '扣123456',
    '扣0123456',
    '扣123456789012',
    '扣1  234567',
    '扣1x234567',
    'av:abc123',
    '9v:abc123',
    'v abc123',
    'v:abc12',
    'v:0123456',
    'v:1234',
    'v:-abc123',
    '加我12345',
    '加我023456',
    '加我x123456',
    '电话123456789012345',
    '电话1  23456',
    '号码123456',
    'wxid_abc12',
    'awxid_abc123',
    '9wxid_abc123',
    'wxid_',
    'a@b',
    '@b.cn',
    'a@.cn',
    '-a@b',
    'ab#qq.com',
    '.bcd#qq',
    'abc   #qq.com',
    'abc#   qq.com',
    'abc#qq   .com',
    'abc#qq.   com',
    'abc#qq.cam',
    'abc#xx.com',
    'cat at home dot com',
    'abcatqq.com',
    'abc at gmail dots com',
  ])('not %s', (text) => {
    expect(valuesOf(CONTACTS, text)).toEqual([]);
  });

  it('accounts of the services by name', () => {
    expect(valuesOf(CONTACTS, 'qq12345678 微信:abc12345 支付宝 zhang888 飞机 zhang888')).toEqual([
      '12345678',
      'abc12345',
      'zhang888',
    ]);
    expect(valuesOf(CONTACTS, '安卓qq12345678 微信scar-lx 飞机zhanghai')).toEqual(['scar-lx']);
  });
});

describe('invitations without a number', () => {
  it.each([
    ['加v', '加v'],
    ['+v', '+v'],
    ['加 我v', '加 我v'],
    ['加  个薇', '加  个薇'],
    ['号加威 ', '加威'],
    ['加v:', '加v'],
    ['加v,好', '加v'],
    ['加v。', '加v'],
    ['加v!', '加v'],
    ['加v?', '加v'],
    ['加v;', '加v'],
    ['加v聊', '加v'],
  ])('%s', (text, value) => {
    expect(valuesOf(BAIT.slice(3), text)).toEqual([value]);
  });

  it.each([
    '增加v',
    '添加v',
    '参加v',
    '追加v',
    '附加v',
    '更加v',
    'a+v',
    '9+v',
    '加v8',
    '加va',
    '加w',
    '加他v',
    '加我我v',
  ])('not %s', (text) => {
    expect(valuesOf(BAIT.slice(3), text)).toEqual([]);
  });

  it('match when they name a service', () => {
    expect(valuesOf(BAIT, '加我微信聊')).toEqual(['加我微信']);
    expect(valuesOf(BAIT, '咨询微信')).toEqual(['咨询微信']);
    expect(valuesOf(BAIT, '微信同号')).toEqual(['微信同号']);
    expect(valuesOf(BAIT, '加微信好友，联系微信客服区')).toEqual(['联系微信']);
  });
});

describe('credentials', () => {
  it.each([
    ['zhang88--pass', 'zhang88--pass'],
    ['a@b.c------word', 'a@b.c------word'],
    ['号zhang--1234', 'zhang--1234'],
    [`zhang--${'x'.repeat(45)}`, `zhang--${'x'.repeat(40)}`],
    ['密码:abcd', 'abcd'],
    ['账号zhang 密码', 'zhang'],
    ['验证码 123456', '123456'],
  ])('%s', (text, value) => {
    expect(valuesOf(SECRETS, text)).toEqual([value]);
  });

  it.each(['zhan--1234', 'zhang-1234', 'zhang--123', 'zhang-- 1234', '密码可改', '密码abc', 'wei xin--1234'])(
    'not %s',
    (text) => {
      expect(valuesOf(SECRETS, text)).toEqual([]);
    },
  );

  it('the whole name in front of two hyphens is hidden, up to 40 characters', () => {
    expect(valuesOf(SECRETS, `${'a'.repeat(40)}--1234`)).toEqual([`${'a'.repeat(40)}--1234`]);
    expect(valuesOf(SECRETS, `${'a'.repeat(41)}--1234`)).toEqual([]);
  });
});

describe('links', () => {
  it.each([
    ['http://a', 'http://a'],
    ['https://a/b?c=1#d 好', 'https://a/b?c=1#d'],
    ['看ftp://a好', 'ftp://a'],
    ['www.a.b', 'www.a.b'],
    ['www.a-1.b/c 好', 'www.a-1.b/c'],
    ['号www.a.b', 'www.a.b'],
    ['a.top', 'a.top'],
    ['a点com', undefined],
    ['taobao点com', 'taobao点com'],
    ['taobao,com', 'taobao,com'],
    ['taobao (dot) com', 'taobao (dot) com'],
  ])('%s', (text, value) => {
    expect(valuesOf(LINKS, text)).toEqual(value === undefined ? [] : [value]);
  });

  it.each([
    'http:// a',
    'httpx://a',
    'mailto://a',
    'awww.a.b',
    '9www.a.b',
    '.www.a.b',
    'www..b',
    'www.a.',
    'www.a b.c',
    'a.b',
  ])('not %s', (text) => {
    expect(valuesOf(LINKS, text)).toEqual([]);
  });
});

describe('numbers', () => {
  it('have at most one separator between two digits', () => {
    expect('1 2-3.4_5·6—7~8*9/0|1、2❤3'.match(NUMBER)).toEqual(['1 2-3.4_5·6—7~8*9/0|1、2❤3']);
    expect('12  34,5x6-'.match(NUMBER)).toEqual(['12', '34', '5', '6']);
  });

  it('far apart have one to four signs between two groups', () => {
    expect('a12----34 \n5b'.match(WIDE_NUMBER)).toEqual(['12----34 \n5']);
    expect('12-----34,567'.match(WIDE_NUMBER)).toEqual(['34,567']);
    expect('1234 12ab34'.match(WIDE_NUMBER)).toEqual(['1234 12']);
    expect('1234'.match(WIDE_NUMBER)).toBeNull();
  });

  it('are amounts before a unit of a game', () => {
    for (const unit of ['万', ' 亿', 'w', 'kw', 'w 金', '个', '点券', '  战力', '服'])
      expect(UNIT.test(unit), unit).toBe(true);
    for (const other of ['', 'wx', 'kwh', '找万', 'w1', '-万', '的']) expect(UNIT.test(other), other).toBe(false);
  });
});
