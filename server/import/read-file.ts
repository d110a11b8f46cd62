import { csvTable } from './csv.ts';
import { decodeText } from './encoding.ts';
import { binaryProblem, isArchive, textProblem, withoutPrefix } from './file-kind.ts';
import { type Table, tableOf } from './heading.ts';
import { refuse } from './table-limits.ts';
import { workbookTable } from './workbook.ts';

/** A file to read, as it goes to the thread. */
export interface FileInput {
  body: Uint8Array;
  /** Its name as uploaded. */
  name: string;
  /** Normalized headings that would be recognised. */
  headings: readonly string[];
}

/** Reads a file as a table in this thread; see `readTable`. Throws BAD_INPUT. */
export function readFile({ body, name, headings }: FileInput): Table {
  const bytes = withoutPrefix(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  const names = new Set(headings);
  if (isArchive(bytes)) return tableOf(workbookTable(bytes, names), names);
  const problem = binaryProblem(bytes, name) ?? textProblem(decodeText(bytes).text);
  if (problem !== undefined) refuse(problem);
  return tableOf(csvTable(bytes, names), names);
}
