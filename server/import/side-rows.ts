/** Rows next to a table's content: a second heading row, sums, and remarks at the end. */
import { headingNames } from './heading-names.ts';
import type { RawCell, RawRow } from './files/raw-table.ts';

/** A row with cleaned cells and none missing. */
export interface PlainRow extends RawRow {
  cells: RawCell[];
}

/** Whether a cell has content. */
export const isFilled = (cell: RawCell | undefined): boolean =>
  cell !== undefined && (cell.text !== '' || cell.mark !== undefined);

/** Whether a cell is a recognised heading. */
export const isKnown = (cell: RawCell | undefined, names: ReadonlySet<string>): boolean =>
  cell !== undefined && headingNames(cell.text).some((name) => names.has(name));

/** Units, formats and required markers, which forms write in a separate row below the heading. */
const HINT =
  /^[（(【[*]*(?:单位)?[:：]?(?:元|件|个|人民币|rmb|文本|数字|整数|日期|字符串?|string|number|int|text|(?:非?必填|选填|必选|可选|可空|必须)项?|required|optional)[）)】\]*]*$/i;
const LINE = /^:?[-=—─_]{2,}:?$/;

/** Whether a row describes the columns: units or 'required', or known headings in another language. */
function describes({ cells }: PlainRow, names: ReadonlySet<string>): boolean {
  const filled = cells.filter(isFilled);
  return (
    filled.length > 0 &&
    (filled.every(({ text }) => HINT.test(text) || LINE.test(text)) ||
      (filled.length > 1 && filled.every((cell) => isKnown(cell, names))))
  );
}

/** The heading, with unrecognised names replaced by those of a neighbouring row. */
function filledFrom(heading: PlainRow, other: PlainRow, names: ReadonlySet<string>): PlainRow {
  const width = Math.max(heading.cells.length, other.cells.length);
  const cells = Array.from({ length: width }, (_, i) => {
    const own = heading.cells[i] ?? { text: '' };
    const found = other.cells[i];
    return !isKnown(own, names) && found !== undefined && isKnown(found, names) ? found : own;
  });
  return { ...heading, cells };
}

/**
 * A heading of two rows as one: groups such as '价格与库存' are above their columns, and a column without a group has its name in one of the rows.
 * `taken` is the number of rows below that belong to the heading.
 */
export function wholeHeading(
  rows: readonly PlainRow[],
  at: number,
  names: ReadonlySet<string>,
): { heading: PlainRow; taken: number } | undefined {
  const own = rows[at];
  if (!own) return undefined;
  const above = rows[at - 1];
  const isNext = above?.number === own.number - 1;
  // A title is a single cell; a heading row has a name that the heading lacks.
  const heading = isNext && above.cells.filter(isFilled).length > 1 ? filledFrom(own, above, names) : own;
  let taken = 0;
  let whole = heading;
  for (let below = rows[at + 1]; below && describes(below, names) && taken < 3; below = rows[at + 1 + taken]) {
    whole = filledFrom(whole, below, names);
    taken += 1;
  }
  return { heading: whole, taken };
}

const SUM =
  /^(?:本[页表]|全部|以上)?(?:合计|总计|共计|小计|汇总|总数|累计|总和|平均值?|总价|总金额|总额|总件数|总数量|(?:grand|sub)?total|sum|average)(?:金额|数量?|件数|库存|额)?(?:[(（].*[)）])?[:：]?$/i;
/** A sum with its number in one cell: '合计：3件', '共计¥1,200.00元'. */
const SUM_WITH_NUMBER = /^(?:合计|总计|共计|小计)(?:金额|数量)?[:：]?[¥￥]?[\d,.]+[元件个条款]?$/;
const REMARK =
  /^(?:#|\/\/|[*※]|[—=-]{3,}|共计?[:：]?\s*\d+|以上|以下空白|制表|填表|审核|复核|经办|打印|导出|更新|备注[:：]|注[:：\d]|注意|说明[:：]|填写说明|温馨提示|数据来源|第\s*\d+\s*页|页码|copyright|©|end\b|total\b)/i;

const firstText = ({ cells }: PlainRow): string => cells.find(({ text }) => text !== '')?.text ?? '';

/** Whether a row sums the rows above it, as programs write at the end of a list. */
export function isSum(row: PlainRow): boolean {
  const first = firstText(row).replace(/\s/g, '');
  return SUM.test(first) || SUM_WITH_NUMBER.test(first);
}

/** Number of rows at the end that are remarks: mostly empty, with a typical beginning. */
export function remarksAtEnd(rows: readonly PlainRow[], width: number): number {
  let count = 0;
  for (let at = rows.length - 1; at > 0; at--) {
    const row = rows[at];
    const filled = row?.cells.filter(isFilled).length ?? 0;
    if (!row || width < 2 || filled > Math.max(1, width - 1) || !REMARK.test(firstText(row))) break;
    if (filled > 1 && !row.cells.filter(isFilled).every(({ text }) => REMARK.test(text) || /[:：]/.test(text))) break;
    count += 1;
  }
  return count;
}
