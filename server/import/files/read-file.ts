import { csvTable } from './csv.ts';
import { decodeText } from './encoding.ts';
import { binaryProblem, isArchive, textProblem, withoutPrefix } from './file-kind.ts';
import { type Table, tableOf } from '../heading.ts';
import { refuse, TABLE_LIMITS, type TableLimits } from './table-limits.ts';
import { workbookTable } from './workbook.ts';

/** A file to read, as passed to the thread. */
export interface FileInput {
  body: Uint8Array;
  /** Its name as uploaded. */
  name: string;
  /** Normalised headings to be recognised. */
  headings: readonly string[];
  /** Defaults to those of sellers' tables. */
  limits?: TableLimits;
  /** Keeps each line's own number of cells in a text file, for readers that check line by line; otherwise lines are as wide as the heading. */
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
