/** Tables that were damaged, mixed or mislabelled on their way: read right, or refused with what is wrong and what to do. */
import iconv from 'iconv-lite';
import { strToU8 } from 'fflate';
import { describe, expect, test } from 'vitest';
import { stockHeadings } from '#server/import/columns.ts';
import { headingNames } from '#server/import/heading-names.ts';
import { readPrice } from '#server/import/price.ts';
import { readFile } from '#server/import/files/read-file.ts';
import { stockListOf } from '#server/import/stock-list.ts';
import { AppError } from '#server/kernel/errors.ts';
import { headingsOf, STOCK_TARGETS } from '#subjects/listing-import/server/targets.ts';
import { workbook, workbookOf } from '#tests/support/tools/workbook.ts';

const headings = [...STOCK_TARGETS.flatMap(headingsOf), '标题'].flatMap(headingNames);
const read = (body: string | Buffer, name = '商品.csv') => readFile({ body: Buffer.from(body), name, headings });
const cellsOf = (body: string | Buffer): string[][] => read(body).rows.map(({ cells }) => cells);

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return error.text;
    throw error;
  }
  throw new Error('the file was read');
}

const BASE = '编号,标题,价格,库存\r\n00123,王者荣耀 V10 贵族号,88.50,3\r\n00124,“限定”皮肤，多,1.2万,1\r\n';
const VALUES = [
  ['00123', '王者荣耀 V10 贵族号', '88.50', '3'],
  ['00124', '“限定”皮肤，多', '1.2万', '1'],
];

describe('a text that a program read in the wrong encoding and saved', () => {
  test.each([
    ['UTF-8 as Western', Buffer.from(BASE).toString('latin1')],
    ['GBK as Western', iconv.encode(BASE, 'gbk').toString('latin1')],
    [
      'UTF-8 as GBK, where each name has an even number of bytes',
      iconv.decode(Buffer.from('编号,价格,库存\r\nA,1,2\r\n'), 'gbk'),
    ],
  ])('%s is put right where nothing was lost', (_, saved) => {
    const table = read(saved);
    expect(table.columns.slice(0, 1)).toEqual(['编号']);
    expect(table.notes.join()).toContain('文字已还原');
  });

  test('keeps every cell', () => expect(cellsOf(Buffer.from(BASE).toString('latin1'))).toEqual(VALUES));

  test.each([
    ['Western with holes', iconv.decode(Buffer.from(BASE), 'win1252')],
    ['UTF-8 as GBK', iconv.decode(Buffer.from(BASE), 'gbk')],
    ['GBK as UTF-8', iconv.encode(BASE, 'gbk').toString('utf8')],
    ['question marks', BASE.replace(/[\u4e00-\u9fff]/g, '?')],
  ])('%s is refused as what it is where characters were lost', (_, saved) => {
    expect(refusal(() => read(saved))).toContain('乱码');
  });

  test('a cell that lost its characters is pointed out', () => {
    expect(read(BASE.replace('王者荣耀', '锟斤拷锟斤拷')).notes.join()).toContain('锟斤拷');
  });

  test.each(['~{1`:E~},~{<[8q~},~{?b4f~}\r\nA-1,88,3\r\n', '+fxZT9w-,+TvdoPA-\r\n1,2\r\n'])(
    '%j has its encoding named',
    (saved) => {
      expect(refusal(() => read(saved))).toContain('编码');
    },
  );
});

describe('a workbook made from a text file that was opened in the wrong encoding', () => {
  const rows = BASE.trim()
    .split('\r\n')
    .map((line) => line.split(','));
  const readAs = (garble: (cell: string) => string, sheet: readonly (readonly string[])[] = rows) =>
    read(workbook(sheet.map((cells) => cells.map(garble))), '商品.xlsx');
  const utf8As = (encoding: string) => (cell: string) => iconv.decode(Buffer.from(cell), encoding);
  const HOLES = /[\u0081\u008d\u008f\u0090\u009d]/g;
  // As LibreOffice 7.4 saves it: windows-1252, whose undefined bytes become private characters.
  const libreOffice = (cell: string) =>
    iconv
      .decode(Buffer.from(cell), 'win1252')
      .split('')
      .map((char, at) => (char === '\ufffd' ? String.fromCharCode(0xf100 + (Buffer.from(cell)[at] ?? 0)) : char))
      .join('');

  test.each([
    ['UTF-8 as Western by LibreOffice', libreOffice],
    ['UTF-8 as Western', (cell: string) => Buffer.from(cell).toString('latin1')],
    ['GBK as Western', (cell: string) => iconv.encode(cell, 'gbk').toString('latin1')],
  ])('%s has its texts back', (_, garble) => {
    const table = readAs(garble);
    expect(table.columns).toEqual(['编号', '标题', '价格', '库存']);
    expect(table.rows.map(({ cells }) => cells)).toEqual(VALUES);
    expect(table.notes).toContain('文件曾被用错误的编码保存，文字已还原，请核对');
  });

  test('UTF-8 as GBK, where each name has an even number of bytes, has its texts back', () => {
    const table = readAs(utf8As('gbk'), [
      ['编号', '价格', '库存'],
      ['A', '1', '2'],
    ]);
    expect(table.columns).toEqual(['编号', '价格', '库存']);
    expect(table.rows.map(({ cells }) => cells)).toEqual([['A', '1', '2']]);
  });

  test.each([
    ['UTF-8 as GBK', utf8As('gbk')],
    ['GBK as UTF-8', (cell: string) => iconv.encode(cell, 'gbk').toString('utf8')],
    ['Western without the undefined bytes', (cell: string) => utf8As('win1252')(cell).replace(HOLES, '')],
    ['question marks', (cell: string) => cell.replace(/[\u4e00-\u9fff]/g, '?')],
  ])('%s is refused as what it is where characters were lost', (_, garble) => {
    expect(refusal(() => readAs(garble))).toContain('乱码');
  });

  test('a cell that lost its characters does not refuse a sheet whose headings are unknown', () => {
    const table = readAs(
      (cell) => cell,
      [
        ['甲栏', '乙栏'],
        ['锟斤拷', '1'],
      ],
    );
    expect(table.rows[0]?.cells).toEqual(['锟斤拷', '1']);
  });

  test('texts of a workbook with a known heading stay as they are', () => {
    const name = Buffer.from('é').toString('latin1');
    const table = read(
      workbook([
        ['编号', '价格'],
        [name, '1'],
      ]),
      '商品.xlsx',
    );
    expect(table.rows[0]?.cells).toEqual([name, '1']);
    expect(table.notes.join()).not.toContain('还原');
  });
});

describe('separators', () => {
  test('are ignored when the first line declares the wrong ones', () =>
    expect(cellsOf(`sep=;\r\n${BASE}`)).toEqual(VALUES));

  test.each(['、', '^', '~'])('may be rare: %s', (separator) => {
    expect(cellsOf(['编号', '价格', '库存', '\nA', '88', '3'].join(separator).replace(`${separator}\n`, '\n'))).toEqual(
      [['A', '88', '3']],
    );
  });

  test('are rejected when heading and rows differ', () => {
    expect(refusal(() => read('编号，标题，价格，库存\r\nA,b,88,3\r\n'))).toContain('不一致');
  });

  test('are rejected when they are single blanks', () => {
    expect(refusal(() => read('编号 价格 库存\r\nA 88 3\r\nB 99 4\r\n'))).toContain('空格');
  });

  test('within Chinese quotes, which quote nothing', () => {
    expect(refusal(() => read('编号,标题,价格,库存\r\n1,“a,b”,88,3\r\n'))).toContain('中文引号');
  });

  test.each(['\u0085', '\u2028'])('between lines: %j', (end) =>
    expect(cellsOf(BASE.replaceAll('\r\n', end))).toEqual(VALUES),
  );
});

test('a value that a database lacks is empty', () => {
  expect(cellsOf('编号,标题,价格,库存\r\nA,NULL,88,(null)\r\nB,nan,9,\\N\r\n')).toEqual([
    ['A', '', '88', ''],
    ['B', '', '9', ''],
  ]);
});

test.each([
  ['-- dump\nINSERT INTO goods (编号,价格) VALUES (1,2);\n', '商品.csv', 'SQL'],
  ['<!DOCTYPE html><html><head><title>登录</title></head></html>', '商品.xls', '登录'],
  ['version https://git-lfs.github.com/spec/v1\noid sha256:1\n', '商品.csv', 'Git LFS'],
  ['SQLite format 3\0aaaa', '商品.csv', '数据库'],
  ['PAR1aaaa', '商品.csv', 'Parquet'],
  ['\0\0\0\x18ftypheic\0\0\0\0', '商品.xlsx', '图片'],
  ['\0\0\0\x18ftypmp42\0\0\0\0', '商品.xlsx', '视频'],
  ['\x05Admin'.padEnd(165), '~$商品.xlsx', '临时文件'],
])('%j is named', (body, name, part) => {
  expect(refusal(() => read(Buffer.from(body, 'utf8'), name))).toContain(part);
});

const NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const HEADING = ['编号', '价格'].map((text, i) => `<c r="${i === 0 ? 'A' : 'B'}1" t="str"><v>${text}</v></c>`).join('');
const book = (cells: string, format = 'General') =>
  workbookOf(
    `<worksheet ${NS}><sheetData><row r="1">${HEADING}</row><row r="2">${cells}</row></sheetData></worksheet>`,
    {
      'xl/styles.xml': strToU8(
        `<styleSheet ${NS}><numFmts><numFmt numFmtId="164" formatCode="${format.replaceAll('"', '&quot;')}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
      ),
    },
  );

describe('a cell of a workbook', () => {
  test.each([
    ['[$€-407]#,##0.00', '€100'],
    ['#,##0.00\\ [$€-407]', '€100'],
    ['[$$-409]#,##0.00', 'US$100'],
    ['"HK$"0', 'HK$100'],
    ['[$₩-412]#,##0', '₩100'],
  ])('in foreign money, %s, is no price in yuan', (format, shown) => {
    const price =
      read(book('<c r="A2" t="str"><v>A</v></c><c r="B2" s="1"><v>100</v></c>', format)).rows[0]?.cells[1] ?? '';
    expect(price).toBe(shown);
    expect(readPrice(price)).toEqual({ error: '价格带外币，请换算成人民币后填写' });
  });

  test.each(['"¥"#,##0.00', '[$¥-804]#,##0.00', '[$￥-804]0', '[$CNY] 0'])('in yuan, %s, is its number', (format) => {
    expect(read(book('<c r="A2" t="str"><v>A</v></c><c r="B2" s="1"><v>100</v></c>', format)).rows[0]?.cells[1]).toBe(
      '100',
    );
  });

  test('keeps the digit that its format puts before the number', () => {
    expect(read(book('<c r="A2" s="1"><v>123</v></c>', '"0"0')).rows[0]?.cells[0]).toBe('0123');
  });

  test('has no text of its extensions', () => {
    expect(
      read(book('<c r="A2" t="str"><v>A</v><extLst><ext><t>x</t><v>9</v></ext></extLst></c>')).rows[0]?.cells[0],
    ).toBe('A');
  });

  test('is rejected when it occurs twice, not read once', () => {
    expect(refusal(() => read(book('<c r="A2" t="str"><v>A</v></c><c r="A2" t="str"><v>B</v></c>')))).toContain('两次');
  });
});

test.each([
  ['1 130,00', '逗号'],
  ['1.130,00', '逗号'],
  ['88,5', '逗号'],
  ['95%', '百分数'],
  ['1.13E3', '科学计数'],
  ['一百二十元', '中文数字'],
  ['免费', '免费'],
])('a price %s is refused with its reason', (cell, part) => {
  expect(readPrice(cell)).toEqual({ error: expect.stringContaining(part) });
});

test('a stock list says which codes look like dates', () => {
  const body = Buffer.from('游戏,类型,标题,价格,货号\r\n王者荣耀,账号,a,88,3月5日\r\n');
  const table = readFile({ body, name: 'a.csv', headings: stockHeadings.flatMap(headingNames), isRagged: true });
  expect(stockListOf(table).notes.join()).toContain('像是表格软件改成的日期');
});
