import { unzipSync, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/universal';
import { AppError } from '#server/kernel/errors.ts';
import { refuse, TABLE_LIMITS } from './table-limits.ts';

/** The parts of a workbook that hold its cells; drawings, macros and everything else are never unpacked. */
const PARTS =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:workbook|styles|sharedStrings)\.xml|xl\/_rels\/[^/]+\.rels|xl\/worksheets\/[^/]+\.xml)$/;

/**
 * The parts of a workbook, unpacked within bounds: sizes are added up before anything is unpacked, each part is unpacked into a buffer of
 * the size that it states, and one that does not fit it is an error. Throws BAD_INPUT.
 */
function unpack(body: Buffer): Record<string, Uint8Array> {
  let count = 0;
  let total = 0;
  try {
    const parts = unzipSync(body, {
      filter({ name, size, originalSize, compression }) {
        count++;
        if (count > TABLE_LIMITS.parts) refuse('工作簿内容过多，请只保留一张表');
        if (!PARTS.test(name)) return false;
        // An entry without compression is copied whatever size it states.
        if (compression === 0 && size !== originalSize) refuse('工作簿无法读取，可能已损坏，请另存为 CSV 后上传');
        total += originalSize;
        if (total > TABLE_LIMITS.unpackedBytes) refuse('工作簿解开后过大，请拆开后分别上传');
        return true;
      },
    });
    for (const part of Object.values(parts))
      if (Buffer.from(part.buffer, part.byteOffset, part.byteLength).includes('<!DOCTYPE'))
        refuse('工作簿含有不支持的内容，请另存为 CSV 后上传');
    return parts;
  } catch (error) {
    if (error instanceof AppError) throw error;
    return refuse('工作簿无法读取，可能已损坏，请另存为 CSV 后上传', error);
  }
}

const columnNumber = (letters: string): number =>
  [...letters].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0);

/** One cell far away makes a reader fill everything before it, so addresses are checked before the sheet is read. */
function checkAddresses(parts: Readonly<Record<string, Uint8Array>>): void {
  for (const [name, part] of Object.entries(parts)) {
    if (!name.startsWith('xl/worksheets/')) continue;
    const text = Buffer.from(part).toString('latin1');
    for (const [, address = ''] of text.matchAll(/<(?:\w+:)?(?:c|row)\s[^>]*?\br=["']([^"']{0,40})["']/g)) {
      const [, letters = '', row = ''] =
        /^([A-Z]{0,4})(\d{1,10})$/.exec(address) ?? refuse('工作簿的单元格地址无法读取');
      if (Number(row) > TABLE_LIMITS.rows + 1) refuse(`一次最多 ${TABLE_LIMITS.rows} 行，请拆开后分别上传`);
      if (columnNumber(letters) > TABLE_LIMITS.columns) refuse(`一次最多 ${TABLE_LIMITS.columns} 列，请删去用不到的列`);
    }
  }
}

/** Digits that a spreadsheet keeps of a number; what is longer was changed before it came here. */
const EXACT_DIGITS = 15;

/** A cell as text: a formula's stored result, never the formula. Throws BAD_INPUT for a number that the spreadsheet has rounded. */
function cellText(value: unknown, line: number): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (typeof value === 'number') {
    if (Math.abs(value) >= 10 ** EXACT_DIGITS)
      refuse(`第 ${line} 行有超过 ${EXACT_DIGITS} 位的数字，表格软件已改动它的末几位；请把该列设为“文本”后重新填写`);
    return String(Number(value.toPrecision(EXACT_DIGITS)));
  }
  if (typeof value !== 'string') return '';
  if (value.length > TABLE_LIMITS.cellChars) refuse(`第 ${line} 行有单元格超过 ${TABLE_LIMITS.cellChars} 个字`);
  return value;
}

/**
 * The cells of a workbook's first sheet as texts. To be run where it may be ended at any time (read-workbook.ts): the sizes that a file states
 * are checked, but a file can lie. Throws BAD_INPUT.
 */
export async function workbookRows(body: Buffer): Promise<string[][]> {
  const parts = unpack(body);
  if (parts['xl/workbook.xml'] === undefined) refuse('这个文件不是表格，请上传 CSV 或 XLSX');
  checkAddresses(parts);
  try {
    // Packed again without compression: the reader sees what was unpacked within bounds, and nothing else.
    const clean = zipSync(parts, { level: 0 });
    const rows = (await readSheet(clean.slice().buffer, { trim: false })) as unknown[][];
    return rows.map((cells, i) => cells.map((cell) => cellText(cell, i)));
  } catch (error) {
    if (error instanceof AppError) throw error;
    return refuse('工作簿无法读取，请另存为 CSV 后上传', error);
  }
}
