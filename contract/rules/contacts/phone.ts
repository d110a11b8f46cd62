import { typedPhone } from '../texts/typed.ts';

/** Messages of the specification (product.md 5). */
export const phoneMessages = { empty: '手机号不能为空', wrong: '您输入的手机号有误' } as const;

/** The server's rule: every assigned prefix, 13 to 19. No spaces, no full-width digits. */
export function isPhone(text: string): boolean {
  return /^1[3-9]\d{9}$/.test(text);
}

/** Why a number, in any form that `typedPhone` reads, is invalid, as the message to show; null when it is valid. */
export function phoneProblem(text: string): string | null {
  const plain = typedPhone(text);
  if (plain === '') return phoneMessages.empty;
  return isPhone(plain) ? null : phoneMessages.wrong;
}

/** 138****1234 */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, 3)}****${phone.slice(-4)}`;
}
