/** A password's length: 6 to 18 characters (product.md 5). The server accepts up to 64, for pasted ones. */
export const SECRET_MIN = 6;
export const SECRET_MAX = 18;

/** Why a password is invalid; null when it is valid. */
export function secretProblem(text: string): string | null {
  if (text === '') return '请输入密码';
  const length = [...text].length;
  return length < SECRET_MIN || length > SECRET_MAX ? `密码应为 ${SECRET_MIN}-${SECRET_MAX} 个字符` : null;
}

/** Pay password: six digits, not all the same and not a sequence such as 123456. */
export function payPasswordProblem(text: string): string | null {
  if (!/^\d{6}$/.test(text)) return '支付密码应为 6 位数字';
  const steps = [...text].slice(1).map((digit, i) => Number(digit) - Number(text[i]));
  // With six digits, a constant step can be at most one.
  const isRow = steps.every((step) => step === steps[0]);
  return isRow ? '支付密码过于简单，请换一个' : null;
}

/** The minimum length of a staff password, which protects other people's money. */
export const STAFF_PASSWORD_MIN = 10;

/** Why a password of staff is invalid; null when it is valid: ten characters or more, of at least two kinds, no single repeated one. */
export function staffPasswordProblem(text: string): string | null {
  if (text === '') return '请输入密码';
  if ([...text].length < STAFF_PASSWORD_MIN) return `后台密码至少 ${STAFF_PASSWORD_MIN} 个字符`;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(text)).length;
  return kinds < 2 || new Set(text).size < 5 ? '密码过于简单：请混用字母、数字或符号' : null;
}
