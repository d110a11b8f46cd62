/**
 * Tables between this market and spreadsheet programs: LibreOffice (Debian: libreoffice-calc-nogui) and Gnumeric write what we read and read
 * what we write; exceljs and SheetJS open our exports. Only in the long lane; a program that is missing is a skip.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readHeader, stockHeadings } from '#server/import/columns.ts';
import { headingNames } from '#server/import/heading-names.ts';
import { readFile } from '#server/import/files/read-file.ts';
import { rejectedHeader, rejectedLine } from '#server/import/rejected-rows.ts';
import { stockListOf } from '#server/import/stock-list.ts';
import { CSV_BOM, csvLine } from '#server/kernel/csv.ts';
import { loadXlsx } from '#subjects/back-office/server/lists/xlsx.ts';
import { LANE } from '../../sizes.ts';

const LIMIT_MS = 120_000;
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'youshi-tables-'));
const fixtures = join(import.meta.dirname, '../../fixtures/tables');
let ours: Buffer;

const COLUMNS = [
  { name: '编号', kind: 'text' },
  { name: '标题', kind: 'text' },
  { name: '价格', kind: 'money' },
  { name: '库存', kind: 'number' },
  { name: '时间', kind: 'time' },
] as const;
const ROWS = [
  ['261128220049593111', '=HYPERLINK("http://x") _x0041_ <&>', 1234.5, 1, '2026-11-28T08:00:00+08:00'],
  ['00123', '王者荣耀 𠮷', 88, null, null],
];
const READ = [
  ['261128220049593111', '=HYPERLINK("http://x") _x0041_ <&>', '1234.5', '1', '2026-11-28 08:00'],
  ['00123', '王者荣耀 𠮷', '88', '', ''],
];

beforeAll(async () => {
  const parts: Uint8Array[] = [];
  const batches = (async function* () {
    yield ROWS;
  })();
  for await (const part of loadXlsx('商品', COLUMNS, batches)) parts.push(part);
  ours = Buffer.concat(parts);
  writeFileSync(join(folder, 'ours.xlsx'), ours);
  writeFileSync(
    join(folder, 'ours.csv'),
    CSV_BOM + [COLUMNS.map(({ name }) => name), ...READ].map((cells) => csvLine(cells.map(String))).join(''),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (file: string) =>
  readFile({ body: readFileSync(file), name: file, headings: COLUMNS.flatMap(({ name }) => headingNames(name)) });

test('our own workbook is read as it was written', () => {
  expect(read(join(folder, 'ours.xlsx')).rows.map(({ cells }) => cells)).toEqual(READ);
});

/** Whether a program answers. */
const has = async (command: string): Promise<boolean> =>
  await run(command, ['--version'], { timeout: LIMIT_MS }).then(
    () => true,
    () => false,
  );

describe.runIf(LANE === 'long')('in the long lane', { timeout: LIMIT_MS }, () => {
  const office = async (file: string, to: string, out: string, ...more: string[]): Promise<void> => {
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
    await run('soffice', [profile, '--headless', ...more, '--convert-to', to, '--outdir', join(folder, out), file], {
      timeout: LIMIT_MS,
    });
  };

  test('LibreOffice opens our workbook and our CSV, and what it saves is read the same', async (context) => {
    if (!(await has('soffice'))) return context.skip('soffice (libreoffice-calc-nogui) is not installed');
    await office(join(folder, 'ours.xlsx'), 'xlsx:Calc MS Excel 2007 XML', 'office');
    expect(read(join(folder, 'office/ours.xlsx')).rows.map(({ cells }) => cells)).toEqual(READ);
    await office(join(folder, 'ours.xlsx'), 'csv:Text - txt - csv (StarCalc):9,34,76', 'tabs');
    expect(read(join(folder, 'tabs/ours.csv')).rows.map(({ cells }) => cells.slice(0, 2))).toEqual(
      READ.map((cells) => cells.slice(0, 2)),
    );
  });

  test('LibreOffice’s own formats are named, and its XLSX of another program’s table is read', async (context) => {
    if (!(await has('soffice'))) return context.skip('soffice (libreoffice-calc-nogui) is not installed');
    for (const [to, text] of [
      ['ods', 'ODS'],
      ['fods', 'fods'],
      ['xls', '旧版 Excel'],
      ['html', '网页格式'],
      ['slk', 'SYLK'],
    ] as const) {
      await office(join(fixtures, 'openpyxl.xlsx'), to, 'other');
      expect(() => read(join(folder, `other/openpyxl.${to}`)), to).toThrow(
        expect.objectContaining({ text: expect.stringContaining(text) }),
      );
    }
    await office(join(fixtures, 'xlsxwriter.xlsx'), 'xlsx:Calc MS Excel 2007 XML', 'other');
    expect(read(join(folder, 'other/xlsxwriter.xlsx')).rows[0]?.cells).toEqual([
      '00123',
      '88.5',
      '1',
      '2026-03-05 08:30',
    ]);
  });

  test('the refused rows of a stock list keep their codes through LibreOffice', async (context) => {
    if (!(await has('soffice'))) return context.skip('soffice (libreoffice-calc-nogui) is not installed');
    const header = readHeader(['编号', '游戏', '价格', '标题', '账号']);
    if ('error' in header) throw new Error(header.error);
    const cells = ['000123', '王者荣耀', '1,288', '=带公式的标题', '420000123456789012'];
    const file = join(folder, 'refused.csv');
    writeFileSync(file, rejectedHeader(header) + rejectedLine(header, cells, '没有区服'));
    const list = (path: string) =>
      stockListOf(
        readFile({
          body: readFileSync(path),
          name: path,
          headings: stockHeadings.flatMap(headingNames),
          isRagged: true,
        }),
      );
    const line = /^000123,王者荣耀,"?1,?288"?,=带公式的标题,420000123456789012,没有区服$/;
    expect(list(file).text.split('\r\n')[1]).toMatch(line);
    // Comma, double quotes, UTF-8, from the first line on.
    await office(file, 'xlsx:Calc MS Excel 2007 XML', 'refused', '--infilter=CSV:44,34,76,1');
    expect(list(join(folder, 'refused/refused.xlsx')).text.split('\r\n')[1]).toMatch(line);
  });

  test('Gnumeric saves our workbook, and it is read the same', async (context) => {
    if (!(await has('ssconvert'))) return context.skip('ssconvert (gnumeric) is not installed');
    const file = join(folder, 'gnumeric.xlsx');
    await run('ssconvert', [join(folder, 'ours.xlsx'), file], { timeout: LIMIT_MS });
    expect(read(file).rows.map(({ cells }) => cells)).toEqual(READ);
  });

  test('exceljs and SheetJS open our workbook', async (context) => {
    const packages = join(folder, 'packages');
    const args = [
      'install',
      '--prefix',
      packages,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      'exceljs@4.4.0',
      'xlsx@0.18.5',
    ];
    const isInstalled = await run('npm', args, { timeout: LIMIT_MS }).then(
      () => true,
      () => false,
    );
    if (!isInstalled) return context.skip('the registry does not answer for exceljs and xlsx');
    const load = createRequire(join(packages, 'package.json'));
    const { Workbook } = load('exceljs');
    const book = new Workbook();
    await book.xlsx.load(ours);
    const sheet = book.getWorksheet('商品');
    expect([sheet.getCell('A2').text, sheet.getCell('C2').value, sheet.getCell('B3').text]).toEqual([
      READ[0]?.[0],
      1234.5,
      READ[1]?.[1],
    ]);
    const { Sheets } = load('xlsx').read(ours);
    expect(load('xlsx').utils.sheet_to_json(Sheets['商品'], { header: 1 })[1].slice(0, 3)).toEqual(
      ROWS[0]?.slice(0, 3),
    );
  });
});
