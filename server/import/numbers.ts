import { normalizeCell } from './text.ts';

/** Powers of ten of the units written after a number. */
const POWERS: Readonly<Record<string, number>> = { 千: 3, k: 3, 万: 4, w: 4, 亿: 8 };
const DECIMAL = /^(?=\.?\d)(\d{0,12})(?:\.(\d{0,12}))?(千|k|万|w|亿)?$/;
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?(?:千|k|万|w|亿)?$/;

interface Scaled {
  /** The number multiplied by the requested power of ten, without the digits after the point. */
  value: number;
  /** Whether there were digits other than zero after the point. */
  isCut: boolean;
  /** The unit after it: 千, k, 万, w, 亿; '' without one. */
  unit: string;
}

/**
 * Reads '1.13万', '12,800' or '88.5' exactly, by its digits and not by floating point, times ten to the power of `decimals`. `text` is normalized
 * (`normalizeCell`) and has no blanks. Undefined when it is no such number.
 */
export function scaledNumber(text: string, decimals: number): Scaled | undefined {
  const plain = THOUSANDS.test(text) ? text.replaceAll(',', '') : text;
  const [, whole, fraction = '', unit = ''] = DECIMAL.exec(plain) ?? [];
  if (whole === undefined) return undefined;
  const places = decimals + (POWERS[unit] ?? 0);
  const value = Number(whole + fraction.padEnd(places, '0').slice(0, places));
  return Number.isSafeInteger(value) ? { value, isCut: /[1-9]/.test(fraction.slice(places)), unit } : undefined;
}

const MAX_COUNT_CHARS = 30;

/** A quantity as people write it, as digits: '１０', '1,000', '1.2万', '10件', '10.0'. Any other text is left for the form's check to reject. */
export function countText(cell: string): string {
  if (cell.length > MAX_COUNT_CHARS) return cell;
  const bare = normalizeCell(cell)
    .replace(/\s/g, '')
    .replace(/(?:\/?[件个份组套把只张单瓶枚条台]|pcs?)$/, '');
  const read = scaledNumber(bare, 0);
  return read && !read.isCut ? String(read.value) : cell;
}
