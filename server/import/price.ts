import { scaledNumber } from './numbers.ts';

/** Bounds of a price in fen (db/migrations/0001_baseline.sql, subjects/goods/contract/goods.ts). */
const MIN_FEN = 100;
const MAX_FEN = 99_999_900;

export type PriceReading = { fen: number; deviation: string | null } | { error: string };

/** A longer cell is not a price. */
const MAX_PRICE_CHARS = 40;
const NOT_A_PRICE = /面议|私聊|询价|商量|议价|联系/;
/** Units after a price: '66元/个', '66每件', '66元一个'. */
const PER_PIECE = /(?:[/每]\s*1?|(?<=[元块])[一1])\s*(?:个|件|份|组|套|次|号|单|只|张|把|瓶|枚|条)$/;
/** Labels before a price: '价格：88', '售价88元'. */
const NAMED = /^(?:单价|价格|售价|一口价|现价)\s*[:：]?\s*(?=[￥¥\d])/;
const ABROAD = /us\$|hk\$|nt\$|usd|hkd|jpy|eur|krw|twd|[€£₩₽]|美元|美金|港币|港元|日元|欧元|台币|韩元/;
const RANGE = /\d\s*(?:元|块|万|千|[wk])?\s*(?:[-~—–]|到|至)\s*[￥¥]?\d/;
/** Words that make a number approximate or conditional. */
const ROUGH = /约|左右|上下|以上|以下|起|≈|\d\s*\+$|可小刀|可刀|不刀|折/;
/** Blanks are removed next to signs and units, and between groups of thousands; two numbers in one cell stay separate. */
const THOUSAND_BLANKS = /^(\D*)(\d{1,3}(?: \d{3})+)(?!\d)/;

/** Why a cell without a single number is not a price, and what to enter instead. */
function refusalOf(normal: string): string {
  if (RANGE.test(normal)) return '价格是一个范围，请只填写一个金额，如 88.50';
  if (ROUGH.test(normal)) return '价格带“约”“起”“折”之类的文字，请只填写一个金额，如 88.50';
  if (/\d[元块]\s*[\d一二三四五六七八九]/.test(normal)) return '价格的写法有歧义，请写成小数，如 88.50';
  if (/[万千wk]\s*\d/.test(normal)) return '价格的写法有歧义，请写成数字，如 12000';
  if (/^[￥¥]?[\d. ]*\d,\d{1,2}$/.test(normal)) return '价格里的逗号不清楚是小数点还是千位分隔符，请写成 1130.00 这样';
  if (normal.endsWith('%')) return '价格是百分数，请填写金额，如 88.50';
  if (/^\d+(?:\.\d+)?e[+-]?\d+$/.test(normal)) return '价格是科学计数，请写成数字，如 12000';
  if (/^[￥¥]?[零〇一二两三四五六七八九十百千万壹贰叁肆伍陆柒捌玖拾佰仟点]+[元块]?[整钱]?$/.test(normal))
    return '价格是中文数字，请写成阿拉伯数字，如 88.50';
  if (/免费|赠送|^送/.test(normal)) return '价格写的是“免费”之类的文字，请填写数字';
  return '价格不是数字';
}

/** Describes how the cell differs from a plain amount; null for a plain one. */
function deviationOf(raw: string, normal: string): string | null {
  const kinds: string[] = [];
  if (/[０-９．，]/.test(raw)) kinds.push('全角数字');
  if (/[￥¥$]|rmb|cny/i.test(raw)) kinds.push('货币符号');
  if (/,/.test(normal)) kinds.push('千位分隔符');
  if (/\d。\d/.test(normal)) kinds.push('句号当小数点');
  if (PER_PIECE.test(normal)) kinds.push('带“每件”');
  if (/[元块圆]/.test(normal)) kinds.push('带“元”');
  if (/\d\s+\d/.test(normal)) kinds.push('空格当千位分隔符');
  if (NAMED.test(normal)) kinds.push('带文字');
  if (/[万千wk]$/.test(normal.replace(PER_PIECE, '').replace(/[元块圆整钱]/g, ''))) kinds.push('以万或千为单位');
  return kinds.length > 0 ? kinds.join('、') : null;
}

/**
 * Parses a price as sellers write it: '￥1,288.00', '１２8.5', '350元', '1.2万', '66元/个'. Text instead of a number, an empty cell, zero, negative
 * amounts and placeholders such as 99999999 give an error message.
 */
export function readPrice(cell: string): PriceReading {
  if (cell.trim().length > MAX_PRICE_CHARS) return { error: '价格不是数字' };
  const normal = cell.normalize('NFKC').trim().toLowerCase();
  if (normal.length > MAX_PRICE_CHARS) return { error: '价格不是数字' };
  if (normal === '') return { error: '没有价格' };
  if (NOT_A_PRICE.test(normal)) return { error: '价格写的是“面议”之类的文字，请填写数字' };
  if (/^[-—–/无空]+$/.test(normal)) return { error: '没有价格' };
  // Accounting formats put negative amounts in brackets.
  if (/^[￥¥$]?\s*[-−]|^\([￥¥$\d.,\s]+\)$/.test(normal)) return { error: '价格是负数' };
  if (ABROAD.test(normal)) return { error: '价格带外币，请换算成人民币后填写' };
  const bare = normal
    .replace(PER_PIECE, '')
    .trimEnd()
    .replace(NAMED, '')
    .replace(/^\+/, '')
    .replace(/\s*(?:[(（]?(?:rmb|cny|人民币)[)）]?|(?:元|块|圆)(?:整|钱)?|[￥¥])$/, '')
    .replace(/^(?:rmb|cny|人民币|[￥¥$])\s*/, '')
    .replace(/^(?:[￥¥$])\s*/, '')
    .replace(THOUSAND_BLANKS, (_, before: string, digits: string) => before + digits.replaceAll(' ', ''))
    .replace(/(?<=\d)\s+(?=[万千wk.])|(?<=[.])\s+(?=\d)/g, '')
    .replace(/\s*[元块圆]$/, '')
    .replace(/(?<=\d)。(?=\d)/, '.');
  const read = /亿/.test(bare) ? undefined : scaledNumber(bare, 2);
  if (!read) return { error: refusalOf(normal) };
  if (read.isCut) return { error: read.unit === '' ? '价格最多两位小数' : '价格精确到分以下，请改成元' };
  const fen = read.value;
  if (fen === 0) return { error: '价格是 0' };
  if (fen < MIN_FEN) return { error: '价格低于 1 元' };
  if (fen > MAX_FEN)
    return { error: /^9{6,}(?:\.|$)/.test(bare) ? '价格像是占位的 99999999，请填写实际价格' : '价格高于 999,999 元' };
  return { fen, deviation: deviationOf(cell, normal) };
}
