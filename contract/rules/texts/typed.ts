/**
 * Numbers and ids as people paste them or a device fills them in, normalised to their plain form: by pages during input
 * (web/ui/forms/input.tsx), by the API before validation (contract/wire.ts). Only the form changes, never the value; the result is validated as before.
 */

/**
 * Characters nobody sees, which contacts, chats and documents add around a number: directions, joiners, byte order marks, soft hyphens, controls, the
 * places of emoji and pictures, and blanks that count as letters.
 */
const INVISIBLE = /[\p{Cf}\p{Cc}\ufe00-\ufe0f\u20e3\ufffc\u115f\u1160\u3164\uffa0\u2800]/gu;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
/** Digits of styles that keyboards and nicknames offer. */
const STYLED_DIGIT = /[\u{1d7ce}-\u{1d7ff}]/gu;
/** Hyphens and dashes of all widths. The sign of a sum is the plain one and stays. */
const DASH = /[\u2010-\u2015\u2212\ufe58\ufe63]/g;

/** Half-width characters without anything invisible; spaces of every kind become plain ones. */
function visible(text: string): string {
  return text
    .replace(/[\t\n\v\f\r\u0085]/g, ' ')
    .replace(INVISIBLE, '')
    .replace(STYLED_DIGIT, (digit) => digit.normalize('NFKC'))
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/\uffe5/g, '¥')
    .replace(/\s/g, ' ');
}

/** Quotes that come with a copied value, the sign of a spreadsheet's text, and the end of a sentence behind it. */
const BEFORE = /^[\s'"`“‘「『《<【=]+/;
/** Behind an amount a comma or stop stays, which may be followed by more digits while it is typed. */
const BEHIND_AMOUNT = ` '"\`”’」』》>】;、!`;
const BEHIND = `${BEHIND_AMOUNT},。`;

/** Cuts signs off the end. A pattern would begin anew at each of them, which is quadratic. */
function cutEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** The same with plain dashes, and without the quotes around it. */
const dashed = (text: string): string => cutEnd(visible(text).replace(DASH, '-').replace(BEFORE, ''), BEHIND);

/** Removes a bracket around the whole text. */
const unbracketed = (text: string): string => /^\(([^()]*)\)$/.exec(text)?.[1] ?? text;

/** The same without spaces, for what has none. */
const compact = (text: string): string => unbracketed(dashed(text).replace(/ /g, ''));

/** A phone number: +86 138-0013-8000, 手机：138 0013 8000 and 013800138000 become 13800138000. What is before it is removed only before eleven digits. */
export function typedPhone(text: string): string {
  const digits = dashed(text)
    .replace(/^(?:tel|mobile|phone|(?:我的|联系)?(?:手机号?码?|电话号?码?|号码|方式))[:： ]*(?=[+(\d])/i, '')
    .replace(/[ ().·•_~/-]/g, '');
  // A trunk's zero before a mobile number, as people wrote it when they called from another city.
  return digits.replace(/^(?:(?:\+|00)?86\+?)?0?(?=1\d{10}$)/, '');
}

/** A message with one code of six digits, copied as a whole: '【游市】您的验证码是123456，5分钟内有效'. */
const MESSAGE = /^(?=.*(?:验证码|动态码|code))(?!.*\d{6}.*\d{6}).*(?<!\d)(\d{6})(?!\d).*$/i;
/** Labels before a number. */
const LABEL = /^(?:#|no\.|qq号?码?|身份证号?码?|证件号码?|(?:银行)?卡号?|编号)[:：]*(?=\d)/i;

/**
 * A code, QQ number or other whole number: spaces and dashes are removed, except for a leading sign, and what is written around it. Of a whole
 * message its code is taken.
 */
export function typedDigits(text: string): string {
  const whole = compact(text);
  const plain = MESSAGE.exec(whole)?.[1] ?? whole.replace(LABEL, '');
  return plain.slice(0, 1) + plain.slice(1).replace(/-/g, '');
}

/** An identity card's number: as digits, with the check character in upper case. */
export function typedIdCard(text: string): string {
  // Keyboards and documents have other signs for the X at its end.
  return typedDigits(text)
    .replace(/(?<=^\d{17})[×✕✖хχⅩ]$/i, 'X')
    .toUpperCase();
}

/** A QQ number, WeChat id or phone number. A dash can be part of a WeChat id, so it stays unless everything else is digits. */
export function typedAccountId(text: string): string {
  // An id may begin with Latin letters such as wx, which are a label before a colon only.
  const id = compact(text)
    .replace(/^(?:(?:wechat|weixin|wx|vx|v|qq|alipay)(?:id|号)?[:：]|@)(?=[\w+])/i, '')
    .replace(
      /^(?:(?:微信|支付宝|银行卡|qq)?(?:账号|帐号|号码?)|微信|支付宝|银行卡|卡号|手机号?|电话)[:：]*(?=[\w+])/i,
      '',
    );
  return /^\+?[\d().-]+$/.test(id) ? typedPhone(id) : id;
}

/** A QQ number, WeChat id or phone number in a field that also accepts a sentence: only text that is nothing but a number is normalised. */
export function typedContact(text: string): string {
  const plain = dashed(text).trim();
  return /^[+(\d][\d()+ .-]*\d$/.test(plain) ? typedPhone(plain) : visible(text).trim();
}

/** A code that may contain letters. Dashes are removed between digits only: text before a dash is not always part of the code. */
export function typedCode(text: string): string {
  const whole = compact(text);
  const code = (/[?&]invitecode=(\w+)/i.exec(whole)?.[1] ?? whole).replace(
    /^(?:(?:我的)?(?:邀请|推荐|兑换|验证|动态)码|code[:：])[:：是]*(?=\w)/i,
    '',
  );
  return /^[\d-]+$/.test(code) ? typedDigits(code) : code;
}

/** A mail address, in half width and without spaces. */
export function typedMail(text: string): string {
  const mail = visible(text)
    .replace(/ /g, '')
    .replace(/^(?:mailto|e?-?mail|邮箱|电子邮箱|邮件)[:：]/i, '')
    .replace(BEFORE, '');
  return cutEnd(mail, BEHIND).replace(/。/g, '.');
}

/** The number of a listing or an order. */
export function typedSn(text: string): string {
  return compact(text).replace(/^(?:#|(?:商品|订单)?编?号[:：]*)(?=\w)/, '');
}

/** A search input: a phone number or a single id in its plain form; other text unchanged. */
export function typedKeyword(text: string): string {
  const phone = typedPhone(text);
  if (/^1[3-9]\d{9}$/.test(phone)) return phone;
  const plain = visible(text).trim();
  if (/^\d[\d ]{7,}$/.test(plain)) return plain.replace(/ /g, '');
  return /^[\w-]+$/.test(plain) ? plain : text;
}

/**
 * An amount in yuan: ¥ 1,288.00, RMB 88 and 88元 become 1288.00 and 88. Separators are removed only between complete groups of three digits, so
 * that 1,5 stays what it is and is refused.
 */
export function typedAmount(text: string): string {
  const plain = cutEnd(visible(text).replace(BEFORE, ''), BEHIND_AMOUNT)
    .replace(/(?<=^[^.。]*\d)。(?=\d)/, '.')
    .replace(/^(?:rmb|cny|人民币|金额|价格|售价)?[:： ]*¥* ?/i, '')
    .replace(/ ?(?:(?:元|块|圆) ?(?:整|钱)?|rmb|cny|¥)$/i, '');
  return /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$|^[1-9]\d{0,2}(?: \d{3})+(?:\.\d*)?$/.test(plain)
    ? plain.replace(/[, ]/g, '')
    : plain;
}
