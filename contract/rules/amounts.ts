/** The largest amount that a call accepts unless it names another, in fen. */
export const MAX_FEN = 99_999_999;

/** Defaults of a top-up (product.md 9): a QR code, and the page to return to. */
export const DEFAULT_PAY_MODE = 15;
export const TOP_UP_RETURN = '/center';

const PLAIN = /^(0|[1-9]\d{0,8})(\.\d{1,2})?$/;

/**
 * Why a text is not a valid amount of yuan, as a message that explains how to correct it; null for plain digits with at
 * most two decimals. Zero is valid; callers with a higher minimum check it themselves. `most` is the maximum in yuan
 * named in the message for more than nine digits. NaN, 1e3, 0.001, signs, separators and full-width digits are invalid.
 */
export function amountError(text: string, label = '金额', most = '999999999.99'): string | null {
  if (PLAIN.test(text)) return null;
  if (text.trim() === '') return `请填写${label}`;
  if (/[０-９．，]/.test(text)) return `${label}请用半角数字填写`;
  if (/^\d{10,}(\.\d{1,2})?$/.test(text)) return `${label}不能超过 ${grouped(most)} 元`;
  // oxlint-disable-next-line forms/no-chinese-match -- an amount as typed, not a message
  if (/\d *[万千wk]|[一二三四五六七八九十百千万壹贰叁肆伍陆柒捌玖拾佰仟]/i.test(text))
    return `${label}请用数字写全，如 12000 或 88.50`;
  return `${label}应为正数，最多两位小数`;
}

/** Price: positive, at most two decimals; no sign, exponent, separator or full-width digit. */
export function isPrice(text: string): boolean {
  return amountError(text) === null && Number(text) > 0;
}

/** A whole number, positive or negative. */
export function isInteger(text: string): boolean {
  return /^-?(0|[1-9]\d{0,14})$/.test(text);
}

/**
 * Why an amount cannot be topped up; null when it can. Text that is not a number counts as not typed yet (product.md
 * 5).
 */
export function topUpProblem(text: string, most?: string): string | null {
  const digits = text.normalize('NFKC').trim();
  if (digits === '' || !Number.isFinite(Number(digits))) return '请先输入充值金额';
  return amountError(text, '充值金额', most);
}

/** Digits with thousands separators: '12345' becomes '12,345', '1288.00' becomes '1,288.00'. At most two decimals. */
export function grouped(value: string | number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** The display form of yuan: two decimals. `yuan` is yuan text from the wire or a number held by a form. */
export function priceText(yuan: string | number): string {
  return Number(yuan).toFixed(2);
}
