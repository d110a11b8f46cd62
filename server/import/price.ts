/** Bounds of a price in fen (db/migrations/0006_goods.sql, contract/goods.ts). */
const MIN_FEN = 100;
const MAX_FEN = 99_999_900;

export type PriceReading = { fen: number; deviation: string | null } | { error: string };

const NOT_A_PRICE = /面议|私聊|询价|商量|议价|联系/;
const AMOUNT = /^(\d{1,9})(?:\.(\d{1,2})0*)?(万|w|k|千)?$/;
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const UNITS: Readonly<Record<string, number>> = { 万: 10_000, w: 10_000, 千: 1000, k: 1000 };

/** Describes how the cell differs from a plain amount; null for a plain one. */
function deviationOf(raw: string, normal: string): string | null {
  const kinds: string[] = [];
  if (/[０-９．，]/.test(raw)) kinds.push('全角数字');
  if (/[￥¥$]|rmb|cny/i.test(raw)) kinds.push('货币符号');
  if (/,/.test(normal)) kinds.push('千位分隔符');
  if (/元|块/.test(normal)) kinds.push('带“元”');
  if (/[万千wk]$/.test(normal.replace(/元|块/g, ''))) kinds.push('以万或千为单位');
  return kinds.length > 0 ? kinds.join('、') : null;
}

/**
 * Parses a price as sellers write it: '￥1,288.00', '１２8.5', '350元', '1.2万'. Text instead of a number, an empty cell, zero, negative
 * amounts and placeholders such as 99999999 give an error message.
 */
export function readPrice(cell: string): PriceReading {
  const normal = cell.normalize('NFKC').trim().toLowerCase();
  if (normal === '') return { error: '没有价格' };
  if (NOT_A_PRICE.test(normal)) return { error: '价格写的是“面议”之类的文字，请填写数字' };
  if (/^[-－−]/.test(normal)) return { error: '价格是负数' };
  const bare = normal.replace(/[￥¥$]|rmb|cny|元|块|\s/g, '');
  const digits = THOUSANDS.test(bare) ? bare.replaceAll(',', '') : bare;
  const match = AMOUNT.exec(digits);
  if (!match) {
    return { error: /^\d+\.\d{3,}$/.test(digits) ? '价格最多两位小数' : '价格不是数字' };
  }
  const [, yuan = '0', part = '', unit = ''] = match;
  const fen = (Number(yuan) * 100 + Number(part.padEnd(2, '0'))) * (UNITS[unit] ?? 1);
  if (fen === 0) return { error: '价格是 0' };
  if (fen < MIN_FEN) return { error: '价格低于 1 元' };
  if (fen > MAX_FEN)
    return { error: /^9{6,}$/.test(yuan) ? '价格像是占位的 99999999，请填写实际价格' : '价格高于 999,999 元' };
  return { fen, deviation: deviationOf(cell, normal) };
}
