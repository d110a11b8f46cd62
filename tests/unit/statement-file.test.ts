/** Statements of payment channels as they are downloaded, and as people and programs change them. */
import { strToU8, zipSync } from 'fflate';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { readStatement } from '#server/slices/payments/statement-file.ts';
import { workbook } from '#tests/support/workbook.ts';

const WECHAT_HEAD =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注';
const wechatLine = (order: string, name: string, state = 'SUCCESS'): string =>
  `2026-11-27 08:00:00,\`wx1,\`190,\`0,\`,\`4200001,\`${order},\`o1,\`NATIVE,\`${state},\`OTHERS,\`CNY,\`88.00,\`0.00,\`0,\`R1,\`0.00,\`0.00,\`,\`,\`${name},\`,\`0.53000,\`0.60%,\`88.00,\`1,234.50,\``;
const WECHAT_END = '总交易单数,应结订单总金额,退款总金额\n`1,`88.00,`0.00';
const wechat = (...lines: string[]): string =>
  [`\ufeff${WECHAT_HEAD}`, ...lines.map((line) => `\`${line}`), WECHAT_END].join('\r\n');

const ALIPAY = [
  '#支付宝账务明细查询',
  '#账号：[20880000000000000156]',
  '#起始日期：[2026年11月27日 00:00:00]   终止日期：[2026年11月28日 00:00:00]',
  '#-----------------------------------------账务明细列表----------------------------------------',
  '账务流水号,业务流水号,商户订单号,商品名称,发生时间,对方账号,收入金额（+元）,支出金额（-元）,账户余额（元）,交易渠道,业务类型,备注',
  '100001\t,2026112722001\t,P1\t,游市，账号\t,2026-11-27 09:00:00\t,buyer@example.com\t,50.50\t, \t,50.50\t,支付宝\t,在线支付\t,\t',
  '100002\t,2026112722002\t,P2\t,王者荣耀,满皮肤\t,2026-11-27 09:01:00\t,buyer@example.com\t,1,288.00\t, \t,100.00\t,支付宝\t,在线支付\t,\t',
  '#-----------------------------------------账务明细列表结束------------------------------------',
  '#支出合计：0笔，共0.00元',
  '#导出时间：[2026年11月28日 09:00:00]',
].join('\r\n');

const linesOf = (text: string | Buffer) =>
  readStatement(typeof text === 'string' ? Buffer.from(text) : text).lines.map(({ kind, number, amountFen }) => [
    kind,
    number,
    amountFen,
  ]);

describe('WeChat', () => {
  const LINES = [
    ['pay', 'P1', 8800],
    ['fee', 'P1', 53],
  ];

  test.each([
    ['plain', '王者荣耀'],
    ['a comma in a name', '王者荣耀,满皮肤'],
    ['quotes in a name', '"限定"皮肤'],
    ['a quote that is never closed', '"限定皮肤'],
    ['a line end in a name', '王者\n荣耀'],
  ])('%s', (_, name) => {
    expect(linesOf(wechat(wechatLine('P1', name)))).toEqual(LINES);
    expect(linesOf(iconv.encode(wechat(wechatLine('P1', name)), 'gb18030'))).toEqual(LINES);
  });

  test('a refund has the refunded amount, with thousands separated', () => {
    expect(linesOf(wechat(wechatLine('P1', 'x', 'REFUND')))).toEqual([['refund', 'R1', 123_450]]);
  });

  test('a line that was cut off is refused, not left out', () => {
    const whole = wechat(wechatLine('P1', 'x'), wechatLine('P2', 'y'));
    const cut = whole.slice(0, whole.indexOf('`P2'));
    expect(() => readStatement(Buffer.from(cut))).toThrow('第 3 行的列数与表头不一致');
  });

  test('saved by a spreadsheet: separators, times and UTF-16 are read, a number that was changed is refused', () => {
    const saved = wechat(wechatLine('P1', 'x')).replaceAll(',', '\t').replace('2026-11-27 08:00:00', '2026/11/27 8:00');
    const unquoted = saved.replaceAll('`', '').replace('1\t234.50', '1234.50');
    expect(linesOf(Buffer.from(`\ufeff${unquoted}`, 'utf16le'))).toEqual(LINES);
    const changed = unquoted.replace('P1', '1.23E+17');
    expect(() => readStatement(Buffer.from(changed))).toThrow('商户订单号已被表格软件改成 1.23E+17');
  });
});

describe('Alipay', () => {
  const NUMBERS = [
    ['pay', 'P1', 5050],
    ['pay', 'P2', 128_800],
  ];

  test.each([
    ['UTF-8', Buffer.from(ALIPAY)],
    ['GBK', iconv.encode(ALIPAY, 'gbk')],
    ['packed', Buffer.from(zipSync({ '20881_账务明细.csv': iconv.encode(ALIPAY, 'gbk') }))],
    ['half-width headings', Buffer.from(ALIPAY.replaceAll('（', '(').replaceAll('）', ')'))],
  ])('%s: titles, padded cells and totals', (_, file) => {
    expect(readStatement(file).channel).toBe('alipay');
    expect(linesOf(file)).toEqual(NUMBERS);
  });
});

describe('what is no statement is named', () => {
  test.each([
    ['a workbook', workbook([['微信订单号', '商户订单号']]), '这是 Excel 工作簿'],
    ['HTML', Buffer.from('<html><table><tr><td>微信订单号</td></tr></table>'), '不是账单的文本'],
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), '不是账单的文本'],
    ['another table', Buffer.from('编号,价格\n1,2'), '未找到账单表头'],
    ['half an archive', Buffer.from(zipSync({ a: strToU8('x'.repeat(99)) })).subarray(0, 60), '压缩文件无法读取'],
  ])('%s', (_, file, text) => {
    expect(() => readStatement(file)).toThrow(text);
  });
});
