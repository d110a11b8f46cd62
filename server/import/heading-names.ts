/** The names by which a heading is recognised, however it is decorated. */
import { normalizeCell } from './text.ts';

/** Maps traditional characters and older spellings to the characters of the known headings. */
const SIMPLIFIED: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...'編编號号價价標标題题庫库數数帳账賬账帐账戶户區区遊游戲戏圖图鏈链備备註注類类稱称單单狀状態态貨货碼码銷销舊旧議议賠赔實实參参屬属詳详務务開开請请選选擇择個个張张條条項项產产該该對对應应為为與与'.matchAll(
      /(.)(.)/gu,
    ),
  ].map(([, from = '', to = '']) => [from, to]),
);

const simplified = (text: string): string => text.replace(/[\u4e00-\u9fff]/g, (char) => SIMPLIFIED[char] ?? char);

/** A heading for comparison: plain characters, without blanks, brackets and marks of required columns. */
export const normalHeading = (text: string): string =>
  simplified(normalizeCell(text)).replace(/[\s（）()【】[\]{}<>《》「」*＊:：★☆●○◆■▲△※#_"'“”.。、,;；!！]/g, '');

const BRACKETED = /[（(【[{<《][^（(【[{<《]*[)）】\]}>》]/g;
const UNIT = /[\s/／:：,，;；_-]*(?:单位)?[\s:：]*(?:元|人民币|rmb|cny|￥|¥|件|个|次|条|份|pcs)$/;
const REQUIRED = /[\s/／:：,，;；_-]*(?:非?必填项?|必选项?|选填项?|可选项?|可空|可不填|required|optional)[\s:：_-]*/g;
/** A longer text is compared unchanged: it is not a heading with a unit. */
const MAX_HEADING_CHARS = 80;
const CHINESE = /[\u4e00-\u9fff]/;

/** The parts of a bilingual heading, '价格 Price' or '编号/Code'; none if both parts are in one language. */
function languages(text: string): string[] {
  const parts = text.split(/[\s/／|\\]+/).filter((part) => part !== '');
  const chinese = parts.filter((part) => CHINESE.test(part));
  const other = parts.filter((part) => !CHINESE.test(part) && /[a-z]/.test(part));
  return chinese.length > 0 && other.length > 0 && chinese.length + other.length === parts.length
    ? [chinese.join(''), other.join('')]
    : [];
}

/**
 * The names by which a heading is compared: first as written, then without a unit such as '（元）' or '/元', without the marker of a
 * required column, and each of its two languages.
 */
export function headingNames(text: string): string[] {
  const plain = simplified(normalizeCell(text));
  if (plain.length > MAX_HEADING_CHARS) return [normalHeading(plain)].filter((name) => name !== '');
  const inBrackets = [...plain.matchAll(BRACKETED)].map(([found]) => found.slice(1, -1));
  const open = plain.replace(BRACKETED, ' ').replace(REQUIRED, ' ').trim();
  const bare = open.replace(UNIT, '');
  const spellings = [plain, bare, open, ...languages(bare), ...languages(`${open} ${inBrackets.join(' ')}`)];
  return [...new Set(spellings.map(normalHeading))].filter((name) => name !== '');
}
