import { AppError } from '#server/kernel/errors.ts';
import { type Archive, ArchiveEncrypted, ArchiveTooLarge, openArchive } from '#server/kernel/unzip.ts';
import { archiveProblem } from './file-kind.ts';
import { restoredSheet } from './garbled-sheet.ts';
import { knownHeadings } from '../heading.ts';
import { readParts, type Sheet, type Workbook, workbookPart } from '../ooxml/parts.ts';
import { readSheet } from '../ooxml/sheet.ts';
import { DocumentType } from '../ooxml/xml.ts';
import type { RawTable } from './raw-table.ts';
import { refuse, type TableLimits } from './table-limits.ts';

/** Number of sheets that are compared. */
const MAX_SHEETS = 40;
/** A sheet with this many known headings is a table of goods. */
const SURE = 2;
const SHOWN = 5;

/** Runs `read` and turns its errors into a rejection with the reason. */
function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof DocumentType) refuse('工作簿含有不支持的内容，请另存为 CSV 后上传');
    if (error instanceof ArchiveTooLarge)
      refuse(error.of === 'files' ? '工作簿内容过多，请只保留一张表' : '工作簿解开后过大，请拆开后分别上传', error);
    if (error instanceof ArchiveEncrypted) refuse('文件有密码，无法打开：请去掉密码，保存后再上传', error);
    return refuse('工作簿无法读取，可能已损坏，请用 Excel 或 WPS 另存为 XLSX 后再上传', error);
  }
}

/** An open workbook with the headings that are searched for. */
interface Opened {
  archive: Archive;
  book: Workbook;
  names: ReadonlySet<string>;
  limits: TableLimits;
}

interface Candidate {
  sheet: Sheet;
  table: RawTable;
  known: number;
}

/** The non-empty sheets among these, most known headings first. Throws if none of them can be read. */
function candidates({ archive, book, names, limits }: Opened, sheets: readonly Sheet[]): Candidate[] {
  const found: Candidate[] = [];
  let failure: Error | undefined;
  for (const sheet of sheets.slice(0, MAX_SHEETS))
    try {
      const table = restoredSheet(readSheet(archive.read(sheet.part), book, limits), names);
      if (table.rows.length > 0) found.push({ sheet, table, known: knownHeadings(table, names) });
    } catch (error) {
      failure ??= error as Error;
    }
  if (found.length === 0 && failure) throw failure;
  return found.toSorted((a, b) => b.known - a.known);
}

const quoted = (name: string): string => `“${name.slice(0, 31)}”`;

/** The visible sheets with content, or the hidden ones if there are no others. Rejects a workbook whose only content is hidden. */
function sheetsWithContent(opened: Opened): Candidate[] {
  const { book } = opened;
  const visible = book.sheets.filter(({ isHidden }) => !isHidden);
  if (visible.length === 0) return candidates(opened, book.sheets);
  const found = candidates(opened, visible);
  if (found.length > 0) return found;
  const hidden = book.sheets.filter(({ isHidden }) => isHidden);
  const [first] = candidates(opened, hidden);
  if (first)
    refuse(`看得见的工作表都是空的，内容在隐藏的工作表${quoted(first.sheet.name)}里：请取消隐藏，保存后再上传`);
  return found;
}

function sheetNotes(archive: Archive, { sheets }: Workbook, chosen: Sheet, rivals: readonly Sheet[]): string[] {
  const shown = (some: readonly Sheet[]): string =>
    some
      .slice(0, SHOWN)
      .map(({ name }) => quoted(name))
      .join('、') + (some.length > SHOWN ? '等' : '');
  const others = (isHidden: boolean, what: string): string => {
    const found = sheets.filter((sheet) => sheet !== chosen && sheet.isHidden === isHidden);
    return found.length === 0 ? '' : `；${what}：${shown(found)}`;
  };
  const notes =
    sheets.length > 1
      ? [`读取的是工作表${quoted(chosen.name)}${others(false, '没有读取')}${others(true, '隐藏的没有读取')}`]
      : [];
  if (rivals.length > 0) notes.push(`工作表${shown(rivals)}也像是商品，一次只读一张：请另存为单独的文件后上传`);
  if (archive.names.some((name) => /(?:^|\/)media\/[^/]+\.(?:png|jpe?g|gif|bmp|webp)$/i.test(name)))
    notes.push('插在表格里的图片没有读取；请在“图片”列写文件名或网址');
  return notes;
}

/**
 * The cells of a workbook (XLSX, transitional or strict). Must run where it can be terminated at any time (table-worker.ts): sizes are checked,
 * but a reader can still be slow. `names` are the headings to be recognised. Throws BAD_INPUT.
 */
export function workbookTable(body: Buffer, names: ReadonlySet<string>, limits: TableLimits): RawTable {
  return guarded(() => {
    const archive = openArchive(body, { files: limits.parts, bytes: limits.unpackedBytes });
    const part = workbookPart(archive);
    if (part === undefined) return refuse(archiveProblem(archive.names));
    const book = readParts(archive, part);
    const [best, ...others] = sheetsWithContent({ archive, book, names, limits });
    if (!best) return refuse('文件是空的');
    const rivals = others
      .filter(({ known, table }) => known >= SURE && known === best.known && table.rows.length > 1)
      .map(({ sheet }) => sheet);
    return {
      ...best.table,
      ...(book.sheets.length > 1 && { place: `工作表${quoted(best.sheet.name)}` }),
      notes: [...sheetNotes(archive, book, best.sheet, rivals), ...best.table.notes],
    };
  });
}
