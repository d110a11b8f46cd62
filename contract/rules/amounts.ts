/** Top-up as the specification has it (product.md 9); yuan. */
export const quickTopUpYuan = [100, 200, 300, 500, 1000] as const;
export const DEFAULT_PAY_MODE = 15;
/** Where a top-up returns to. */
export const TOP_UP_RETURN = '/center';

/** Price: positive, at most two decimals; no sign, exponent, separator or full-width digit. */
export function isPrice(text: string): boolean {
  return /^(0|[1-9]\d{0,8})(\.\d{1,2})?$/.test(text) && Number(text) > 0;
}

/** A whole number, also a negative one. */
export function isWhole(text: string): boolean {
  return /^-?(0|[1-9]\d{0,14})$/.test(text);
}

/** Why an amount cannot be topped up; null when it can. */
export function topUpProblem(text: string): string | null {
  if (text.trim() === '' || !Number.isFinite(Number(text))) return '请先输入充值金额';
  return isPrice(text) ? null : '充值金额应为正数，最多两位小数';
}

/** Yuan as shown everywhere: two decimals. `yuan` is yuan text of the wire or a number that a form holds. */
export function priceText(yuan: string | number): string {
  return Number(yuan).toFixed(2);
}
