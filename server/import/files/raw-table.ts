/** Rows and cells as found in a file, before the heading is known. */

/**
 * Why a cell's value may differ from what was entered:
 * - `date`, `scientific`: the program shows the value in this form, which it also gives to codes such as '3-5' and '12E5'
 * - `dateLike`: a text that looks like such a date, in a file that has only texts
 * - `error`: a formula's error, or '####'
 * - `uncomputed`: a formula that has not been computed
 * - `rounded`: a number with more digits than spreadsheets keep
 */
export type Mark = 'date' | 'dateLike' | 'scientific' | 'error' | 'uncomputed' | 'rounded';

export interface RawCell {
  text: string;
  mark?: Mark;
}

export interface RawRow {
  /** Its number in the file, from 1. */
  number: number;
  /** Sparse: an empty cell may be missing. */
  cells: (RawCell | undefined)[];
}

export interface RawTable {
  rows: RawRow[];
  /** The source for messages: the sheet's name if the file has several. */
  place?: string;
  /** Notes for the seller about how the file was read, in Chinese. */
  notes: string[];
  /** Whether cells have column addresses. In a text file an unquoted separator shifts the following cells. */
  hasAddresses: boolean;
  /** Numbers of hidden rows. */
  hiddenRows: number[];
  /** Hidden columns, from 0. */
  hiddenColumns: number[];
}
