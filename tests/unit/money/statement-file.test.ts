/** Statements of payment channels as they are downloaded, and as people and programs change them. */
import { strToU8, zipSync } from 'fflate';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { readStatement } from '#subjects/payments/server/statement-file.ts';
import { workbook } from '#tests/support/tools/workbook.ts';

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

  test('a byte order mark that became a question mark in GBK', () => {
    expect(linesOf(iconv.encode(`?${wechat(wechatLine('P1', 'x')).slice(1)}`, 'gbk'))).toEqual(LINES);
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

test('a comma in a cell of WeChat’s that a spreadsheet saved shifts nothing', () => {
  const saved = (text: string): string =>
    text.replace(/[^\r\n]+/g, (line) =>
      line
        .split(',')
        .map((cell) => `"${cell.replaceAll('"', '""')}"`)
        .join(','),
    );
  expect(linesOf(saved(wechat(wechatLine('P1', 'x,y', 'REFUND'))))).toEqual([['refund', 'R1', 123_450]]);
  expect(linesOf(saved(wechat(wechatLine('P1', 'a,,b'))).replace(/\r\n/g, ',,\r\n'))).toEqual([
    ['pay', 'P1', 8800],
    ['fee', 'P1', 53],
  ]);
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

describe('a statement that people or programs changed', () => {
  const alipay = (...lines: string[]): string =>
    ALIPAY.replace(/100001[\s\S]*?\r\n(?=#)/, lines.map((line) => `${line}\r\n`).join(''));
  const line = (n: number, name: string, income = '50.50', time = '2026-11-27 09:00:00'): string =>
    `${n}\t,B${n}\t,P${n}\t,${name}\t,${time}\t,b@example.com\t,${income}\t, \t,1\t,支付宝\t,在线支付\t,\t`;
  const refused = (text: string | Buffer): string => {
    try {
      linesOf(text);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };

  test('quotes and line ends within names lose no line', () => {
    const two = [
      ['pay', 'P1', 5050],
      ['pay', 'P2', 5050],
    ];
    expect(linesOf(alipay(line(1, '"王者'), line(2, '荣耀"')))).toEqual(two);
    expect(linesOf(alipay(line(1, '"王者'), line(2, '荣耀')))).toEqual(two);
    expect(linesOf(alipay(line(1, '王者\n荣耀'), line(2, '"限定"皮肤')))).toEqual(two);
    expect(linesOf(alipay(line(1, '"a, ""b"""', '"50.50"'), line(2, '#1 王者')))).toEqual(two);
  });

  test('columns in another order and under newer names are read, a missing one is named', () => {
    const head = '入账时间,支付宝交易号,支付宝流水号,商户订单号,账务类型,收入（+元）,支出（-元）,备注';
    const newer = (names: string): string =>
      `${names}\r\n2026-11-27 09:00:00\t,B1\t,L1\t,P1\t,在线支付\t,50.50\t,\t,\t`;
    expect(linesOf(newer(head))).toEqual([['pay', 'P1', 5050]]);
    expect(linesOf(newer(head.replaceAll(/（[^）]*）/g, '')))).toEqual([['pay', 'P1', 5050]]);
    expect(refused(newer(head.replace('收入（+元）', '说明')))).toBe(
      '账务明细里没有“收入金额”这一列，请在下载时选择全部字段，或重新从渠道下载',
    );
  });

  test.each([
    ['a negative income', alipay(line(1, 'x', '-50.50')), '第 6 行的收入金额“-50.50”'],
    ['a day that does not exist', alipay(line(1, 'x', '1', '2026-02-30 09:00:00')), '第 6 行的发生时间“2026-02-30'],
    ['an end that is missing', alipay(line(1, 'x')).replace(/#-+账务明细列表结束[\s\S]*/, ''), '没有结尾'],
    ['a state that is unknown', wechat(wechatLine('P1', 'x', 'WEIRD')), '第 2 行的交易状态“WEIRD”'],
    [
      'a number with 15 digits left',
      wechat(wechatLine('P1', 'x').replace('4200001', `420000123456789${'0'.repeat(13)}`)),
      '已被表格软件改成 4200',
    ],
    ['a total of more lines', wechat(wechatLine('P1', 'x')).replace('`1,`88', '`2,`88'), '合计是 2 笔，明细只有 1 行'],
    [
      'two statements in one file',
      `${wechat(wechatLine('P1', 'x'))}\r\n${wechat(wechatLine('P2', 'x'))}`,
      '又是一份账单的表头',
    ],
    ['a personal bill', '交易时间,交易类型,收/支,金额(元)\n2026-11-27 08:00:00,x,支出,1', '个人的收支账单'],
    ['a fund bill', '记账时间,微信支付业务单号,资金流水单号\n`1,`2,`3', '资金账单'],
  ])('%s is refused', (_, body, text) => {
    expect(refused(body)).toContain(text);
  });

  test('a refund that WeChat closed moved no money; a bill of older columns is read', () => {
    const closed = wechatLine('P1', 'x', 'REFUND').replace('`,`,`x', '`,`FAIL,`x');
    expect(linesOf(wechat(closed))).toEqual([]);
    const older = wechat(wechatLine('P1', 'x'))
      .replace(/,(?:订单金额|申请退款金额)/g, ',旧列')
      .replace('应结订单金额', '总金额');
    expect(linesOf(older)).toEqual([
      ['pay', 'P1', 8800],
      ['fee', 'P1', 53],
    ]);
  });

  test('parts of one statement in an archive are read together, other kinds are not mixed in', () => {
    const part = (n: number): Uint8Array => iconv.encode(alipay(line(n, 'x')), 'gbk');
    const parts = zipSync({ 'a_1.csv': part(1), 'a_2.csv': part(2), 'copy.csv': part(1) });
    expect(linesOf(Buffer.from(parts))).toHaveLength(2);
    const trade = strToU8('支付宝交易号,商户订单号,业务类型,完成时间,订单金额（元）,退款批次号/请求号\r\n');
    expect(refused(Buffer.from(zipSync({ 'a.csv': part(1), 'b.csv': trade })))).toContain('两种账单');
  });
});

describe('what is no statement is named', () => {
  test.each([
    ['a workbook', workbook([['微信订单号', '商户订单号']]), '这是 Excel 工作簿'],
    ['HTML', Buffer.from('<html><table><tr><td>微信订单号</td></tr></table>'), '这是旧版 Excel 或网页格式的表格'],
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), '这是旧版 Excel 或网页格式的表格'],
    ['an ODS', Buffer.from(zipSync({ 'content.xml': strToU8('<x/>') })), '这是 ODS 表格，表格软件会改动长单号'],
    ['another table', Buffer.from('编号,价格\n1,2'), '未找到账单表头'],
    ['half an archive', Buffer.from(zipSync({ a: strToU8('x'.repeat(99)) })).subarray(0, 60), '压缩文件无法读取'],
  ])('%s', (_, file, text) => {
    expect(() => readStatement(file)).toThrow(text);
  });
});

const refusalOf = (text: string | Uint8Array): string => {
  try {
    readStatement(Buffer.from(text as string));
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('Alipay’s rows whose times end without a tab', () => {
  const bare = ALIPAY.replaceAll(':00\t,', ':00,').replaceAll('50.50\t, \t,50.50\t', '50.50,0.00,50.50');

  test('keep their columns, also where a name has a comma', () => {
    const first = bare.replace('游市，账号', '游市,账号 "限定"');
    expect(linesOf(first).slice(0, 1)).toEqual([['pay', 'P1', 5050]]);
    expect(linesOf(first)).toHaveLength(2);
  });

  test('are reported as missing when the statement counts more of them', () => {
    expect(refusalOf(ALIPAY.replace('#支出合计：0笔', '#支出合计：1笔'))).toContain('支出合计是 1 笔，明细只有 0 笔');
    expect(refusalOf(`${ALIPAY}\r\n#收入合计：3笔，共1338.50元`)).toContain('收入合计是 3 笔，明细只有 2 笔');
  });

  test('are no payments when they return a fee with a refund', () => {
    const back = ALIPAY.replace('在线支付\t,\t\r\n100002', '退费\t,\t\r\n100002');
    expect(linesOf(back)).toEqual([['pay', 'P2', 128_800]]);
  });
});

test('a statement that is a part, empty, or of other money is refused by name', () => {
  const line = wechatLine('P1', '王者');
  expect(refusalOf(wechat(line.replace('CNY', 'USD')))).toContain('货币种类“USD”');
  expect(refusalOf(wechat(line).replace('微信退款单号,', '退款申请时间,微信退款单号,'))).toContain('所有订单');
  expect(refusalOf(wechat(line).replace('商户退款单号,', ''))).toContain('所有订单');
  expect(refusalOf('{"code":"NO_STATEMENT_EXIST","message":"账单文件不存在"}')).toContain('这一天没有账单');
  expect(refusalOf('<xml><return_msg>No Bill Exist</return_msg></xml>')).toContain('这一天没有账单');
  expect(refusalOf('')).toContain('文件是空的');
  expect(refusalOf(zipSync({ 'a.zip': zipSync({ 'a.csv': strToU8(wechat(line)) }) }))).toContain('压缩包里还有压缩包');
});

test('a statement in the wrong encoding is put right, or said to be garbled', () => {
  const saved = Buffer.from(wechat(wechatLine('P1', '王者')));
  expect(linesOf(Buffer.from(saved.toString('latin1')))).toHaveLength(2);
  expect(refusalOf(iconv.decode(saved, 'gbk'))).toContain('乱码');
});
