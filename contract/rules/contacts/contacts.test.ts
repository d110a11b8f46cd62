/** The borders of the filter's parts that tests/unit/chat/contacts.test.ts does not name: numbers, offsets, sentences. */
import { describe, expect, it } from 'vitest';
import {
  type ContactRules,
  continuedContact,
  findContacts,
  HIDDEN_TITLE,
  maskContacts,
  mayContinueContact,
  visibleTitle,
} from './contacts.ts';

/** Returns the filter's findings in a text, as 'kind:value', each once. */
const found = (text: string, rules?: ContactRules): string[] => [
  ...new Set(findContacts(text, rules).map(({ kind, from, to }) => `${kind}:${text.slice(from, to)}`)),
];

describe('bank cards: 15 to 19 digits that begin with 3 to 6 and have a valid last digit', () => {
  it.each([
    '378282246310005',
    '3530111333300000',
    '4111111111111111',
    '5555555555554444',
    '6011111111111117',
    '6222021234567890128',
    '6222 0212 3456 7890 128',
  ])('%s', (card) => {
    expect(found(`卡号${card}。`)).toEqual([`card:${card}`]);
  });

  // 14 and 20 digits, a first digit of 2 and of 7, and a wrong last digit.
  it.each([
    '30569309025904',
    '62220212345678901234',
    '2222021234567893',
    '7222021234567892',
    '4111111111111112',
    '378282246310006',
    '6222021234567890129',
  ])('not %s', (digits) => {
    expect(found(`卡号${digits}。`)).toEqual([]);
  });
});

/** None of these is valid as a card. */
describe('identity numbers: a place, a day from 1800 to 2099, and a check digit', () => {
  it.each([
    '110105194912310003',
    '110105180001010002',
    '110105209910310009',
    '110105199001100059',
    '110105199012190002',
    '110105199009290002',
    '910105199011300002',
    '11010519491231002x',
    '11010519491231002X',
  ])('%s', (text) => {
    expect(found(`证件${text}。`)).toEqual([`card:${text}`]);
  });

  // Years, months, days and places that do not exist, all with a valid check digit; then a wrong one.
  it.each([
    '110105179901010018',
    '110105210001010007',
    '110105199000010019',
    '110105199013010018',
    '110105199001000007',
    '110105199001320000',
    '110105199001400000',
    '010105199001010009',
    '110105194912310004',
    '11010519491231003x',
    '11010519491231002a',
    // A digit more before a valid number, and behind one.
    '1110101199003070060',
    '1101011990030745141',
  ])('not %s', (text) => {
    expect(found(`证件${text}。`)).toEqual([]);
  });

  it('end with their check letter, whatever follows', () => {
    expect(found('11010519491231002x1')).toEqual(['card:11010519491231002x']);
    expect(found('11010519491231002 x')).toEqual([]);
  });
});

describe('order numbers: a moment from 2024 to 2039 and six digits', () => {
  // Each of them would be a card or an identity number.
  it.each([
    '320101000000123455',
    '391231235959999992',
    '301009195959000002',
    '321129200000000002',
    '250101200601021232',
  ])('%s is none of the numbers to hide', (sn) => {
    expect(found(`订单${sn}。`)).toEqual([]);
    expect(found(`微信：${sn}`)).toEqual([]);
  });

  it.each([
    '320001000000123456',
    '321301000000123451',
    '320100000000123456',
    '320132000000123458',
    '320141000000123457',
    '320101240000123457',
    '320101300000123459',
    '320101006000123452',
    '320101000060123452',
    '400101000000123455',
    '230101200601021239',
    // One digit more, at the end and at the beginning.
    '3201010000001234565',
    '5320101000000123450',
  ])('%s names no such moment, and is a card', (digits) => {
    expect(found(`订单${digits}。`)).toEqual([`card:${digits}`]);
  });

  it.each([
    ['240101000000000001', false],
    ['291231235959123456', false],
    ['230101000000000001', true],
    ['251301120000123456', true],
    ['250101240000123456', true],
    ['2501011200001234567', true],
  ])('微信：%s is an account: %s', (sn, isAccount) => {
    expect(found(`微信：${sn}`)).toEqual(isAccount ? [`contact:${sn}`] : []);
  });
});

describe('phone numbers', () => {
  it.each([
    '13800138000',
    '19900138000',
    '8613800138000',
    '0086 13800138000',
    '13-80-01-38-000',
    '13 80 0138000',
    '138 00 13 80 00',
    '138-00138-0-00',
    '1 3 8 0 0 1 3 8 0 0 0',
  ])('%s', (phone) => {
    expect(found(`打 ${phone}。`)).toEqual(expect.arrayContaining([`contact:${phone}`]));
  });

  // A wrong beginning, ten and twelve digits, and values of two digits side by side.
  it.each([
    '12800138000',
    '23800138000',
    '1380013800',
    '138001380001',
    '913800138000',
    '13 80 013 8000',
    '13 800 138000',
    '13-80-01-38-00-0',
    '138 0013 80',
  ])('not %s', (digits) => {
    expect(found(`有 ${digits}。`)).toEqual([]);
  });

  it('an amount of the game is no phone number, however near its unit', () => {
    for (const amount of ['13800138000万', '13800138000 金币', '138 0013 8000 点券', '(138) 0013 - 8000 金币'])
      expect(found(amount), amount).toEqual([]);
    expect(found('万金币 13800138000 联系')).toEqual(['contact:13800138000']);
    expect(found('万金币 (138) 0013 - 8000 联系')).toEqual(['contact:138) 0013 - 8000']);
    expect(found('13800138000，另有 500万')).toEqual(['contact:13800138000']);
  });

  it('a whole number with its code is the longest finding', () => {
    expect(found('0 0 8 6 1 3 8 0 0 1 3 8 0 0 0')[0]).toBe('contact:0 0 8 6 1 3 8 0 0 1 3 8 0 0 0');
  });
});

describe('phone numbers whose groups are further apart', () => {
  it.each([
    '138) 0013 - 8000',
    '138 -- 00138000',
    '1380 -- 0138 -- 000',
    '138 -- 001 -- 38000',
    '138 -- 00138 -- 000',
    '1380 -- 013 -- 8000',
    '1380013 -- 8000',
    '86 -- 138 -- 0013 -- 8000',
    '86 -- 13800138000',
    '1\n3\n8\n0\n0\n1\n3\n8\n0\n0\n0',
    '138,0013,8000',
  ])('%s', (phone) => {
    expect(found(`找 ${phone} 吧`).at(0)).toBe(`contact:${phone}`);
    expect(found(`7 -- 找 22 -- ${phone} 吧`).at(0)).toBe(`contact:${phone}`);
  });

  it.each(['13 -- 8001 -- 38000', '138 -- 00 -- 138000', '13 -- 80 -- 01 -- 38 -- 000', '1 -- 3 -- 800138000'])(
    'not %s',
    (groups) => {
      expect(found(groups)).toEqual([]);
    },
  );

  it('two of them in one text are two', () => {
    expect(found('138 -- 0013 -- 8000 -- 139 -- 0013 -- 9000')).toEqual([
      'contact:138 -- 0013 -- 8000',
      'contact:139 -- 0013 -- 9000',
    ]);
  });

  it('one by one the code of the country has two digits', () => {
    expect(found('0--8--6--1--3--8--0--0--1--3--8--0--0--0')).toEqual([
      'contact:8--6--1--3--8--0--0--1--3--8--0--0--0',
    ]);
  });
});

describe('what is found, and where', () => {
  it('a finding has its value and the words that introduce it', () => {
    const text = '好号，QQ：12345678 哦';
    expect(findContacts(text)).toEqual([{ kind: 'contact', from: 6, to: 14, lead: 3 }]);
    expect(findContacts('１３８００１３８０００')).toEqual([{ kind: 'contact', from: 0, to: 11, lead: 0 }]);
    expect(findContacts('\u200b1\u200b3800138000\u200b')).toEqual([{ kind: 'contact', from: 1, to: 13, lead: 1 }]);
    expect(findContacts('普通的文字')).toEqual([]);
  });

  it('findings are in the order of the text, and of two at one place the longer is first', () => {
    expect(found('a@b.com 13800138000 https://x.top/1')).toEqual([
      'contact:a@b.com',
      'contact:13800138000',
      'link:https://x.top/1',
      'link:x.top/1',
    ]);
    const list = findContacts('https://a.top QQ 12345678 13800138000 扣扣 1234567 b@c.com');
    expect(list.map(({ from }) => from)).toEqual(list.map(({ from }) => from).toSorted((a, b) => a - b));
    expect(found('0086138 0013 8000').at(0)).toBe('contact:0086138 0013 8000');
    expect(found('13800138000--abcd1')).toEqual(['secret:13800138000--abcd1', 'contact:13800138000']);
  });

  it('a number that is spelled is found at its words', () => {
    expect(found('打 one three eight zero zero one three eight zero zero zero 吧')).toEqual([
      'contact:one three eight zero zero one three eight zero zero zero',
    ]);
    expect(found('QQ一二三四五六七八')).toEqual(['contact:一二三四五六七八']);
    // Of homophones only a whole phone number counts.
    expect(found('QQ：腰两仨似舞流拐')).toEqual([]);
  });

  it('a listing code is none of our business, and a password that looks like one is', () => {
    expect(found('看 YA1234567，微信：YA1234567')).toEqual([]);
    expect(found('微信：YA12345678')).toEqual(['contact:YA12345678']);
    expect(found('微信：AYA1234567')).toEqual(['contact:AYA1234567']);
    expect(found('微信：Y11234567')).toEqual(['contact:Y11234567']);
    expect(found('YA1234567 微信：abc12345')).toEqual(['contact:abc12345']);
    expect(found('微信：abc12345 YA1234567')).toEqual(['contact:abc12345']);
    expect(found('密码：YA1234567')).toEqual(['secret:YA1234567']);
  });

  it('allowed links are no findings', () => {
    const own = { linkAllowed: (link: string) => link === 'https://own.top/a' };
    expect(found('https://own.top/a', own)).toEqual(['link:own.top/a']);
    expect(found('https://own.top/a', { linkAllowed: () => true })).toEqual([]);
    expect(found('www.own.top/a')).toContain('link:www.own.top/a');
  });

  it('a password without a digit counts in a chat, in a published text only one with a digit', () => {
    expect(found('密码：abcdefgh')).toEqual(['secret:abcdefgh']);
    expect(found('密码：abcdefgh', { bait: false })).toEqual(['secret:abcdefgh']);
    expect(found('密码：abcdefgh', { bait: true })).toEqual([]);
    expect(found('密码：abcdefg1', { bait: true })).toEqual(['secret:abcdefg1']);
    expect(found('密码：12345678', { bait: true })).toEqual(['secret:12345678']);
  });

  it('an invitation without a number counts only in published texts', () => {
    expect(found('加我微信聊')).toEqual([]);
    expect(found('周一加我微信聊')).toEqual([]);
    expect(found('加我微信聊', { bait: true })).toEqual(['bait:加我微信']);
    expect(found('加我微信聊，一二三', { bait: true })).toEqual(['bait:加我微信']);
  });
});

describe('a contact that goes on in the next message', () => {
  it.each<[earlier: string[], text: string, masked: string | undefined]>([
    [['138'], '00138000', '00138000'],
    [['138', '0013'], '8000', '8000'],
    [['早', '138', '0013'], '8000', '8000'],
    [['QQ'], '12345678', '12345678'],
    [['加 QQ'], '号 12345678 哦', '12345678'],
    [['我的是138', '然后0013'], '最后8000', '最后8000'],
    // 6 characters besides the digits, and no more; 8 digits, and no more.
    [['我的号是：138', '然后接着是0013'], '最后的就是8000', '最后的就是8000'],
    [['我的号码就是：138', '然后0013'], '最后8000', undefined],
    [['前面138'], '后00138000', '后00138000'],
    [['前面13'], '后800138000', undefined],
    [['前面138', '1和2'], '后00138000', undefined],
    [['前面138', '没有'], '后00138000', undefined],
    [['前面138'], '没有', undefined],
    [['前面128'], '后00138000', undefined],
    [[], '后00138000', undefined],
    // Each whole by itself: nothing is continued.
    [['13800138000'], '你好', undefined],
    [['你好'], '13800138000', undefined],
  ])('%j, then %s', (earlier, text, masked) => {
    const range = continuedContact(earlier, text);
    expect(range && text.slice(range.from, range.to)).toBe(masked);
  });

  it('may be in a text of at most 60 characters with a digit, a numeral, an at sign or two letters', () => {
    expect(['8', '二', '〇', '@', 'ab', '８'].map(mayContinueContact)).toEqual([true, true, true, true, true, true]);
    expect(['', '你好', 'a', 'a b', '。', '.'].map(mayContinueContact)).toEqual(Array(6).fill(false));
    expect([`1${'好'.repeat(59)}`, `1${'好'.repeat(60)}`].map(mayContinueContact)).toEqual([true, false]);
  });
});

describe('what is cut from a published text', () => {
  it.each([
    ['好号。QQ 12345678。可谈', '好号。可谈', ['QQ 12345678']],
    ['QQ12345678', '', ['QQ12345678']],
    ['好号！！QQ 12345678？可谈；秒发', '好号！！可谈；秒发', ['QQ 12345678']],
    // An invitation next to the contact goes with it, on both sides, unless a sentence ends between them.
    ['好号，加我，QQ 12345678，便宜，可谈', '好号，可谈', ['加我', 'QQ 12345678', '便宜']],
    ['便宜卖。QQ 12345678。优惠多', '便宜卖。优惠多', ['QQ 12345678']],
    ['便宜卖，好号，QQ 12345678', '便宜卖，好号', ['QQ 12345678']],
    ['QQ 12345678，好号，便宜', '好号，便宜', ['QQ 12345678']],
    ['QQ 12345678，便宜，优惠', '优惠', ['QQ 12345678', '便宜']],
    // A line that is one sentence loses the words alone.
    ['一区 满级 QQ:12345678 可谈', '一区 满级 可谈', ['QQ:12345678']],
    [' QQ:12345678 ', '', ['QQ:12345678']],
    ['QQ12345678，QQ87654321 ', '', ['QQ12345678', 'QQ87654321']],
    ['满级 便宜  QQ:12345678', '满级', ['便宜', 'QQ:12345678']],
    // A password that ends with the sign after which the next sentence begins.
    ['密码abcd1!满级', '满级', ['密码abcd1']],
  ])('%s', (text, rest, sentences) => {
    expect(maskContacts(text)).toEqual({ text: rest, masked: true, sentences });
  });

  it('a title of which nothing is left has a fixed text', () => {
    expect(visibleTitle('一区满级')).toBe('一区满级');
    expect(visibleTitle('QQ12345678')).toBe('（标题含联系方式，已隐藏）');
    expect(HIDDEN_TITLE).toBe('（标题含联系方式，已隐藏）');
    expect(visibleTitle('一区满级，QQ12345678')).toBe('一区满级');
  });
});

describe('the parts of a text that decide together', () => {
  it.each([
    // A listing code is no WeChat id wherever it stands; one digit more and it is none.
    ['微信 YS1234567 看看', []],
    ['微信 YS1234567', []],
    ['微信 YS12345678 看看', ['contact:YS12345678']],
    // Only digits are an amount before a unit: an id with letters is an id.
    ['加微信 abc12345元', ['contact:abc12345']],
    ['微信：5a6b7c个人号', ['contact:5a6b7c']],
    ['qq 12345678abc金币', ['contact:12345678']],
    ['qq 1234 5678 金币', []],
  ])('%s: %j', (text, values) => {
    expect(found(text)).toEqual(values);
  });

  it.each([
    // A digit of an older message is not taken for a part of the number.
    [['5', '138001'], '38000 好的谢谢再见啊', { from: 0, to: 5 }],
    [['138 贵族5'], '00138000', undefined],
    // Six other characters are few words around digits, seven are a sentence.
    [['138是我的号码哦'], '然后00138000', { from: 0, to: 10 }],
    [['138是我的号码哦哦'], '然后00138000', undefined],
  ])('after %j the message %s continues %o', (earlier, text, range) => {
    expect(continuedContact(earlier, text)).toEqual(range);
  });

  it.each([
    ['很好。便宜，，微信 abc12345', '很好。'],
    ['很好。微信 abc12345，便宜', '很好。'],
    // A sentence that only invites the reader to make contact is removed whole.
    ['很好。微信 abc12345。便宜', '很好。便宜'],
    ['很好。便宜。微信 abc12345', '很好。便宜。'],
    [' 很好。 微信abc12345', '很好。'],
    ['很好，，微信 abc12345', '很好'],
  ])('of “%s” the published text is “%s”', (text, published) => {
    expect(maskContacts(text).text).toBe(published);
  });
});
