/**
 * Whether the typed search text is a listing code: letters followed by 6 or 7 digits, or letters with digits of 19 to
 * 22 characters (product.md 5). Anything else is a keyword.
 */
export function isGoodsCode(text: string): boolean {
  if (/^[A-Za-z]+\d{6,7}$/.test(text)) return true;
  return text.length >= 19 && text.length <= 22 && /^[A-Za-z](?=.*\d)[A-Za-z\d]+$/.test(text);
}
