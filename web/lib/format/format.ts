import { grouped } from '#contract/rules/amounts.ts';

export { grouped };

/**
 * Splits yuan text into the whole part with thousands separators and the two decimals: '1292.8' becomes ['1,292',
 * '.80'].
 */
export function yuanParts(yuan: string | number): [whole: string, decimals: string] {
  const [whole = '0', decimals = ''] = String(yuan).split('.');
  return [grouped(whole), `.${decimals.padEnd(2, '0').slice(0, 2)}`];
}

/** Yuan text as used within a sentence or a label: '1292.8' becomes '¥1,292.80'. */
export function yuanLabel(yuan: string): string {
  return `¥${yuanParts(yuan).join('')}`;
}

/** Yuan text to fen, for sums on the screen; 0 when it is not a valid amount. */
export function fenOf(yuan: string): number {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(yuan);
  if (!match) return 0;
  const value = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'));
  return match[1] ? -value : value;
}

/** Fen to yuan text with two decimals. */
export function yuanOf(fen: number): string {
  const abs = Math.abs(fen);
  return `${fen < 0 ? '-' : ''}${Math.floor(abs / 100)}.${String(abs % 100).padStart(2, '0')}`;
}

/** Whole yuan with separators, for labels on a scale: '1419.60' becomes '1,420'. */
export function wholeYuan(yuan: string): string {
  return grouped(Math.round(Number(yuan)));
}

/** A count that is exact only up to its limit: '1000+' above (conventions.md, lists). */
export function countText(total: number, more = false): string {
  return `${grouped(total)}${more ? '+' : ''}`;
}

/** Large amounts in ten thousands, for statistics: '86420000.00' becomes ['8,642', '万']. */
export function yuanInTenThousands(yuan: string): [value: string, unit: string] {
  const whole = Number(yuan.split('.')[0]);
  if (whole >= 100_000_000) return [(whole / 100_000_000).toFixed(2), '亿'];
  if (whole >= 100_000) return [grouped(Math.floor(whole / 10_000)), '万'];
  return [grouped(whole), ''];
}

/** Minutes as text: 41 分钟, 3 小时, 2 天. */
export function durationText(minutes: number): string {
  if (minutes < 60) return `${Math.max(1, Math.round(minutes))} 分钟`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} 小时`;
  return `${Math.round(minutes / 1440)} 天`;
}

/** The greeting's part of the day, by China's time. */
export function greeting(now: Date): string {
  const hour = (now.getUTCHours() + 8) % 24;
  if (hour < 5) return '夜深了';
  if (hour < 11) return '早上好';
  if (hour < 13) return '中午好';
  if (hour < 18) return '下午好';
  return '晚上好';
}
