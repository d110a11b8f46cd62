/** Tables as spreadsheet programs, libraries and shops write them (tests/fixtures/tables, and the documented formats). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { headingNames } from '#server/import/heading-names.ts';
import { readFile } from '#server/import/files/read-file.ts';
import { AppError } from '#server/kernel/errors.ts';
import { sheetXml, workbook, workbookOf } from '#tests/support/tools/workbook.ts';

const HEADINGS = ['编号', '价格', '库存', '标题'].flatMap(headingNames);
const FIXTURES = join(import.meta.dirname, '../../fixtures/tables');

/** An archive of these files. */
function workbookZip(files: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))));
}

const read = (body: Uint8Array, name = '商品.xlsx') => readFile({ body, name, headings: HEADINGS });
const fixture = (name: string) => read(readFileSync(join(FIXTURES, name)), name);
const cellsOf = (body: Uint8Array): string[][] => read(body).rows.map(({ cells }) => cells);

function refusal(body: Uint8Array, name?: string): string {
  try {
    read(body, name);
  } catch (error) {
    if (error instanceof AppError) return error.text;
    throw error;
  }
  throw new Error('the file was read');
}

describe('a workbook of', () => {
  const NOTES = [
    '合并的单元格：内容已填到它占的每一行',
    '表头是第 3 行；上面的“2026年11月商品清单”没有读取',
    '表格里隐藏（或被筛选掉）的第 5 行也读取了；不需要的请删除后重新上传',
  ];

  test.each([
    ['exceljs.xlsx', { cell: '', marks: { 1: 'uncomputed' } }],
    ['libreoffice.xlsx', { cell: '177', marks: undefined }],
  ])('%s', (name, formula) => {
    const table = fixture(name);
    expect(table.columns).toEqual(['编号', '价格(元)', '库存', '标题', '备注']);
    expect(table.rows.map(({ cells }) => cells)).toEqual([
      ['000012', '88.5', '1', '王者账号', '2026-03-05'],
      ['00123', '2', '是', 'a\nb', '#N/A'],
      ['A-007', formula.cell, '25%', 'x', ''],
      ['A9', '1', '1', 'm', 'k'],
      ['A9', '2', '2', 'n', 'k2'],
    ]);
    expect(table.rows.map(({ marks }) => marks)).toEqual([
      { 4: 'date' },
      { 4: 'error' },
      formula.marks,
      undefined,
      undefined,
    ]);
    expect(table.notes[0]).toMatch(/^读取的是工作表“商品”.*“选项”/);
    expect(table.notes.slice(1)).toEqual(NOTES);
  });

  test.each(['sheetjs.xlsx', 'gnumeric.xlsx'])('%s', (name) => {
    const table = fixture(name);
    expect(table.notes).toEqual(['表头是第 2 行；上面的“商品清单”没有读取']);
    expect(table.rows).toEqual([
      { line: 1, cells: ['00123', '88', '1', '2026-03-05'], marks: { 3: 'date' } },
      { line: 2, cells: ['1234567890123456', '1.23E+10', '', ''], marks: { 0: 'rounded', 1: 'scientific' } },
    ]);
  });

  test('openpyxl: the sheet with the heading is read, though another is first; hidden rows and columns are named', () => {
    const { rows, notes } = fixture('openpyxl.xlsx');
    expect(rows).toEqual([
      { line: 1, cells: ['00123', '88', '1', 'a'] },
      { line: 2, cells: ['000007', '', '是', 'b'], marks: { 1: 'uncomputed' } },
      { line: 3, cells: ['2026-03-05', '1', '1', 'c'], marks: { 0: 'date' } },
    ]);
    expect(notes).toEqual([
      '读取的是工作表“商品”；没有读取：“说明”',
      '表头是第 2 行；上面的“商品清单”没有读取',
      '表格里隐藏（或被筛选掉）的第 5 行也读取了；不需要的请删除后重新上传',
      '表格里隐藏的列也读取了：标题',
    ]);
  });

  test('XlsxWriter: days count from 1904, and an empty styled cell far below is nothing', () => {
    expect(fixture('xlsxwriter.xlsx').rows).toEqual([
      { line: 1, cells: ['00123', '88.5', '1', '2026-03-05 08:30'], marks: { 3: 'date' } },
      { line: 2, cells: ['ABC', '', '', ''] },
    ]);
  });
});

describe('a workbook with', () => {
  const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const head = '<c t="inlineStr"><is><t>编号</t></is></c><c t="inlineStr"><is><t>价格</t></is></c>';
  const sheet = (rows: string): string =>
    `<worksheet xmlns="${MAIN}"><sheetData><row>${head}</row>${rows}</sheetData></worksheet>`;

  test('no addresses of rows and cells is read in its order, empty cells included', () => {
    expect(cellsOf(workbookOf(sheet('<row><c/><c><v>8</v></c></row><row/><row><c><v>1</v></c></row>')))).toEqual([
      ['', '8'],
      ['1', ''],
    ]);
  });

  test('prefixed names, a byte order mark and the strict namespace', () => {
    const xml = `\ufeff<?xml version="1.0"?><x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetData>${[
      '<x:row r="1"><x:c r="A1" t="str"><x:v>编号</x:v></x:c><x:c r="B1" t="str"><x:v>价格</x:v></x:c></x:row>',
      '<x:row r="2"><x:c r="A2" t="d"><x:v>2026-03-05T00:00:00</x:v></x:c><x:c r="B2"><x:v>8</x:v></x:c></x:row>',
    ].join('')}</x:sheetData></x:worksheet>`;
    expect(read(workbookOf(xml)).rows).toEqual([{ line: 1, cells: ['2026-03-05', '8'], marks: { 0: 'date' } }]);
  });

  test('shared strings of several parts and with pronunciation, and escaped characters', () => {
    const shared = `<sst xmlns="${MAIN}"><si><r><t>王</t></r><r><t xml:space="preserve">者 </t></r><rPh sb="0" eb="1"><t>オウ</t></rPh></si><si><t>a_x000D_&amp;<![CDATA[<b>]]></t></si></sst>`;
    const body = workbookOf(sheet('<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>'), {
      'xl/sharedStrings.xml': strToU8(shared),
    });
    expect(cellsOf(body)).toEqual([['王者', 'a\n&<b>']]);
    expect(refusal(workbookOf(sheet('<row><c t="s"><v>7</v></c></row>')))).toContain('缺少一部分文字');
    // A cell without a value is empty.
    const empty = workbookOf(sheet('<row><c t="s"/><c t="s"><v></v></c></row><row><c t="s"><v>0</v></c></row>'), {
      'xl/sharedStrings.xml': strToU8(shared),
    });
    expect(cellsOf(empty)).toEqual([['王者', '']]);
  });

  test('absolute targets, backslashes and other names of its parts', () => {
    const parts: Record<string, Uint8Array> = {
      '_rels/.rels': strToU8(
        '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="/data/Book.xml"/></Relationships>',
      ),
      'data\\book.xml': strToU8(
        '<workbook xmlns:q="q"><sheets><sheet name="甲" sheetId="1" q:id="z"/></sheets></workbook>',
      ),
      'data/_rels/book.xml.rels': strToU8(
        '<Relationships><Relationship Id="z" Type="x/worksheet" Target="/data/S%201.xml"/></Relationships>',
      ),
      'data/s 1.xml': strToU8(sheet('<row><c><v>1</v></c><c><v>2</v></c></row>')),
    };
    expect(cellsOf(workbookOf('<worksheet/>', parts))).toEqual([['1', '2']]);
  });

  test.each([
    ['000000', '12', '000012'],
    ['"A-"0000', '12', 'A-0012'],
    ['000\\-0000', '1234567', '123-4567'],
    ['"SKU"0', '7', 'SKU7'],
    ['0.00', '88.5', '88.5'],
    ['#,##0.00"元"', '1234.5', '1234.5'],
    ['"¥"0', '88', '88'],
    ['0.0%', '0.125', '12.5%'],
    ['m"月"d"日"', '46086', '2026-03-05'],
    ['[$-804]yyyy"年"m"月"d"日";@', '46086', '2026-03-05'],
    ['h:mm', '0.5', '12:00'],
    ['[h]:mm', '1.5', '36:00'],
    ['@', '12', '12'],
    ['0.00"万"', '1.13', '1.13万'],
    ['#,##0"万元"', '1200', '1200万'],
    ['0!.0,"万"', '12000', '12000'],
    ['#,##0,"K"', '12000', '12000'],
    ['0"kg"', '12', '12'],
    ['[Red]General', '12', '12'],
  ])('the number format %s of %s', (code, value, text) => {
    const styles = `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="170" formatCode="${code.replaceAll('"', '&quot;')}"/></numFmts><cellXfs><xf/><xf numFmtId="170"/></cellXfs></styleSheet>`;
    const body = workbookOf(sheet(`<row><c s="1"><v>${value}</v></c></row>`), { 'xl/styles.xml': strToU8(styles) });
    expect(cellsOf(body)[0]?.[0]).toBe(text);
  });

  test('pictures within cells: they are no text, and the note names them', () => {
    const cells = '<c t="str"><f>DISPIMG("ID_1",1)</f><v>=DISPIMG("ID_1",1)</v></c><c t="e" vm="1"><v>#VALUE!</v></c>';
    const { rows, notes } = read(
      workbookOf(sheet(`<row>${cells}</row><row><c><v>1</v></c></row>`), { 'xl/media/image1.png': strToU8('x') }),
    );
    expect([rows.map((row) => row.cells), notes]).toEqual([
      [['1', '']],
      ['插在表格里的图片没有读取；请在“图片”列写文件名或网址'],
    ]);
  });

  test('notes at the side of the table keep their column', () => {
    const { columns, rows } = read(
      workbook([
        ['编号', '价格'],
        ['1', '2', '缺货'],
      ]),
    );
    expect(columns).toEqual(['编号', '价格', '第 3 列']);
    expect(rows[0]?.cells).toEqual(['1', '2', '缺货']);
  });

  test('a heading that is repeated is left out', () => {
    const { rows, notes } = read(
      workbook([
        ['编号', '价格'],
        ['1', '2'],
        ['编号', '价格'],
        ['3', '4'],
      ]),
    );
    expect(rows.map(({ cells }) => cells[0])).toEqual(['1', '3']);
    expect(notes).toEqual(['重复的表头有 1 行，没有读取']);
  });
});

describe('text', () => {
  const TABLE = [
    ['A-001', '88', '王者'],
    ['00123', '1,288.00', '荣耀, 全皮肤'],
  ];
  const csv = (separator: string): string =>
    ['编号,价格,标题', 'A-001,88,王者', '00123,"1,288.00","荣耀, 全皮肤"']
      .map((line) => line.replace(/("[^"]*")|,/g, (_, quoted: string | undefined) => quoted ?? separator))
      .join('\r\n');

  test.each([
    ['commas', Buffer.from(csv(','))],
    ['tabs', Buffer.from(csv('\t'))],
    ['semicolons', Buffer.from(csv(';'))],
    ['bars', Buffer.from(csv('|'))],
    ['full-width commas', Buffer.from(csv('，'))],
    ['a declared separator', Buffer.from(`\ufeffsep=;\r\n${csv(';')}`)],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${csv('\t')}`, 'utf16le')],
    ['UTF-16 without a mark', Buffer.from(csv('\t'), 'utf16le')],
    ['UTF-16 the other way round', Buffer.from(`\ufeff${csv('\t')}`, 'utf16le').swap16()],
    ['GBK', iconv.encode(csv(','), 'gbk')],
    ['GB 18030 with a mark', iconv.encode(`\ufeff${csv(',')}`, 'gb18030')],
    ['UTF-32', iconv.encode(csv(','), 'utf-32le', { addBOM: true })],
    ['a title row', Buffer.from(`2026年11月商品清单,,\r\n\r\n${csv(',')}`)],
    ['tabs behind its cells', Buffer.from(csv(',').replace('A-001', 'A-001\t'))],
    ['line ends of old Macs', Buffer.from(csv(',').replaceAll('\r\n', '\r'))],
  ])('is read with %s', (_, body) => {
    expect(cellsOf(body)).toEqual(TABLE);
  });

  test('in GBK whose first Chinese character is far behind', () => {
    const lines = [
      '编号,价格,标题'.replace('编号', 'sku'),
      ...Array.from({ length: 1999 }, () => `${'x'.repeat(60)},1,a`),
    ];
    const body = iconv.encode(lines.join('\n').replace(/a$/, '王者'), 'gbk');
    expect(cellsOf(body).at(-1)?.[2]).toBe('王者');
  });

  test('in UTF-8 of which one cell was cut within a character stays UTF-8, with a note', () => {
    const whole = Buffer.from(csv(',').replace('王者', '王者荣耀'));
    const at = whole.indexOf(Buffer.from('耀'));
    const cut = Buffer.concat([whole.subarray(0, at + 2), whole.subarray(at + 3)]);
    const long = Buffer.concat([
      cut,
      Buffer.from(`\r\n${Array.from({ length: 30 }, () => 'B,1,正常的标题').join('\r\n')}`),
    ]);
    const { rows, notes } = read(long, 'a.csv');
    expect(rows[2]?.cells).toEqual(['B', '1', '正常的标题']);
    expect(notes[0]).toContain('编码已损坏');
  });

  test('may have every cell in single quotes, or a declared separator in double quotes', () => {
    expect(cellsOf(Buffer.from("'编号','标题'\n'1','a, b'"))).toEqual([['1', 'a, b']]);
    expect(cellsOf(Buffer.from('"sep=;"\n编号;标题\n1;a, b'))).toEqual([['1', 'a, b']]);
  });

  test('may end with a row of totals, which is not read', () => {
    const { rows, notes } = read(Buffer.from('编号,价格\n1,2\n合计：,2'));
    expect([rows.length, notes]).toEqual([1, ['合计的行没有读取：第 3 行']]);
  });

  test('may contain the marks that shops put around a code', () => {
    const body = Buffer.from(`编号,价格\n="00123",1\n"=""00124""",2\n'00125,3\n\`00126,4\n００127,5`);
    expect(cellsOf(body).map(([code]) => code)).toEqual(['00123', '00124', '00125', '00126', '００127']);
    expect(cellsOf(Buffer.from('编号,标题\n1,\\N\n2,a'))).toEqual([
      ['1', ''],
      ['2', 'a'],
    ]);
  });

  test('keeps quotes that belong to it', () => {
    expect(cellsOf(Buffer.from('编号,标题\n1,"限定"皮肤\n2,5" 屏\n3,"a ""b"" c"'))).toEqual([
      ['1', '"限定"皮肤'],
      ['2', '5" 屏'],
      ['3', 'a "b" c'],
    ]);
  });

  test('in which a program wrote dates, exponents and errors', () => {
    expect(
      read(Buffer.from('编号,价格\n3月5日,1\n5-Mar,2\n1.23E+10,3\n#N/A,#####')).rows.map(({ marks }) => marks),
    ).toEqual([{ 0: 'dateLike' }, { 0: 'dateLike' }, { 0: 'scientific' }, { 0: 'error', 1: 'error' }]);
  });
});

describe('is named, with the way to convert it', () => {
  const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
  const ole = (stream: string): Buffer =>
    Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), Buffer.alloc(600), utf16(stream)]);

  test.each([
    ['an old workbook', readFileSync(join(FIXTURES, 'old.xls')), 'a.xls', '旧版 Excel'],
    ['a WPS table', ole('Workbook'), 'a.et', '.et'],
    ['an encrypted workbook', ole('EncryptedPackage'), 'a.xlsx', '清除密码'],
    ['a document', ole('WordDocument'), 'a.doc', 'Word'],
    [
      'HTML',
      Buffer.from('<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table><tr><td>1'),
      'a.xls',
      '网页格式',
    ],
    ['HTML in UTF-16', utf16('\ufeff<table><tr><td>编号</td></tr></table>'), 'a.xls', '网页格式'],
    ['MHTML', Buffer.from('MIME-Version: 1.0\r\nContent-Type: multipart/related'), 'a.xls', 'MHTML'],
    [
      'XML 2003',
      Buffer.from('<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>'),
      'a.xls',
      '2003',
    ],
    ['PDF', Buffer.from('%PDF-1.7\n'), 'a.pdf', 'PDF'],
    ['JSON', Buffer.from('[{"编号":"1"}]'), 'a.json', 'JSON'],
    ['a shortcut', Buffer.from('{"url": "https://docs.google.com/x"}'), 'a.gsheet', '下载'],
    ['Numbers', workbookZip({ 'Index/Document.iwa': 'x' }), 'a.numbers', 'Numbers'],
    ['Numbers sent by mail', workbookZip({ '商品.numbers/Index.zip': 'x' }), 'a.zip', 'Numbers'],
    ['BIFF without a container', Buffer.from([0x09, 0x08, 0x10, 0, 0, 6, 5, 0]), 'a.xls', '旧版 Excel'],
    [
      'a file that a company’s software encrypted',
      Buffer.from('\x62\x14\x23\x65\x04\0E-SafeNet\0LOCK'),
      'a.xlsx',
      '加密软件',
    ],
    [
      'ODS',
      workbookZip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<x/>' }),
      'a.ods',
      'ODS',
    ],
    ['XLSB', workbookZip({ 'xl/workbook.bin': 'x' }), 'a.xlsb', 'xlsb'],
    ['a document of Word', workbookZip({ 'word/document.xml': '<x/>' }), 'a.docx', 'Word'],
    ['an archive', workbookZip({ '商品.csv': '编号' }), 'a.zip', '解压'],
    [
      'text aligned by blanks',
      Buffer.from('商品清单\n编号    价格    标题\n00123   88      王者, 荣耀\n'),
      'a.prn',
      '.prn',
    ],
    ['a dBase table', Buffer.from([0x03, 0x7e, 3, 5, 1, 0, 0, 0]), 'a.dbf', '.dbf'],
    ['a Gnumeric table', Buffer.from([0x1f, 0x8b, 8, 0]), 'a.gnumeric', '.gnumeric'],
    ['a picture', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]), 'a.jpg', '图片'],
  ])('%s', (_, body, name, text) => {
    expect(refusal(body, name)).toContain(text);
  });

  test('an empty sheet', () => {
    expect(refusal(workbookOf(sheetXml([])))).toBe('文件是空的');
  });
});
