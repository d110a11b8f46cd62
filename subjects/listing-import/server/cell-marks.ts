import type { Mark } from '#server/import/files/raw-table.ts';
import type { Problem } from './read-publish.ts';
import type { ImportRecord, StoredRow } from './store.ts';

/** Targets whose text is an identifier: another spelling means another thing. */
const NAMES: ReadonlySet<string> = new Set(['code', 'accountNo']);

const AGAIN = '请在这里填写原来的内容，或在表格里把这一列设为“文本”、重新填写后上传';

function problemText(mark: Mark, cell: string, isName: boolean): string | undefined {
  switch (mark) {
    case 'error':
      return `单元格是公式错误 ${cell}，请在这里填写，或在表格里改好后重新上传`;
    case 'uncomputed':
      return '单元格的公式还没有结果：请用 Excel 或 WPS 打开并保存后重新上传，或在这里填写';
    case 'rounded':
      return `${cell} 超过 15 位，表格软件已改动它的末几位；${AGAIN}`;
    case 'dateLike':
      return undefined;
    case 'date':
      return isName ? `表格软件把它改成了日期 ${cell}；${AGAIN}` : undefined;
    case 'scientific':
      return isName ? `表格软件把它改成了科学计数 ${cell}；${AGAIN}` : undefined;
  }
}

/** Changes made by spreadsheet programs to the cells of a row, for cells that are used and were not corrected by hand. */
export function markedCells(
  { mapping, columns }: Pick<ImportRecord, 'mapping' | 'columns'>,
  { cells, marks, edits }: Pick<StoredRow, 'cells' | 'marks' | 'edits'>,
): { problems: Problem[]; notes: string[] } {
  const problems: Problem[] = [];
  const notes: string[] = [];
  for (const [field, at] of Object.entries(mapping)) {
    const mark = marks[at];
    if (mark === undefined || cells === null || edits[field] !== undefined) continue;
    const cell = (cells[at] ?? '').slice(0, 40);
    const text = problemText(mark, cell, NAMES.has(field));
    if (text !== undefined) problems.push({ field, text });
    else if (mark === 'dateLike' && NAMES.has(field))
      notes.push(`${cell} 像是表格软件改成的日期，请核对是不是原来的${columns[at] ?? '内容'}`);
    else if (mark === 'date') notes.push(`“${columns[at] ?? ''}”是日期格式的单元格，读作 ${cell}`);
  }
  return { problems, notes };
}

/** The first list, plus the entries of the second about other fields. */
export const joined = (first: readonly Problem[], second: readonly Problem[]): Problem[] => [
  ...first,
  ...second.filter(({ field }) => !first.some((problem) => problem.field === field)),
];
