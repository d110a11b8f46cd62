/** A workbook of one sheet, written as a stream: the rows are compressed as they arrive and never all in memory. */
import { CHINA_MS } from '#contract/rules/time/china-time.ts';
import { Zip, ZipDeflate, strToU8 } from 'fflate';
import type { CellKind } from '#contract/lists/kit.ts';
import type { Cells } from './sources.ts';

interface SheetColumn {
  name: string;
  kind: CellKind;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The styles of cells by number: 0 text, 1 heading, 2 amount, 3 time. */
const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/></font><font><b/><sz val="11"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="4" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`;
const HEADING = 1;
const AMOUNT = 2;
const TIME = 3;

const DAY_MS = 86_400_000;
/** Day zero of spreadsheet dates. */
const DAY_ZERO = Date.UTC(1899, 11, 30);

const escaped = (text: string): string =>
  text
    .toWellFormed()
    // Matches text that would be read as an escaped character.
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    // Characters that are invalid in XML.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

const textCell = (at: string, text: string, style = 0): string =>
  `<c r="${at}" t="inlineStr"${style ? ` s="${style}"` : ''}><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

/** The letters of a column from 0: A, Z, AA. */
const lettersOf = (column: number): string =>
  column < 26
    ? String.fromCharCode(65 + column)
    : lettersOf(Math.floor(column / 26) - 1) + String.fromCharCode(65 + (column % 26));

/** One cell. Text is stored as text, so that nothing in it is ever computed. */
function cellOf(at: string, value: string | number | null, kind: CellKind): string {
  if (value === null || value === '') return '';
  if (kind === 'text') return textCell(at, String(value));
  if (kind === 'time') {
    const days = (Date.parse(String(value)) + CHINA_MS - DAY_ZERO) / DAY_MS;
    return `<c r="${at}" s="${TIME}"><v>${days.toFixed(6)}</v></c>`;
  }
  return `<c r="${at}"${kind === 'money' ? ` s="${AMOUNT}"` : ''}><v>${Number(value)}</v></c>`;
}

/** Some readers require the reference of each row and cell, although the format makes it optional. */
const row = (number: number, cells: (at: (column: number) => string) => readonly string[]): string =>
  `<row r="${number}">${cells((column) => `${lettersOf(column)}${number}`).join('')}</row>`;

/** A sheet name has at most 31 characters, and none of these. */
const sheetName = (title: string): string =>
  title
    .replace(/[\\/*?:[\]]/g, ' ')
    .toWellFormed()
    .slice(0, 31);

/** The parts of the package other than the sheet. */
const partsOf = (title: string): readonly (readonly [path: string, text: string])[] => [
  [
    '[Content_Types].xml',
    `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${escaped(sheetName(title))}" sheetId="1" r:id="r1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  ],
  ['xl/styles.xml', STYLES],
];

/** The bytes of the file, batch by batch. */
export async function* loadXlsx(
  title: string,
  columns: readonly SheetColumn[],
  batches: AsyncIterable<readonly Cells[]>,
): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    ready.push(bytes);
  });
  const take = () => ready.splice(0);
  for (const [path, text] of partsOf(title)) {
    const part = new ZipDeflate(path);
    zip.add(part);
    part.push(strToU8(text), true);
  }
  const sheet = new ZipDeflate('xl/worksheets/sheet1.xml');
  zip.add(sheet);
  const frozen =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews>';
  const widths = columns.map((_, i) => `<col min="${i + 1}" max="${i + 1}" width="18" customWidth="1"/>`).join('');
  const head = row(1, (at) => columns.map(({ name }, i) => textCell(at(i), name, HEADING)));
  let number = 1;
  sheet.push(strToU8(`${XML}<worksheet xmlns="${MAIN}">${frozen}<cols>${widths}</cols><sheetData>${head}`));
  yield* take();
  for await (const rows of batches) {
    const lines = rows.map((cells) =>
      row((number += 1), (at) => cells.map((value, i) => cellOf(at(i), value, columns[i]?.kind ?? 'text'))),
    );
    sheet.push(strToU8(lines.join('')));
    yield* take();
  }
  sheet.push(strToU8('</sheetData></worksheet>'), true);
  zip.end();
  yield* take();
}
