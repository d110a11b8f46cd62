/**
 * Finds what must not be said in an order's chat (domain.md 5): ways to meet off the site (phone, QQ, WeChat, links, other
 * services), payment data (bank cards), identity numbers, and credentials, which belong into the sealed form. Game talk
 * full of numbers ('贵族10 皮肤300', '1300万金币'), goods codes and order numbers stay as they are.
 */

export type MaskKind = 'contact' | 'link' | 'card' | 'secret';

export interface Masked {
  text: string;
  kinds: MaskKind[];
}

interface Range {
  from: number;
  to: number;
  kind: MaskKind;
}

/** Stands for whatever was there; its length tells nothing. */
export const MASK = '＊＊＊＊';

const CHINESE_DIGITS = new Map([...'零一二三四五六七八九'].map((c, i) => [c, String(i)]));
CHINESE_DIGITS.set('〇', '0').set('幺', '1').set('壹', '1').set('贰', '2').set('叁', '3').set('肆', '4').set('伍', '5');
CHINESE_DIGITS.set('陆', '6').set('柒', '7').set('捌', '8').set('玖', '9');

/** The text as a reader sees it, one character for each: full-width and ringed forms become plain, letters lower case. */
function plain(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    let c = text.charAt(i);
    if (code >= 0xff01 && code <= 0xff5e) c = String.fromCharCode(code - 0xfee0);
    else if (code === 0x3000) c = ' ';
    else if (code >= 0x2460 && code <= 0x2468) c = String.fromCharCode(code - 0x2460 + 0x31);
    else if (code === 0x24ea) c = '0';
    const lower = c.toLowerCase();
    out += lower.length === 1 ? lower : c;
  }
  return out;
}

/** The same with Chinese numerals as digits, for long numbers alone: '一三八零零…'. */
const spoken = (text: string): string =>
  text.replace(/[零一二三四五六七八九〇幺壹贰叁肆伍陆柒捌玖]/g, (c) => CHINESE_DIGITS.get(c) ?? c);

/** What makes a long number an amount of something in a game and not a number to call. */
const UNIT =
  /^\s*(?:万|亿|w\b|kw\b|个|点|金|银|铜|币|钻|元|块|分|级|次|颗|枚|张|件|战力|经验|宝石|碎片|积分|能量|水晶|体力|基纳|宝票|点券)/;

const isOrderSn = (digits: string): boolean => {
  const m = /^(2[4-9]|3\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])[0-5]\d[0-5]\d\d{6}$/.exec(digits);
  return m !== null;
};

function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let d = Number(digits.charAt(digits.length - 1 - i));
    if (i % 2 === 1) d = d * 2 > 9 ? d * 2 - 9 : d * 2;
    sum += d;
  }
  return sum % 10 === 0;
}

function idNumber(digits: string): boolean {
  if (!/^[1-9]\d{5}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dx]$/.test(digits)) return false;
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  const sum = weights.reduce((total, weight, i) => total + weight * Number(digits.charAt(i)), 0);
  return '10x98765432'.charAt(sum % 11) === digits.charAt(17);
}

/** Digits with at most one separator between two of them; what lies between the first and the last. */
const NUMBER = /\d(?:[ \-._·—~]?\d)*/g;

/** Phones, bank cards and identity numbers among the text's numbers, however they are spaced. */
function longNumbers(text: string, found: Range[]): void {
  for (const match of text.matchAll(NUMBER)) {
    const raw = match[0];
    const from = match.index;
    let to = from + raw.length;
    let digits = raw.replace(/\D/g, '');
    if (digits.length < 11) continue;
    const rest = text.slice(to);
    if (rest.startsWith('x') && digits.length === 17 && idNumber(`${digits}x`)) {
      digits = `${digits}x`;
      to += 1;
    }
    const groups = raw.split(/\D/);
    if (isOrderSn(digits)) continue;
    if (idNumber(digits)) found.push({ from, to, kind: 'card' });
    else if (digits.length >= 15 && digits.length <= 19 && /^[3-6]/.test(digits) && luhn(digits))
      found.push({ from, to, kind: 'card' });
    else if (/^(?:86|086|0086)?1[3-9]\d{9}$/.test(digits) && !UNIT.test(rest)) {
      // Two-digit values in a row may happen to make eleven digits; nobody writes a phone that way.
      if (groups.every((g) => g.length === 1) || groups.some((g) => g.length >= 3))
        found.push({ from, to, kind: 'contact' });
    }
  }
}

/** What people put between a name of a service and the number on it. */
const LINK_WORDS = '(?:[\\s:：=，,、.+*/\\-—_~→>]|号码|账号|帐号|号|群|是|为|的|我|你|加|搜|找|联系|私聊|id|uid)*';
const QQ_NAME = '(?:(?<![a-z0-9])q{1,2}(?![a-z])|扣扣|叩叩|抠抠|球球|秋秋|企鹅)';
const WECHAT_NAME =
  '(?:微信|薇信|威信|徽信|微x|v信|v❤|绿泡泡|(?<![a-z0-9])(?:vx|wx|wechat|weixin)(?![a-z])|(?<![\\u4e00-\\u9fff])微(?=[\\s:：])|(?:加|[+➕])\\s*(?:v(?![a-z])|微|薇|威))';
const OTHER_NAME =
  '(?:支付宝|抖音|快手|钉钉|陌陌|小红书|贴吧|闲鱼|(?<![a-z])(?:telegram|whatsapp|discord|tg|yy)(?![a-z]))';
const SPACED_NUMBER = '[1-9](?:[ \\-._]?\\d){4,12}(?![\\d%])';
const ACCOUNT = '(?:[a-z][-_a-z0-9]{5,19}(?![-_a-z0-9])|' + SPACED_NUMBER + ')';

const CONTACTS: readonly RegExp[] = [
  new RegExp(`${QQ_NAME}${LINK_WORDS}(${SPACED_NUMBER})`, 'dg'),
  new RegExp(`${WECHAT_NAME}${LINK_WORDS}(${ACCOUNT})`, 'dg'),
  new RegExp(`${OTHER_NAME}${LINK_WORDS}(${ACCOUNT})`, 'dg'),
  // 'v: abc123', at the start of a word and with a colon: plain 'v8' is a level.
  /(?<![a-z0-9])v\s*[:：]\s*([a-z][-_a-z0-9]{5,19}|[1-9]\d{4,12})/dg,
  /(?:加我|加一下|加个|联系我|私聊我?|私我|打我?电话|电话|手机号?|座机)[\s:：是为]*([1-9+]\d(?:[ -]?\d){4,12})(?!\d)/dg,
  /(?<![a-z0-9])(wxid_[a-z0-9]{6,})/dg,
  /(?<![a-z0-9._+-])([a-z0-9][a-z0-9._+-]*@[a-z0-9-]+(?:\.[a-z0-9-]+)+)/dg,
];

/** Printable ASCII without spaces and brackets: what a password is made of. */
const SECRET = "[!#-'*+\\-./0-9=?@A-Z^_`a-z|~]";
const SECRET_NAME =
  '(?:密码|密碼|口令|卡密|验证码|驗證碼|动态码|校验码|安全码|令牌|(?<![a-z])(?:mima|pwd|password|passwd)(?![a-z]))';
const SECRETS: readonly RegExp[] = [
  new RegExp(`(?:账号|帐号|账户|帐户)[\\s:：是为=]*(${SECRET}{4,40})[\\s,，;；/|]*${SECRET_NAME}`, 'dg'),
  new RegExp(`${SECRET_NAME}[\\s:：是为=改成换了,，]*(${SECRET}{4,40})`, 'dg'),
  /(?<![a-z0-9])([a-z0-9._@]{5,40}-{2,}[!-~]{4,40})/dg,
];

const TOP =
  '(?:com|cn|net|org|top|xyz|cc|vip|shop|store|me|io|club|site|link|ltd|info|tv|co|app|pro|online|wang|fun|ink|ren)';
const LINKS: readonly RegExp[] = [
  /((?:https?|ftp):\/\/[!-~]+)/dg,
  /((?<![a-z0-9.])www\.[a-z0-9-]+\.[!-~]+)/dg,
  new RegExp(`((?<![a-z0-9@._-])(?:[a-z0-9-]+\\.)+${TOP}(?::\\d+)?(?![a-z0-9-])(?:/[!-~]*)?)`, 'dg'),
  new RegExp(`((?<![a-z0-9])[a-z0-9-]{2,}\\s*(?:点|\\(点\\)|。)\\s*${TOP}(?![a-z0-9]))`, 'dg'),
];

/** A goods code: Y, a letter, seven digits. */
const CODE = /(?<![a-z0-9])y[a-z]\d{7}(?!\d)/g;

function collect(
  source: string,
  patterns: readonly RegExp[],
  kind: MaskKind,
  found: Range[],
  keep: (value: string, after: string) => boolean,
): void {
  for (const pattern of patterns) {
    for (const match of source.matchAll(pattern)) {
      const at = match.indices?.[1];
      if (at && keep(source.slice(at[0], at[1]), source.slice(at[1]))) found.push({ from: at[0], to: at[1], kind });
    }
  }
}

/** Host of a link without its port; '' when it names none. */
function hostOf(link: string): string {
  return /^(?:[a-z]+:\/\/)?([^/:?#]+)/.exec(link)?.[1] ?? '';
}

const IMAGE_LINK = /^https?:\/\/[!-~]+?\.(?:png|jpe?g|gif|webp|bmp|avif)(?:[?#][!-~]*)?$/i;

/** Whether a text is nothing but the address of a picture, as a paste from another page gives (product.md 5). */
export function isImageLink(text: string): boolean {
  return IMAGE_LINK.test(text.trim());
}

/** Puts MASK in the place of what must not be said. `isOwnHost` tells the links that may stay. */
export function maskText(text: string, isOwnHost: (host: string) => boolean): Masked {
  const source = plain(text);
  const found: Range[] = [];
  longNumbers(source, found);
  longNumbers(spoken(source), found);
  collect(source, LINKS, 'link', found, (link) => !isOwnHost(hostOf(link)));
  collect(
    source,
    CONTACTS,
    'contact',
    found,
    (value, after) => !(/^\d+$/.test(value) && (UNIT.test(after) || isOrderSn(value))),
  );
  collect(source, SECRETS, 'secret', found, () => true);
  const codes = [...source.matchAll(CODE)].map((m) => ({ from: m.index, to: m.index + m[0].length }));
  const ranges = found
    .filter((r) => r.kind === 'secret' || !codes.some((c) => c.from <= r.from && r.to <= c.to))
    .sort((a, b) => a.from - b.from || b.to - a.to);
  let out = '';
  let at = 0;
  for (const { from, to } of ranges) {
    if (to <= at) continue;
    if (from >= at) out += text.slice(at, from) + MASK;
    at = to;
  }
  return { text: out + text.slice(at), kinds: [...new Set(ranges.map((r) => r.kind))] };
}
