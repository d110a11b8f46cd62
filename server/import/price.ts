import { scaledNumber } from './numbers.ts';

/** Bounds of a price in fen (db/migrations/0001_baseline.sql, contract/goods.ts). */
const MIN_FEN = 100;
const MAX_FEN = 99_999_900;

export type PriceReading = { fen: number; deviation: string | null } | { error: string };

/** A longer cell is no price. */
const MAX_PRICE_CHARS = 40;
const NOT_A_PRICE = /面议|私聊|询价|商量|议价|联系/;
/** What one piece is called after a price: '66元/个', '66每件'. */
const PER_PIECE = /[/每]\s*1?\s*(?:个|件|份|组|套|次|号|单|只|张)$/;

/** Describes how the cell differs from a plain amount; null for a plain one. */
function deviationOf(raw: string, normal: string): string | null {
  const kinds: string[] = [];
  if (/[０-９．，]/.test(raw)) kinds.push('全角数字');
  if (/[￥¥$]|rmb|cny/i.test(raw)) kinds.push('货币符号');
  if (/,/.test(normal)) kinds.push('千位分隔符');
  if (/\d。\d/.test(normal)) kinds.push('句号当小数点');
  if (PER_PIECE.test(normal)) kinds.push('带“每件”');
  if (/元|块/.test(normal)) kinds.push('带“元”');
  if (/[万千wk]$/.test(normal.replace(PER_PIECE, '').replace(/元|块/g, ''))) kinds.push('以万或千为单位');
  return kinds.length > 0 ? kinds.join('、') : null;
}

/**
 * Parses a price as sellers write it: '￥1,288.00', '１２8.5', '350元', '1.2万', '66元/个'. Text instead of a number, an empty cell, zero, negative
 * amounts and placeholders such as 99999999 give an error message.
 */
export function readPrice(cell: string): PriceReading {
  if (cell.trim().length > MAX_PRICE_CHARS) return { error: '价格不是数字' };
  const normal = cell.normalize('NFKC').trim().toLowerCase();
  if (normal === '') return { error: '没有价格' };
  if (NOT_A_PRICE.test(normal)) return { error: '价格写的是“面议”之类的文字，请填写数字' };
  if (/^[-－−]/.test(normal)) return { error: '价格是负数' };
  const bare = normal
    .replace(PER_PIECE, '')
    .replace(/[￥¥$]|rmb|cny|人民币|元|块|\s/g, '')
    .replace(/(?<=\d)。(?=\d)/, '.');
  const read = /亿/.test(bare) ? undefined : scaledNumber(bare, 2);
  if (!read) return { error: '价格不是数字' };
  if (read.isCut) return { error: read.unit === '' ? '价格最多两位小数' : '价格精确到分以下，请改成元' };
  const fen = read.value;
  if (fen === 0) return { error: '价格是 0' };
  if (fen < MIN_FEN) return { error: '价格低于 1 元' };
  if (fen > MAX_FEN)
    return { error: /^9{6,}(?:\.|$)/.test(bare) ? '价格像是占位的 99999999，请填写实际价格' : '价格高于 999,999 元' };
  return { fen, deviation: deviationOf(cell, normal) };
}
