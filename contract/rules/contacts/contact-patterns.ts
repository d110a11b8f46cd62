import { ORNAMENT } from '../texts/plain-text.ts';

/** Characters inserted between the letters of a service's name to hide it. */
const J = `[\\s${ORNAMENT}.·•*_~|/\\\\-]{0,3}`;
/** Characters inserted between a service's name and the number. */
const LINK_WORDS = `(?:[\\s:=,、。.+*/\\-—_~→>@#${ORNAMENT}()\\[\\]【】"']|号码|账号|帐号|邮箱|频道|号|hao|群|裙|峮|是|为|的|我|你|加|搜|找|联系|私聊|同名|同|id|uid)*`;
const QQ = `(?:(?<![a-z0-9])(?<!安卓|苹果|ios|android)q(?:${J}q)?(?![a-z])|[扣叩抠蔻]${J}[扣叩抠蔻]|球${J}球|秋秋|丘丘|口口号|[腾疼藤]讯(?:聊天)?号|(?<![a-z])(?:kou ?kou|qiu ?qiu)(?![a-z])|企鹅(?:号|群)?)`;
const WEI = '[微薇威徽维葳溦唯嶶喂]';
const XIN = '信|芯|心|新|欣|型|亻言|xin';
const WECHAT = `(?:${WEI}${J}(?:${XIN}|x(?![a-z]))|微(?=${ORNAMENT})|(?<![a-z0-9])[vw]${J}(?:${XIN}|${ORNAMENT})|绿(?:泡泡?|书|标|色(?:聊天)?(?:软件|app))|(?<![a-z0-9])(?:v{1,3}${J}x|v{2,3}|w${J}x|we${J}chat|wei${J}xin)(?![a-z])|(?<![\\u4e00-\\u9fff])[微薇](?=[\\s:])|(?:加|\\+)\\s*(?:v(?![a-z])|[微薇威]|卫星))`;
const OTHER =
  '(?:支付宝|[抖某d]音|dou音|快手|钉钉|陌陌|小红[书薯]|贴吧|闲鱼|微博|(?<![a-z])(?:telegram|whatsapp|discord|zfb|tg|yy)(?![a-z]))';
/** Names with another meaning in games, which count only before an account of letters and digits. */
const AMBIGUOUS =
  '(?:飞机|电报|卫星|咸鱼|小黄鱼|小绿|探探|推特|b站|(?<![a-z0-9])(?:dy|ks|dc|line|ins|fb|skype|soul)(?![a-z]))';
const SPACED_NUMBER = '[1-9](?:[ \\-._]?\\d){4,12}(?![\\d%])';
/** Words that follow a service's name in a listing and are not an account there. */
const WORDS = '(?!(?:android|iphone|ipad|ios|steam|wegame|taptap|switch|svip|vip|lv)\\d*(?![a-z0-9_-]))';
const ACCOUNT = `(?:${WORDS}[a-z][-_a-z0-9]{5,19}(?![-_a-z0-9])|${SPACED_NUMBER})`;
const SHORT_ACCOUNT = `(?:(?:号|id|群)\\s*)?[:=]\\s*(?!v?\\d{1,4}(?![a-z0-9]))${WORDS}([a-z0-9][-_a-z0-9]{2,19})(?![-_a-z0-9])`;

/** A service's name followed by the account on it, which is the first group. */
export const CONTACTS: readonly RegExp[] = [
  new RegExp(`${QQ}${LINK_WORDS}(${SPACED_NUMBER})`, 'dg'),
  // '安卓微信 SCAR-L' names a client and a rifle: after an operating system's name only text with a digit is an account.
  new RegExp(`(?=[微薇威徽维葳溦唯vw绿加+])(?<!安卓|苹果|ios|android)${WECHAT}${LINK_WORDS}(${ACCOUNT})`, 'dg'),
  new RegExp(`${WECHAT}${LINK_WORDS}((?=[a-z_-]*\\d)${ACCOUNT})`, 'dg'),
  new RegExp(`${WECHAT}\\s*${SHORT_ACCOUNT}`, 'dg'),
  new RegExp(`${OTHER}${LINK_WORDS}(${ACCOUNT})`, 'dg'),
  new RegExp(`${AMBIGUOUS}${LINK_WORDS}(${WORDS}(?=[a-z_-]+\\d)[a-z][-_a-z0-9]{5,19}(?![-_a-z0-9]))`, 'dg'),
  /(?<![一-鿿])加?扣\s*:?\s*([1-9](?:[ \-._]?\d){6,10})(?!\d)/dg,
  // 'v: abc123', at the start of a word and with a colon: plain 'v8' is a level.
  /(?<![a-z0-9])v\s*:\s*([a-z][-_a-z0-9]{5,19}|[1-9]\d{4,12})/dg,
  /(?:加我|加一下|加个|联系我|私聊我?|私我|打我?电话|电话|手机号?|座机)[\s:是为]*([1-9+]\d(?:[ -]?\d){4,12})(?!\d)/dg,
  /(?<![a-z0-9])(wxid_[a-z0-9]{6,})/dg,
  /(?<![a-z0-9._+-])([a-z0-9][a-z0-9._+-]*@[a-z0-9-]+(?:\.[a-z0-9-]+)+)/dg,
  /(?<![a-z0-9._+-])([a-z0-9][a-z0-9._+-]{2,40}\s{0,2}(?:@|#|[艾爱]特|[([【]\s?at\s?[)\]】]|圈a|\bat\b)\s{0,2}(?:qq|163|126|139|189|gmail|outlook|hotmail|foxmail|sina|yeah|icloud)\s{0,2}(?:[.点。,丶·]|[([【]?\bdot\b[)\]】]?)\s{0,2}c[o0]m)/dg,
];

/**
 * Invitations to leave the site that name a service and no number. They are cut from published texts, but do not mask a
 * chat message.
 */
const NAMED = `(?:${QQ}|${WECHAT}|绿泡泡)`;
export const BAIT: readonly RegExp[] = [
  new RegExp(
    `((?<![增添参追附更])(?:加|\\+)\\s*(?:我|下|一下|个|本人)?的?${NAMED}(?![a-z0-9]|\\s*(?:好友|区|钱包|支付|小程序|登录|绑定)))`,
    'dg',
  ),
  new RegExp(
    `((?:联系|咨询|找我|私聊|滴滴)(?:我|方式)?\\s*:?\\s*${NAMED}(?![a-z0-9]|\\s*(?:好友|区|登录|绑定)))`,
    'dg',
  ),
  new RegExp(`((?=[微薇威徽维葳溦唯vw绿加+q扣叩抠球秋企])${NAMED}\\s*(?:同号|联系|私聊|详聊|细聊))`, 'dg'),
  /((?<![增添参追附更a-z0-9])(?:加|\+)\s*(?:我|个)?[v薇威](?=$|[\s:,。!?;聊]))/dg,
];

/** Printable ASCII without spaces and brackets: the characters of a password. */
const SECRET = "[!#-'*+\\-./0-9=?@A-Z^_`a-z|~]";
const SECRET_NAME =
  '(?:密码|密碼|口令|卡密|验证码|驗證碼|动态码|校验码|安全码|令牌|(?<![a-z])(?:mima|pwd|password|passwd)(?![a-z]))';
/** Credentials, which belong in the sealed form. */
export const SECRETS: readonly RegExp[] = [
  new RegExp(`(?:账号|帐号|账户|帐户)[\\s:是为=]*(${SECRET}{4,40})[\\s,;/|]*${SECRET_NAME}`, 'dg'),
  new RegExp(`${SECRET_NAME}[\\s:是为=改成换了,]*(${SECRET}{4,40})`, 'dg'),
  /(?<![a-z0-9])([a-z0-9._@]{5,40}-{2,}[!-~]{4,40})/dg,
];

const TOP =
  '(?:c[o0]m|cn|net|org|top|xyz|cc|vip|shop|store|me|io|club|site|link|ltd|info|tv|co|app|pro|online|wang|fun|ink|ren)';
/** Top-level domains that count after a separator other than a full stop. */
const COMMON_TOP = '(?:c[o0]m|cn|net|xyz|top)(?![a-z0-9])';
/** URLs of pages, also spelled out: 'taobao点com'. */
export const LINKS: readonly RegExp[] = [
  /((?:https?|ftp):\/\/[!-~]+)/dg,
  /((?<![a-z0-9.])www\.[a-z0-9-]+\.[!-~]+)/dg,
  new RegExp(`((?<![a-z0-9@._-])(?:[a-z0-9-]+\\.)+${TOP}(?::\\d+)?(?![a-z0-9-])(?:/[!-~]*)?)`, 'dg'),
  new RegExp(`((?<![a-z0-9-])[a-z0-9-]{2,}\\s*(?:点|\\(点\\)|。)\\s*${TOP}(?![a-z0-9]))`, 'dg'),
  new RegExp(
    `((?<![a-z0-9-])[a-z0-9-]{2,}(?:[,丶·]|\\s{0,2}[([【]\\s?(?:点|dot|\\.)\\s?[)\\]】]\\s{0,2}|\\s{1,2}(?:dot|丶)\\s{1,2})${COMMON_TOP})`,
    'dg',
  ),
];

/** Digits with at most one separator between two of them; matches from the first to the last digit. */
export const NUMBER = new RegExp(`\\d(?:[ \\-._·—~*/|、${ORNAMENT}]?\\d)*`, 'g');

/** Digits with up to four other signs between two of them, also the breaks of lines. */
export const WIDE_NUMBER = /(?<!\d)\d+(?:[\s\-._·—–~*/|\\、,。+#^=:;'"()[\]【】<>《》❤&!?…]{1,4}\d+)+/g;

/** Units that mark a long number as an amount in a game and not as a phone number. */
export const UNIT =
  /^\s*(?:万|亿|w\b|kw\b|个|点|金|银|铜|币|钻|元|块|分|级|次|颗|枚|张|件|款|星|场|局|区|服|战力|经验|宝石|碎片|积分|能量|水晶|体力|基纳|宝票|点券)/;
