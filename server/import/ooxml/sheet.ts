import type { RawCell, RawRow, RawTable } from '../files/raw-table.ts';
import { refuse, type TableLimits } from '../files/table-limits.ts';
import { numberCell } from './formats.ts';
import type { Workbook } from './parts.ts';
import { readXml, withoutEscapes } from './xml.ts';

/** Rows and columns of the largest sheet that a program writes. */
const MAX_ROW = 1_048_576;
const MAX_MERGES = 20_000;
/** Rows above the heading and repeated headings, in addition to the rows of the table. */
const MORE_ROWS = 200;

interface Merge {
  column: number;
  fromRow: number;
  toRow: number;
}

const columnNumber = (letters: string): number =>
  [...letters].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0);

interface Address {
  /** From 0. */
  column: number;
  row: number;
}

function addressOf(text: string): Address {
  const [, letters = '', digits = ''] =
    /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(text.trim()) ?? refuse('工作簿的单元格地址无法读取，请另存为 CSV 后上传');
  return { column: columnNumber(letters.toUpperCase()) - 1, row: Number(digits) };
}

const isYes = (value: string | undefined): boolean => value === '1' || value === 'true';

/** Collects the cells of one sheet from its tags. */
class SheetReader {
  readonly #book: Workbook;
  readonly #limits: TableLimits;
  readonly #rows = new Map<number, RawRow>();
  readonly #merges: Merge[] = [];
  readonly #hiddenRows = new Set<number>();
  readonly #hiddenColumns = new Set<number>();
  #areRowsHidden = false;
  #isInData = false;
  #row = 0;
  #column = -1;
  #cell: { type: string; style: number; hasFormula: boolean; hasPicture: boolean } | undefined;
  #value: string[] = [];
  #isText = false;
  #phonetic = 0;
  #extensions = 0;

  constructor(book: Workbook, limits: TableLimits) {
    this.#book = book;
    this.#limits = limits;
  }

  open(name: string, attributes: () => Readonly<Record<string, string>>): void {
    if (this.#cell) this.#openInCell(name);
    else if (this.#isInData) this.#openInData(name, attributes);
    else if (name === 'sheetData') this.#isInData = true;
    else if (name === 'sheetFormatPr') this.#areRowsHidden = isYes(attributes().zeroHeight);
    else if (name === 'col') this.#hideColumns(attributes());
    else if (name === 'mergeCell') this.#merge(attributes().ref ?? '');
  }

  #openInCell(name: string): void {
    if (name === 'f') this.#cell = { type: '', style: 0, hasPicture: false, ...this.#cell, hasFormula: true };
    else if (name === 'rPh') this.#phonetic += 1;
    else if (name === 'extLst') this.#extensions += 1;
    else if (name === 'v' || name === 't') this.#isText = this.#phonetic + this.#extensions === 0;
  }

  #openInData(name: string, attributes: () => Readonly<Record<string, string>>): void {
    if (name !== 'row' && name !== 'c') return;
    const all = attributes();
    if (name === 'row') {
      this.#row = all.r === undefined ? this.#row + 1 : Number(all.r);
      if (!Number.isInteger(this.#row) || this.#row < 1 || this.#row > MAX_ROW)
        refuse('工作簿的行号无法读取，请另存为 CSV 后上传');
      if (this.#rows.has(this.#row))
        refuse(`工作簿的第 ${this.#row} 行出现了两次，请用 Excel 或 WPS 打开，另存为 XLSX 后再上传`);
      this.#column = -1;
      if (all.hidden === undefined ? this.#areRowsHidden : isYes(all.hidden)) this.#hiddenRows.add(this.#row);
    } else {
      if (all.r === undefined) this.#column += 1;
      else ({ column: this.#column, row: this.#row } = addressOf(all.r));
      this.#cell = {
        type: all.t ?? 'n',
        style: Number(all.s ?? 0),
        hasFormula: false,
        hasPicture: all.vm !== undefined,
      };
      this.#value = [];
    }
  }

  close(name: string): void {
    if (name === 'sheetData') this.#isInData = false;
    else if (name === 'rPh') this.#phonetic = Math.max(this.#phonetic - 1, 0);
    else if (name === 'extLst') this.#extensions = Math.max(this.#extensions - 1, 0);
    else if (name === 'v' || name === 't') this.#isText = false;
    else if (name === 'c' && this.#cell) {
      const { type, style, hasFormula, hasPicture } = this.#cell;
      const value = this.#value.join('');
      this.#cell = undefined;
      // Excel writes a picture within a cell as an error with metadata, WPS as a formula; the workbook's note is about both.
      if ((hasPicture && type === 'e') || /^=?(?:_xlfn\.)?DISPIMG\(/.test(value)) return;
      const cell = this.#cellOf(value, type, style);
      if (cell.text.trim() !== '') this.#add(cell);
      else if (hasFormula && type !== 'str') this.#add({ text: '', mark: 'uncomputed' });
    }
  }

  text(text: string): void {
    if (this.#isText && this.#cell) this.#value.push(text);
  }

  #cellOf(value: string, type: string, style: number): RawCell {
    switch (type) {
      case 's': {
        // A cell without a value has no text, not the first one.
        const shared = value.trim() === '' ? '' : this.#book.shared[Number(value)];
        if (shared === undefined) refuse('工作簿缺少一部分文字，请用 Excel 或 WPS 打开，另存为 XLSX 后再上传');
        return { text: shared };
      }
      case 'b':
        return { text: value.trim() === '' ? '' : isYes(value.trim().toLowerCase()) ? '是' : '否' };
      case 'e':
        return { text: value, mark: 'error' };
      case 'd':
        return {
          text: value
            .replace(/Z$/, '')
            .replace(/T00:00(?::00(?:\.0+)?)?$/, '')
            .replace('T', ' '),
          mark: 'date',
        };
      case 'str':
      case 'inlineStr':
        return { text: withoutEscapes(value) };
      default:
        return numberCell(value, this.#book.formats[style] ?? { kind: 'plain' }, this.#book.is1904);
    }
  }

  #add(cell: RawCell): void {
    if (this.#column >= this.#limits.columns)
      refuse(
        `第 ${this.#row} 行在第 ${this.#column + 1} 列还有内容；一次最多 ${this.#limits.columns} 列，请删去用不到的列`,
      );
    let row = this.#rows.get(this.#row);
    if (!row) {
      if (this.#rows.size >= this.#limits.rows + MORE_ROWS)
        refuse(`一次最多 ${this.#limits.rows} 行，请拆开后分别上传`);
      row = { number: this.#row, cells: [] };
      this.#rows.set(this.#row, row);
    }
    if (row.cells[this.#column])
      refuse(`工作簿的第 ${this.#row} 行有一个单元格出现了两次，请用 Excel 或 WPS 打开，另存为 XLSX 后再上传`);
    // A longer text is refused where it belongs to the table; above the heading it is a remark.
    row.cells[this.#column] = { ...cell, text: cell.text.slice(0, this.#limits.cellChars + 1) };
  }

  #hideColumns({ hidden, min, max }: Readonly<Record<string, string>>): void {
    if (!isYes(hidden)) return;
    const last = Math.min(Number(max), this.#limits.columns);
    for (let at = Math.max(Number(min), 1); at <= last; at++) this.#hiddenColumns.add(at - 1);
  }

  #merge(ref: string): void {
    const [from = '', to = ''] = ref.split(':');
    if (to === '' || this.#merges.length >= MAX_MERGES) return;
    const [first, last] = [addressOf(from), addressOf(to)];
    if (last.row > first.row) this.#merges.push({ column: first.column, fromRow: first.row, toRow: last.row });
  }

  /** Repeats the content of a cell that spans several rows in each of them. Returns whether there was one. */
  #fillMerged(lastRow: number): boolean {
    let isFilled = false;
    for (const { column, fromRow, toRow } of this.#merges) {
      const cell = this.#rows.get(fromRow)?.cells[column];
      if (!cell) continue;
      for (let number = fromRow + 1; number <= Math.min(toRow, lastRow); number++) {
        const row = this.#rows.get(number);
        if (!row || row.cells[column] !== undefined) continue;
        row.cells[column] = cell;
        isFilled = true;
      }
    }
    return isFilled;
  }

  result(): RawTable {
    const numbers = [...this.#rows.keys()].toSorted((a, b) => a - b);
    const isFilled = this.#fillMerged(numbers.at(-1) ?? 0);
    return {
      rows: numbers.flatMap((number) => this.#rows.get(number) ?? []),
      notes: isFilled ? ['合并的单元格：内容已填到它占的每一行'] : [],
      hasAddresses: true,
      hiddenRows: numbers.filter((number) => this.#hiddenRows.has(number)),
      hiddenColumns: [...this.#hiddenColumns],
    };
  }
}

/** The non-empty cells of a sheet. Rejects a sheet that exceeds `limits`; throws if the part is not well-formed. */
export function readSheet(part: Buffer, book: Workbook, limits: TableLimits): RawTable {
  const reader = new SheetReader(book, limits);
  readXml(part, {
    open: (name, attributes) => reader.open(name, attributes),
    close: (name) => reader.close(name),
    text: (text) => reader.text(text),
  });
  return reader.result();
}
