/** Files as sellers upload them, and files that shall cost a server its memory. */
import { strToU8 } from 'fflate';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { readTable } from '#server/import/files/spreadsheet.ts';
import { TABLE_LIMITS } from '#server/import/files/table-limits.ts';
import { AppError } from '#server/kernel/errors.ts';
import { sheetXml, workbook, workbookOf } from '#tests/support/tools/workbook.ts';

async function refusal(body: Buffer): Promise<string> {
  const error = await readTable(body).then(
    () => undefined,
    (e: unknown) => e,
  );
  if (!(error instanceof AppError)) throw new Error('the file was taken', { cause: error });
  expect(error).toMatchObject({ error: 'BAD_INPUT', field: 'file' });
  return error.text;
}

describe('a valid workbook', () => {
  const table = {
    columns: ['商家编号', '价格'],
    rows: [
      { line: 1, cells: ['A-1', '88'] },
      { line: 3, cells: ['=1+1', '99.5'] },
    ],
  };
  const csv = "商家编号,价格\r\nA-1,88\r\n,\r\n'=1+1,99.5\r\n";

  test.each([
    ['CSV in UTF-8', Buffer.from(csv)],
    ['CSV with a mark', Buffer.from(`\ufeff${csv}`)],
    ['CSV in GBK', iconv.encode(csv, 'gbk')],
    ['text copied from a spreadsheet', Buffer.from(csv.replaceAll(',', '\t'))],
    [
      'XLSX',
      workbook([
        ['商家编号', '价格'],
        ['A-1', 88],
        ['', ''],
        ["'=1+1", 99.5],
      ]),
    ],
  ])('%s', async (_, body) => {
    expect(await readTable(body)).toEqual({ ...table, notes: [] });
  });

  test('returns the stored result of a formula, never the formula', async () => {
    const body = workbook([['价格'], [{ formula: 'HYPERLINK("http://x")', result: '12' }]]);
    expect((await readTable(body)).rows).toEqual([{ line: 1, cells: ['12'] }]);
  });

  test('is read up to the last row', async () => {
    const rows = (n: number): Buffer => Buffer.from(`a\n${'1\n'.repeat(n)}`);
    expect((await readTable(rows(TABLE_LIMITS.rows))).rows).toHaveLength(TABLE_LIMITS.rows);
    expect(await refusal(rows(TABLE_LIMITS.rows + 1))).toContain('最多 2000 行');
  });
});

describe('is rejected', () => {
  test.each([
    ['nothing', Buffer.from(''), '文件是空的'],
    ['only a heading', Buffer.from('价格,库存\n'), '只有表头'],
    ['too large a file', Buffer.alloc(TABLE_LIMITS.bytes + 1, 'a'), '不能超过 5M'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]), '不是表格'],
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1]), '旧版 Excel'],
    ['half an archive', workbook([['a'], ['b']]).subarray(0, 300), '无法读取'],
    ['too many columns', Buffer.from(`${'a,'.repeat(TABLE_LIMITS.columns)}a\n1`), '最多 60 列'],
    ['a cell too long', Buffer.from(`a\n${'字'.repeat(TABLE_LIMITS.cellChars + 1)}`), '超过 4000 个字'],
    ['a row longer than the heading', Buffer.from('a,b\n1,2,3'), '列数比表头多'],
  ])('%s', async (_, body, text) => {
    expect(await refusal(body)).toContain(text);
  });

  test('a bomb: an archive that unpacks to far more than its size', async () => {
    const bomb = workbookOf(sheetXml([['a'], ['b']]), {
      'xl/sharedStrings.xml': new Uint8Array(TABLE_LIMITS.unpackedBytes),
    });
    expect(bomb.length).toBeLessThan(200_000);
    expect(await refusal(bomb)).toContain('解开后过大');
  });

  test('a bomb with a false size', async () => {
    const bomb = workbookOf(sheetXml([['a'], ['b']]), { 'xl/styles.xml': new Uint8Array(20_000_000) });
    // Both places that state the size say that it is ten bytes.
    const honest = Buffer.alloc(4);
    honest.writeUInt32LE(20_000_000);
    for (let at = bomb.indexOf(honest); at >= 0; at = bomb.indexOf(honest)) bomb.writeUInt32LE(10, at);
    expect(await refusal(bomb)).toContain('无法读取');
  });

  test('an archive of too many parts', async () => {
    const parts = Object.fromEntries(
      Array.from({ length: TABLE_LIMITS.parts + 1 }, (_, i) => [`xl/media/${i}.png`, strToU8('x')]),
    );
    expect(await refusal(workbookOf(sheetXml([['a'], ['b']]), parts))).toContain('内容过多');
  });

  test('one distant cell, which would create millions before it', async () => {
    const far = (address: string): Buffer =>
      workbookOf(
        `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row><row r="2"><c r="${address}"><v>1</v></c></row></sheetData></worksheet>`,
      );
    expect(await refusal(far('A1048576'))).toContain('最多 2000 行');
    expect(await refusal(far('XFD2'))).toContain('最多 60 列');
  });

  test('expanding entities', async () => {
    const sheet = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${sheetXml([['a'], ['b']])}`;
    expect(await refusal(workbookOf(sheet))).toContain('不支持的内容');
  });
});

describe('a workbook with false statements', () => {
  const [head = '', tail = ''] = sheetXml([['商家编号']])
    .split('</sheetData>')
    .map((part, i) => (i === 0 ? part : `</sheetData>${part}`));

  test.each([
    ['tags that never end', `${head}${'<c '.repeat(400_000)}${tail}`],
    [
      'a second number of a row',
      `${head}<row r="2" x:r="900000000"><c r="A2" t="inlineStr"><is><t>1</t></is></c></row>${tail}`,
    ],
    [
      'a second address of a cell',
      `${head}<row r="2"><c r="A2" x:r="ZZZZZZ2" t="inlineStr"><is><t>1</t></is></c></row>${tail}`,
    ],
  ])('%s ends its own thread and nothing else', async (_name, xml) => {
    const body = workbookOf(xml);
    // Refused, or read as what it says; either way within bounds and without an end of this process.
    const result = await readTable(body).then(
      ({ rows }) => rows.length,
      (error: unknown) => (error instanceof AppError ? error.error : error),
    );
    expect(result === 'BAD_INPUT' || (typeof result === 'number' && result < TABLE_LIMITS.rows)).toBe(true);
  });
});
