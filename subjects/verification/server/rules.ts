/** '张三丰' becomes '张**': only the first character is kept. */
export function maskName(name: string): string {
  const [first = '', ...rest] = name;
  return first + '*'.repeat(rest.length);
}

/** '110*************34' */
export function maskIdNo(idNo: string): string {
  return `${idNo.slice(0, 3)}${'*'.repeat(idNo.length - 5)}${idNo.slice(-2)}`;
}

/** The normal form of a name: without spaces, and with one kind of middle dot. */
export function sameName(a: string, b: string): boolean {
  const normal = (name: string): string =>
    name
      .normalize('NFKC')
      .replace(/\s+/g, '')
      .replace(/[•‧∙・．.]/g, '·');
  return normal(a) === normal(b);
}

export type PayeeKind = 'alipay' | 'wechat' | 'bank';

/** '138****1234', 'ab****@mail.com', 'wx****id': enough to recognise one's own account, too little to use it. */
export function maskPayee(account: string): string {
  const at = account.indexOf('@');
  if (at > 0) return `${account.slice(0, Math.min(2, at))}****${account.slice(at)}`;
  if (account.length <= 8) return `${account.slice(0, 2)}****${account.slice(-2)}`;
  return `${account.slice(0, 3)}****${account.slice(-4)}`;
}

/** Whether a bank card's number is one: 12 to 19 digits with the right check digit (Luhn). */
export function isBankCard(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, char, i) => {
    const value = Number(char) * (i % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** A person as entered, and as in the official register. */
export interface Person {
  name: string;
  /** 18 digits. */
  idNo: string;
  /** 'YYYY-MM-DD' */
  birthDate: string;
}

/** Additional authenticated data that binds an encrypted name or ID number to its row. */
export const nameAad = (userId: number): string => `real_name.name_enc:${userId}`;
export const idAad = (userId: number): string => `real_name.id_no_enc:${userId}`;
