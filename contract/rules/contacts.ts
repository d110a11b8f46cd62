/** What stands in place of a contact. */
const MASK = '＊';

/**
 * Ways to get people off the site. Each pattern's first group stays, its second is masked. The words before a number decide,
 * because a game's own numbers (战力 163000, 微信区) look the same.
 */
const PATTERNS: readonly RegExp[] = [
  // 138 0000 0000, also with full-width digits or separators between
  /()((?<![\d０-９])1[3-9](?:[\s.\-－—_]?[\d０-９]){9}(?![\d０-９]))/gu,
  /((?:(?<![a-z])(?<!安卓|苹果|ios)q{1,2}|扣{1,2}|企鹅|球球|叩叩)\s*(?:号|群|码)?\s*[:：=是]?\s*)([1-9１-９](?:\s?[\d０-９]){4,10})(?![\d０-９]|\s?(?:万|点|分|战|级|区|服|款|个))/giu,
  /((?:(?<!安卓|苹果|ios)微\s*信|威\s*信|薇\s*信|徽\s*信|微❤|wechat|v信|vx|wx|加v|加薇|绿泡泡)\s*(?:号|群|id)?\s*[:：=是]?\s*)([a-z][\w-]{5,19}|[1-9]\d{4,10})(?![\d]|\s?(?:万|点|分|战|级|区|服|款|个))/giu,
  /()(\b(?:https?:\/\/|www\.)[^\s一-鿿，。；！]+)/giu,
  /()([\w.+-]{2,40}@[\w-]+(?:\.[\w-]+)+)/gu,
  /((?:支付宝|zfb|支fu宝)\s*(?:号|账号)?\s*[:：=是]?\s*)([\w.@-]{6,40})/giu,
];

/**
 * Masks phone numbers, QQ and WeChat ids, mail and web addresses in what a seller writes (domain.md 5: they are masked with a
 * warning). Each masked character becomes one ＊.
 */
export function maskContacts(text: string): { text: string; masked: boolean } {
  let out = text;
  for (const pattern of PATTERNS) {
    out = out.replace(pattern, (_, before: string, secret: string) => before + MASK.repeat([...secret].length));
  }
  return { text: out, masked: out !== text };
}
