import { csvTable } from './csv.ts';
import { decodeText } from './encoding.ts';
import { binaryProblem, isArchive, textProblem, withoutPrefix } from './file-kind.ts';
import { type Table, tableOf } from './heading.ts';
import { refuse, TABLE_LIMITS, type TableLimits } from './table-limits.ts';
import { workbookTable } from './workbook.ts';

/** A file to read, as it goes to the thread. */
export interface FileInput {
  body: Uint8Array;
  /** Its name as uploaded. */
  name: string;
  /** Normalized headings that would be recognised. */
  headings: readonly string[];
  /** Those of sellers' tables where none are given. */
  limits?: TableLimits;
  /** Keeps the number of cells of each line of a text file, for a reader that judges lines one by one; otherwise it is that of the heading. */
  isRagged?: boolean;
}

/** Reads a file as a table in this thread; see `readTable`. Throws BAD_INPUT. */
export function readFile({ body, name, headings, limits = TABLE_LIMITS, isRagged = false }: FileInput): Table {
  const bytes = withoutPrefix(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  const names = new Set(headings);
  const options = { limits, isRagged };
  if (isArchive(bytes)) return tableOf(workbookTable(bytes, names, limits), names, options);
  const problem = binaryProblem(bytes, name) ?? textProblem(decodeText(bytes).text);
  if (problem !== undefined) refuse(problem);
  return tableOf(csvTable(bytes, names, limits), names, options);
}
