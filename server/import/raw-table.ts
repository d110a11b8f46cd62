/** Rows and cells as a file has them, before its heading is found. */

/**
 * Why a cell may not say what its author wrote:
 * - `date`, `scientific`: the program shows the value in this form, which it also gives to codes such as '3-5' and '12E5'
 * - `dateLike`: a text that looks like such a date, in a file that has only texts
 * - `error`: a formula's error, or '####'
 * - `uncomputed`: a formula that no program has computed
 * - `rounded`: a number of more digits than spreadsheets keep
 */
export type Mark = 'date' | 'dateLike' | 'scientific' | 'error' | 'uncomputed' | 'rounded';

export interface RawCell {
  text: string;
  mark?: Mark;
}

export interface RawRow {
  /** Its number in the file, from 1. */
  number: number;
  /** Sparse: a cell that is empty may be missing. */
  cells: (RawCell | undefined)[];
}

export interface RawTable {
  rows: RawRow[];
  /** What was read, for messages: a sheet where the file has several. */
  place?: string;
  /** What the seller has to know about how the file was read, in Chinese. */
  notes: string[];
  /** Whether a cell belongs to its column by an address. In a text file a separator that is not quoted shifts the cells behind it. */
  hasAddresses: boolean;
  /** Numbers of rows that the program does not show. */
  hiddenRows: number[];
  /** Columns from 0 that the program does not show. */
  hiddenColumns: number[];
}
