import { AppError } from '#server/kernel/errors.ts';
import { type Archive, ArchiveTooLarge, openArchive } from '#server/kernel/unzip.ts';
import { archiveProblem } from './file-kind.ts';
import { knownHeadings } from './heading.ts';
import { readParts, type Sheet, type Workbook, workbookPart } from './ooxml/parts.ts';
import { readSheet } from './ooxml/sheet.ts';
import { DocumentType } from './ooxml/xml.ts';
import type { RawTable } from './raw-table.ts';
import { refuse, TABLE_LIMITS } from './table-limits.ts';

/** Visible sheets that are compared. */
const MAX_SHEETS = 8;
/** A sheet with so many known headings is the one; the others are not read. */
const SURE = 3;
const SHOWN = 5;

/** Does `read`; what cannot be read is refused with the reason. */
function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof DocumentType) refuse('工作簿含有不支持的内容，请另存为 CSV 后上传');
    if (error instanceof ArchiveTooLarge)
      refuse(error.of === 'files' ? '工作簿内容过多，请只保留一张表' : '工作簿解开后过大，请拆开后分别上传', error);
    return refuse('工作簿无法读取，可能已损坏，请用 Excel 或 WPS 另存为 XLSX 后再上传', error);
  }
}

interface Candidate {
  sheet: Sheet;
  table: RawTable;
  known: number;
}

/** The visible sheet that shows most known headings, else the first one with content. */
function bestSheet(archive: Archive, book: Workbook, names: ReadonlySet<string>): Candidate | undefined {
  const visible = book.sheets.filter(({ isHidden }) => !isHidden);
  let best: Candidate | undefined;
  let failure: Error | undefined;
  for (const sheet of (visible.length > 0 ? visible : book.sheets).slice(0, MAX_SHEETS)) {
    try {
      const table = readSheet(archive.read(sheet.part), book);
      const known = knownHeadings(table, names);
      if (table.rows.length > 0 && (!best || known > best.known)) best = { sheet, table, known };
      if (known >= SURE) return best;
    } catch (error) {
      failure ??= error as Error;
    }
  }
  if (!best && failure) throw failure;
  return best;
}

function sheetNotes(archive: Archive, { sheets }: Workbook, chosen: Sheet): string[] {
  const others = (isHidden: boolean): string[] =>
    sheets
      .filter((sheet) => sheet !== chosen && sheet.isHidden === isHidden)
      .map(({ name }) => `“${name.slice(0, 31)}”`);
  const named = (names: readonly string[], what: string): string =>
    names.length === 0 ? '' : `；${what}：${names.slice(0, SHOWN).join('、')}${names.length > SHOWN ? '等' : ''}`;
  const notes =
    sheets.length > 1
      ? [
          `读取的是工作表“${chosen.name.slice(0, 31)}”${named(others(false), '没有读取')}${named(others(true), '隐藏的没有读取')}`,
        ]
      : [];
  if (archive.names.some((name) => /(?:^|\/)media\/[^/]+\.(?:png|jpe?g|gif|bmp|webp)$/i.test(name)))
    notes.push('插在表格里的图片没有读取；请在“图片”列写文件名或网址');
  return notes;
}

/**
 * The cells of a workbook (XLSX, transitional or strict). To be run where it may be ended at any time (table-worker.ts): sizes are checked,
 * but a reader can still be slow. `names` are the headings that would be recognised. Throws BAD_INPUT.
 */
export function workbookTable(body: Buffer, names: ReadonlySet<string>): RawTable {
  return guarded(() => {
    const archive = openArchive(body, { files: TABLE_LIMITS.parts, bytes: TABLE_LIMITS.unpackedBytes });
    const part = workbookPart(archive);
    if (part === undefined) return refuse(archiveProblem(archive.names));
    const book = readParts(archive, part);
    const best = bestSheet(archive, book, names);
    if (!best) return refuse('文件是空的');
    return { ...best.table, notes: [...sheetNotes(archive, book, best.sheet), ...best.table.notes] };
  });
}
