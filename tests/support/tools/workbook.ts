/** XLSX files as a spreadsheet program writes them, and as an attacker writes them who wants a server to fall over. */
import { strToU8, zipSync } from 'fflate';

const TYPES = `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`;
const RELS = `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`;
const BOOK = `<?xml version="1.0" encoding="UTF-8"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`;
const BOOK_RELS = `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`;

export type Cell = string | number | { formula: string; result: string };

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const columnName = (i: number): string => String.fromCharCode(65 + i);

function cellXml(value: Cell, address: string): string {
  if (typeof value === 'number') return `<c r="${address}"><v>${value}</v></c>`;
  if (typeof value === 'string') return `<c r="${address}" t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
  return `<c r="${address}" t="str"><f>${escaped(value.formula)}</f><v>${escaped(value.result)}</v></c>`;
}

/** The XML of a sheet with these rows. */
export const sheetXml = (rows: readonly (readonly Cell[])[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows
    .map(
      (cells, r) => `<row r="${r + 1}">${cells.map((c, i) => cellXml(c, `${columnName(i)}${r + 1}`)).join('')}</row>`,
    )
    .join('')}</sheetData></worksheet>`;

/** A workbook whose first sheet has this XML; `more` are further parts of the archive. */
export const workbookOf = (sheet: string, more: Readonly<Record<string, Uint8Array>> = {}): Buffer =>
  Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(TYPES),
      '_rels/.rels': strToU8(RELS),
      'xl/workbook.xml': strToU8(BOOK),
      'xl/_rels/workbook.xml.rels': strToU8(BOOK_RELS),
      'xl/worksheets/sheet1.xml': strToU8(sheet),
      ...more,
    }),
  );

/** A workbook with these rows. */
export const workbook = (rows: readonly (readonly Cell[])[]): Buffer => workbookOf(sheetXml(rows));
