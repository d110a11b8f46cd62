/** Tables as people lay them out, and as web servers and old programs hand them over. */
import { strToU8, zipSync } from 'fflate';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { decoded } from '#server/import/files/encoding.ts';
import { headingNames } from '#server/import/heading-names.ts';
import { countText } from '#server/import/numbers.ts';
import { readPrice } from '#server/import/price.ts';
import { readFile } from '#server/import/files/read-file.ts';
import { AppError } from '#server/kernel/errors.ts';
import { guessMapping, headingsOf, STOCK_TARGETS } from '#subjects/listing-import/server/targets.ts';
import { type Cell, sheetXml, workbook, workbookOf } from '#tests/support/tools/workbook.ts';

const headings = [...STOCK_TARGETS.flatMap(headingsOf), '标题'].flatMap(headingNames);
const read = (body: Uint8Array, name = '商品.xlsx') => readFile({ body, name, headings });
const text = (body: string | Buffer) => read(Buffer.from(body), '商品.csv');
const cellsOf = (body: string | Buffer): string[][] => text(body).rows.map(({ cells }) => cells);

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return error.text;
    throw error;
  }
  throw new Error('the file was read');
}

const HEAD = ['编号', '价格', '库存'];
const ROWS: Cell[][] = [
  ['A-1', 88, 3],
  ['A-2', 99.5, 2],
];
const VALUES = [
  ['A-1', '88', '3'],
  ['A-2', '99.5', '2'],
];

describe('a heading', () => {
  test.each([
    ['in two languages', ['编号 Code', '价格 Price (CNY)', '库存\nStock']],
    ['with a slash between languages', ['编号/Code', '价格/Price', '库存/Stock']],
    ['in English', ['SKU', 'Price (RMB)', 'Quantity']],
    ['in traditional characters', ['編號', '價格', '庫存']],
    ['with marks', ['★编号', '●价格', '*库存（件）']],
    ['with what must be filled', ['编号(必填)', '【必填】价格', '库存-选填']],
    ['with units', ['编号', '售价￥', '库存：件']],
    ['with line ends and blanks', ['商家\n编号', '价 格\n（元）', '库 存 数 量']],
  ])('%s is recognised', (_, names) => {
    const table = read(workbook([names, ...ROWS]));
    expect(guessMapping(table.columns, STOCK_TARGETS)).toMatchObject({ code: 0, price: 1, stock: 2 });
    expect(table.rows.map(({ cells }) => cells)).toEqual(VALUES);
  });

  test.each([
    [
      'groups above their columns',
      [
        ['编号', '价格与库存', ''],
        ['', '价格', '库存'],
      ],
    ],
    ['units in a separate row', [HEAD, ['', '（元）', '（件）']]],
    ['what must be filled', [HEAD, ['必填', '必填', '选填']]],
    ['another language', [HEAD, ['sku', 'price', 'stock']]],
    ['remarks that name the columns', [['编号：必填', '价格：元', '库存：件', '不要改动'], HEAD]],
  ])('may have two rows: %s', (_, names) => {
    const table = read(workbook([...names, ...ROWS]));
    expect(table.columns.slice(0, 3)).toEqual(HEAD);
    expect(table.rows.map(({ cells }) => cells.slice(0, 3))).toEqual(VALUES);
  });

  test('is reported when it is missing or shared by two columns', () => {
    expect(text('A-1,88,3\nA-2,99,2').notes[0]).toContain('没有认出表头，把第 1 行当作了表头');
    expect(text('编号,价格,价格\nA,1,2').notes).toEqual(['有几列的表头相同：价格；默认用最前面的一列，请核对对应关系']);
  });
});

test('a table that lies on its side is refused with the way to turn it', () => {
  const sideways: Cell[][] = [HEAD, ...ROWS].reduce<Cell[][]>((columns, row) => {
    for (const [i, cell] of row.entries()) columns[i] = [...(columns[i] ?? []), cell];
    return columns;
  }, []);
  expect(refusal(() => read(workbook(sideways)))).toMatch(/^列名（编号、价格、库存等）在第一列.*转置/);
});

describe('rows at the end', () => {
  test.each(['合  计', '总计（2件）', 'Total', '平均值', '总金额：', '合计：2件', '共计¥187.50元'])(
    '%s is no product',
    (label) => {
      const table = read(workbook([HEAD, ...ROWS, [label, 187.5, 5]]));
      expect([table.rows.length, table.notes]).toEqual([2, ['合计的行没有读取：第 4 行']]);
    },
  );

  test('sums between remarks are no products', () => {
    const table = read(workbook([HEAD, ...ROWS, ['共计2件'], ['', '总金额', 187.5], ['制表：小王']]));
    expect([table.rows.length, table.notes]).toEqual([
      2,
      ['合计的行没有读取：第 4、5 行', '表尾的说明没有读取：第 6 行'],
    ]);
  });

  test('remarks are no products, a product without price is', () => {
    const table = read(workbook([HEAD, ...ROWS, ['A-3'], ['共 3 件'], ['制表：小王', '审核：老李']]));
    expect(table.rows.map(({ cells }) => cells[0])).toEqual(['A-1', 'A-2', 'A-3']);
    expect(table.notes).toEqual(['表尾的说明没有读取：第 5、6 行']);
  });
});

describe('a workbook', () => {
  const sheets = (list: readonly { name: string; rows: Cell[][]; state?: string }[]): Buffer =>
    workbookOf('<worksheet/>', {
      'xl/workbook.xml': strToU8(
        `<workbook xmlns:r="r"><sheets>${list.map(({ name, state = 'visible' }, i) => `<sheet name="${name}" sheetId="${i + 1}" state="${state}" r:id="s${i}"/>`).join('')}</sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': strToU8(
        `<Relationships>${list.map((_, i) => `<Relationship Id="s${i}" Type="x/worksheet" Target="worksheets/s${i}.xml"/>`).join('')}</Relationships>`,
      ),
      ...Object.fromEntries(list.map(({ rows }, i) => [`xl/worksheets/s${i}.xml`, strToU8(sheetXml(rows))])),
    });

  test('is read when its goods are in the tenth sheet', () => {
    const others = Array.from({ length: 9 }, (_, i) => ({ name: `说明${i}`, rows: [['见第十张表']] }));
    expect(read(sheets([...others, { name: '商品', rows: [HEAD, ...ROWS] }])).rows).toHaveLength(2);
  });

  test('is rejected when its goods are in a hidden sheet, and names a second sheet with goods', () => {
    const hidden = sheets([
      { name: '空', rows: [] },
      { name: '旧', state: 'veryHidden', rows: [HEAD, ...ROWS] },
    ]);
    expect(refusal(() => read(hidden))).toContain('内容在隐藏的工作表“旧”里：请取消隐藏');
    const two = sheets([
      { name: '甲', rows: [HEAD, ...ROWS] },
      { name: '乙', rows: [HEAD, ['B', 1, 1]] },
    ]);
    expect(read(two).notes).toContain('工作表“乙”也像是商品，一次只读一张：请另存为单独的文件后上传');
    const bare = sheets([
      { name: '甲', rows: [HEAD] },
      { name: '空', rows: [] },
    ]);
    expect(refusal(() => read(bare))).toBe('工作表“甲”里只有表头，没有内容');
  });

  const xml = (rows: string): string => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  const head = '<row r="1"><c r="A1" t="str"><v>编号</v></c></row>';

  test('in which two rows have one number is refused, not read without the first', () => {
    const row = (code: string): string => `<row r="2"><c r="A2" t="str"><v>${code}</v></c></row>`;
    expect(refusal(() => read(workbookOf(xml(head + row('A') + row('B')))))).toContain('第 2 行出现了两次');
  });

  test('may contain characters beyond 16 bits, and declare its encoding', () => {
    const emoji = workbookOf(xml(`${head}<row r="2"><c r="A2" t="str"><v>A&#128512;&#x5B;&apos;</v></c></row>`));
    expect(read(emoji).rows[0]?.cells).toEqual(["A😀['"]);
    const gbk = iconv.encode(`<?xml version="1.0" encoding="GBK"?>${sheetXml([HEAD, ...ROWS]).slice(38)}`, 'gbk');
    expect(read(workbookOf('', { 'xl/worksheets/sheet1.xml': gbk })).rows.map(({ cells }) => cells)).toEqual(VALUES);
  });

  test('behind a byte order mark or blanks, as a web server sends it', () => {
    for (const before of ['\ufeff', '\r\n\r\n'])
      expect(read(Buffer.concat([Buffer.from(before), workbook([HEAD, ...ROWS])])).rows).toHaveLength(2);
  });

  test('is rejected with the reason when it has a password, is incomplete or is another archive', () => {
    const locked = workbook([HEAD, ...ROWS]);
    for (const [mark, flags] of [
      ['PK\u0001\u0002', 8],
      ['PK\u0003\u0004', 6],
    ] as const)
      for (let at = locked.indexOf(mark); at >= 0; at = locked.indexOf(mark, at + 4))
        locked.writeUInt16LE(locked.readUInt16LE(at + flags) | 1, at + flags);
    expect(refusal(() => read(locked))).toContain('有密码');
    expect(refusal(() => read(Buffer.from('PK\u0003\u0004')))).toContain('已损坏');
    expect(refusal(() => read(Buffer.from(zipSync({ 'a.csv': strToU8('编号') }))))).toContain('解压');
  });

  test('is read with a long remark above the heading, and rejected with a long cell in the table', () => {
    expect(read(workbook([['说明'.repeat(3000)], HEAD, ...ROWS])).rows).toHaveLength(2);
    expect(refusal(() => read(workbook([HEAD, ['x'.repeat(4001), 1, 1]])))).toContain('超过 4000 个字');
  });
});

describe('text', () => {
  const CSV = '编号,价格,标题\r\nA-1,88,王者荣耀\r\nA-2,99,"满皮肤, 秒发"\r\n';
  const READ = [
    ['A-1', '88', '王者荣耀'],
    ['A-2', '99', '满皮肤, 秒发'],
  ];

  test('in Big5, and traditional characters in GB 18030', () => {
    const trad = '編號,價格,標題\r\nA-1,88,王者榮耀帳號\r\nA-2,99,原神帳號\r\n';
    for (const encoding of ['big5', 'gb18030'])
      expect(cellsOf(iconv.encode(trad, encoding)), encoding).toEqual([
        ['A-1', '88', '王者榮耀帳號'],
        ['A-2', '99', '原神帳號'],
      ]);
  });

  test.each([
    ['line ends of several kinds', '编号,价格,标题\r\nA-1,88,王者荣耀\nA-2,99,"满皮肤, 秒发"\r'],
    ['blanks around quotes', CSV.replace('"满', ' "满').replace('发"', '发" ')],
    ['a declared separator and old line ends', `sep=,\r${CSV.replaceAll('\r\n', '\r')}`],
    ['a declared separator in a row of separators', `sep=,,,\r\n${CSV}`],
    ['zero bytes at its end', CSV + '\0'.repeat(512)],
    ['an end mark of old programs', `${CSV}\u001a`],
  ])('is read with %s', (_, body) => {
    expect(cellsOf(body)).toEqual(READ);
  });

  test('in GB 18030 behind the mark of UTF-8, which a program put before every file', () => {
    const body = iconv.encode([HEAD, ['账号-1', '88', '3']].map((row) => row.join(',')).join('\n'), 'gb18030');
    const { columns, rows, notes } = text(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]));
    expect([columns, rows.map(({ cells }) => cells), notes]).toEqual([HEAD, [['账号-1', '88', '3']], []]);
  });

  test('in UTF-16 without a mark that is nearly all Chinese', () => {
    const body = `编号\t标题\r\n${'甲乙丙丁\t王者荣耀账号一百\r\n'.repeat(9)}`;
    expect(cellsOf(Buffer.from(body, 'utf16le'))).toHaveLength(9);
    expect(cellsOf(Buffer.from(body, 'utf16le').swap16())[8]).toEqual(['甲乙丙丁', '王者荣耀账号一百']);
  });

  test('in which a quote would swallow a row is refused at its place', () => {
    const body = '编号,价格,标题\nA,1,x\nB,2,"荣耀, 满皮\nC,3,"x"\n';
    expect(refusal(() => text(body))).toContain('第 3 行附近的引号没有配对');
    expect(refusal(() => text(`编号,标题\nA,${'x'.repeat(300_000)}`))).toContain('有一行过长');
  });

  test('may contain a code whose formula quotes were doubled', () => {
    expect(cellsOf('编号,价格\n=""00123"",1')).toEqual([['00123', '1']]);
  });

  test('is rejected when it is no table: programs, mail and pages', () => {
    expect(refusal(() => text(Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)])))).toContain('不是表格');
    expect(refusal(() => text(Buffer.from(Array.from({ length: 900 }, (_, i) => (i % 31) + 1))))).toContain('不是表格');
    expect(refusal(() => text('From: <Saved>\r\nMIME-Version: 1.0\r\n\r\n'))).toContain('MHTML');
    expect(refusal(() => text(`<style>${'a{b:c}'.repeat(2000)}</style><table><tr><td>1`))).toContain('网页');
  });

  test.each(['gb18030', 'utf8', 'big5'])(
    '%s of a stream whose first Chinese character is far behind',
    async (encoding) => {
      const whole = iconv.encode(`sku,title\n${'A-1,x\n'.repeat(30_000)}A-2,原神帳號編號標題\n`, encoding);
      const chunks = (async function* () {
        for (let at = 0; at < whole.length; at += 16_384) yield whole.subarray(at, at + 16_384);
      })();
      let read = '';
      let bytes = 0;
      for await (const part of decoded(chunks)) {
        read += part.text;
        bytes += part.bytes;
      }
      expect([read.slice(-13), bytes]).toEqual(['A-2,原神帳號編號標題\n', whole.length]);
    },
  );
});

describe('amounts', () => {
  test.each([
    ['88圆', 8800],
    ['88块钱', 8800],
    ['88元整', 8800],
    ['88￥', 8800],
    ['88元一个', 8800],
    ['88 元 / 件', 8800],
    ['价格：88', 8800],
    ['+88', 8800],
    ['¥ 1 288.50', 128_850],
    ['1.2万元', 1_200_000],
  ])('%s is %d fen', (cell, fen) => {
    expect(readPrice(cell)).toMatchObject({ fen });
  });

  test.each([
    ['88块5', '有歧义'],
    ['1万2', '有歧义'],
    ['88 66', '不是数字'],
    ['88-100', '是一个范围'],
    ['88～100元', '是一个范围'],
    ['约88', '“约”'],
    ['100起', '“起”'],
    ['(88)', '负数'],
    ['¥-88', '负数'],
    ['US$88', '外币'],
    ['88美元', '外币'],
    ['--', '没有价格'],
    ['无', '没有价格'],
    ['.', '不是数字'],
  ])('%s is refused: %s', (cell, reason) => {
    expect(readPrice(cell)).toMatchObject({ error: expect.stringContaining(reason) });
  });

  test.each([
    ['10把', '10'],
    ['10/件', '10'],
    ['10pcs', '10'],
    ['10-20', '10-20'],
    ['充足', '充足'],
  ])('the quantity %s is %s', (cell, count) => {
    expect(countText(cell)).toBe(count);
  });
});
