import { chinaDay, isDay } from '#contract/rules/time/china-time.ts';

/** Messages of the specification (product.md 5). */
export const idCardMessages = {
  empty: '身份证号不能为空',
  length: '身份证号长度错误',
  wrong: '身份证号错误',
} as const;

export interface IdCard {
  /** Always 18 characters, X in upper case. */
  number: string;
  /** 1990-03-07 */
  birthDate: string;
  isMale: boolean;
  province: string;
}

/** GB/T 2260 provinces by the first two digits. */
const PROVINCES: Readonly<Record<string, string>> = {
  11: '北京',
  12: '天津',
  13: '河北',
  14: '山西',
  15: '内蒙古',
  21: '辽宁',
  22: '吉林',
  23: '黑龙江',
  31: '上海',
  32: '江苏',
  33: '浙江',
  34: '安徽',
  35: '福建',
  36: '江西',
  37: '山东',
  41: '河南',
  42: '湖北',
  43: '湖南',
  44: '广东',
  45: '广西',
  46: '海南',
  50: '重庆',
  51: '四川',
  52: '贵州',
  53: '云南',
  54: '西藏',
  61: '陕西',
  62: '甘肃',
  63: '青海',
  64: '宁夏',
  65: '新疆',
  71: '台湾',
  81: '香港',
  82: '澳门',
  83: '台湾',
  91: '国外',
};
const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2] as const;
const CHECK = '10X98765432';
const MAX_YEARS = 120;

function checkOf(first17: string): string {
  const sum = WEIGHTS.reduce((total, weight, i) => total + weight * Number(first17[i]), 0);
  return CHECK[sum % 11] ?? '';
}

/** Converts a 15-digit number to 18 digits: adds the century 19 and the check character. */
export function idCardFrom15(text: string): string {
  const first17 = `${text.slice(0, 6)}19${text.slice(6)}`;
  return first17 + checkOf(first17);
}

function isRealDate(date: string, now: number): boolean {
  if (!isDay(date)) return false;
  const today = chinaDay(new Date(now));
  const oldest = `${Number(today.slice(0, 4)) - MAX_YEARS}-01-01`;
  return date <= today && date >= oldest;
}

/**
 * Parses an identity number (GB 11643): province, existing date that is not in the future, check character. 15 digits
 * are converted, x becomes X. Returns null when it is invalid. `now` in ms, to detect future dates by China's calendar.
 */
export function parseIdCard(text: string, now: number): IdCard | null {
  const number = /^\d{15}$/.test(text) ? idCardFrom15(text) : text.toUpperCase();
  if (!/^\d{17}[\dX]$/.test(number) || checkOf(number) !== number[17]) return null;
  const province = PROVINCES[number.slice(0, 2)];
  const birthDate = `${number.slice(6, 10)}-${number.slice(10, 12)}-${number.slice(12, 14)}`;
  if (province === undefined || !isRealDate(birthDate, now)) return null;
  return { number, birthDate, isMale: Number(number[16]) % 2 === 1, province };
}

/** Why an identity number is invalid, as the message to show; null when it is valid. `now` in ms. */
export function idCardProblem(text: string, now: number): string | null {
  if (text === '') return idCardMessages.empty;
  if (text.length !== 15 && text.length !== 18) return idCardMessages.length;
  return parseIdCard(text, now) === null ? idCardMessages.wrong : null;
}
