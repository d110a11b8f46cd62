import { maskContacts } from '#contract/rules/contacts/contacts.ts';
import { isBreachedPassword } from '#server/kernel/secrets/breached-passwords.ts';

/**
 * The most commonly guessed passwords, in lower case: well-known international and Chinese lists, without those that `isWeakPassword` already
 * rejects by their shape (one character repeated, runs, repeated halves, dates).
 */
const COMMON_PASSWORD_TEXT = `
password passw0rd p@ssw0rd p@ssword password1 password12 password123 passw0rd1 pass1234 pass123 pass@123 passwd qwerty qwerty1
qwerty12 qwerty123 qwertyuiop qwert123 qwe123 qweasd qweasdzxc qweqwe qazwsx qazwsxedc qaz123 1qaz2wsx 1qaz2wsx3edc 1q2w3e 1q2w3e4r
1q2w3e4r5t q1w2e3 q1w2e3r4 zaq12wsx zaq1xsw2 zxcvbn zxcvbnm zxcvbnm1 zxc123 asdfgh asdfghjkl asdf1234 asd123 asdasd asdf123 abc123
abcd1234 abc1234 abc12345 abc123456 abcd123 abcde123 a123456 a1234567 a12345678 a123456789 aa123456 aa12345678 aaa123 aaa111
a111111 q123456 q12345678 w123456 z123456 s123456 x123456 y123456 l123456 wang123 wang123456 zhang123 zhang123456 li123456 liu123456
chen123456 yang123456 zhao123456 huang123 lin123456 123456a 123456aa 123456abc 123456q 123456qq 1234567a 12345678a 123456789a
123qwe 123qweasd 123qwe123 123abc 123abcd 1234qwer 12345qwert 123asd 123123a 123456789q 12qwaszx 520520 5201314 5211314 1314520
13145200 520131 147258 147258369 159357 159753 258369 369258147 741852963 963852741 789456 789456123 321321 654321 7654321
87654321 987654321 0987654321 9876543210 112233 11223344 1122334455 121212 123321 1234321 12344321 123454321 100200 101010
131313 159159 168168 518518 520530 521521 666888 888666 668668 696969 778899 789789 888999 998877 999888 woaini woaini1 woaini123
woaini520 woaini1314 woaini521 woaiwojia iloveyou iloveyou1 iloveu loveyou lovely love123 loveme nihao123 nihaoma wodemima mima123
mima123456 mimashi dearbook xiazhili woshishui aini1314 aini520 caonima tiankong zhongguo china123 beijing shanghai guangzhou
admin admin1 admin123 admin888 administrator root123 root1234 toor123 system test123 test1234 test123456 testtest guest123 user123
user1234 welcome welcome1 welcome123 hello123 helloworld letmein letmein1 trustno1 monkey dragon dragon123 master master123 shadow
shadow123 sunshine princess princess1 football football1 baseball basketball superman batman spiderman pokemon starwars matrix
michael jordan jordan23 jennifer jessica ashley nicole daniel andrew joshua thomas robert charlie hunter hunter2 ranger buster
killer killer123 ginger pepper cookie banana orange summer winter spring autumn flower freedom whatever secret secret123 access
mustang corvette ferrari mercedes porsche harley yankees lakers cowboys steelers chelsea arsenal liverpool barcelona juventus
realmadrid manchester samsung google facebook twitter youtube android iphone computer internet windows microsoft nintendo playstation
minecraft warcraft starcraft diablo overwatch fortnite leagueoflegends wangzhe wangzherongyao hepingjingying yuanshen dixiacheng
dnf123 dnf123456 dnf888 lol123 lol123456 lol12345 cf123456 wow123 wow123456 wzry123 wzry123456 game123 game1234 game123456 gamer123
youxi123 youxi123456 player123 player1 zhanghao zhanghao123 jiaoyi123 youshi youshi123 youshi123456 youshi888 taobao taobao123
alipay alipay123 weixin weixin123 wechat wechat123 qq123456 qq123123 qq111111 qq1234567 qq12345678 qqq111 qqqwww qwer1234 qwer123
qwerasdf qwerty1234 qwerty12345 qwaszx asdqwe123 zxcvbn123 zxcasdqwe 1a2b3c 1a2b3c4d a1b2c3 a1b2c3d4 a1s2d3f4 z1x2c3v4 p0o9i8u7 poiuytrewq
lkjhgfdsa mnbvcxz pokemon1 naruto naruto123 onepiece sasuke itachi doraemon hellokitty snoopy mickey tigger winnie peanut butterfly
angel123 angel1 baby123 babygirl lucky123 lucky7 happy123 happy1 money123 rich888 fucku fuckyou fuckyou1 fuck123 asshole bitch123
changeme default 000000a a000000 a666666 a888888 q111111 z111111 aptx4869 ms0083jxj jxj0083 as123456 ab123456 abc888 abc666 abc520
xiaoming xiaoming123 xiaohong zhangwei liwei wangwei wangfang lina zhangmin wangjing laopo laopo520 laogong laogong520 baobei baobei520
baobao baobao123 meinv123 shuaige tiantian xixihaha hahaha haha123 heihei hehehe lalala papapa mamama mama123 baba123 papa123
`;

const COMMON_PASSWORDS: ReadonlySet<string> = new Set(COMMON_PASSWORD_TEXT.split(/\s+/).filter(Boolean));

/** Whether every character follows the one before by the same step of -1, 0 or 1: 123456, fedcba, aaaaaa. */
function isRun(text: string): boolean {
  const step = text.charCodeAt(1) - text.charCodeAt(0);
  if (Math.abs(step) > 1) return false;
  for (let i = 1; i < text.length; i++) if (text.charCodeAt(i) - text.charCodeAt(i - 1) !== step) return false;
  return true;
}

/** Whether one block of up to four characters fills the text: 123123, abababab. */
function isRepeated(text: string): boolean {
  return [1, 2, 3, 4].some(
    (size) => text.length > size && text.length % size === 0 && text === text.slice(0, size).repeat(text.length / size),
  );
}

const DATE = /^(19|20)?\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/;

/**
 * Whether a log-in password is easy to guess: from published leaks, common in China, a run, repeated blocks, a bare date, or the user's own
 * phone number (reliability.md b.8).
 */
export function isWeakPassword(password: string, phone: string): boolean {
  const text = password.toLowerCase();
  return (
    COMMON_PASSWORDS.has(text) ||
    isBreachedPassword(text) ||
    isRun(text) ||
    isRepeated(text) ||
    /^(0?1234567890?|1234567890\d|123456\d?\d?|0123456\d*)$/.test(text) ||
    DATE.test(text) ||
    phone.includes(text) ||
    text === `a${phone}` ||
    /^1[3-9]\d{9}$/.test(text)
  );
}

/**
 * Whether six digits are too easy for a pay password: one digit, a run, a repeated block, a date, part of the user's own number, or one from
 * published leaks.
 */
export function isWeakPin(pin: string, phone: string): boolean {
  return (
    isRun(pin) ||
    isRepeated(pin) ||
    DATE.test(pin) ||
    phone.includes(pin) ||
    isBreachedPassword(pin) ||
    ['112233', '123321', '147258', '520131', '131452'].includes(pin)
  );
}

export const PIN = /^\d{6}$/;

/** Characters that are invisible or change how the text around them reads: bidi marks, zero-width characters, line breaks, tabs. */
const INVISIBLE = /[\t\n\r\u2028\u2029\ufff9-\uffff]|\p{Default_Ignorable_Code_Point}/u;
/** The variation selector for emoji, which is harmless. */
const EMOJI_FORM = '\ufe0f';
/** Terms with which a fraudster could pass for staff. */
const STAFF_TERMS = /官方|客服|管理员|系统消息|系统通知|工作人员|平台担保|中介担保|admin/i;

/** Why a nickname is not allowed, as a message; undefined when it is. */
export function nicknameError(nickName: string): string | undefined {
  if (INVISIBLE.test(nickName.replaceAll(EMOJI_FORM, ''))) return '昵称含有不支持的字符';
  // Full-width and look-alike forms are normalised first.
  if (STAFF_TERMS.test(nickName.normalize('NFKC').replace(/[\s.·_-]/g, ''))) return '昵称不能包含官方、客服等字样';
  if (maskContacts(nickName).masked) return '昵称不能包含联系方式';
  return undefined;
}

/** Share of good reviews (four or five stars) among those that count, as a percentage with one decimal; null without any. */
export function goodRate(good: number, count: number): number | null {
  return count === 0 ? null : Math.round((good / count) * 1000) / 10;
}

const BROWSERS: readonly [mark: RegExp, name: string][] = [
  [/MicroMessenger/, '微信'],
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly [mark: RegExp, name: string][] = [
  [/iPhone|iPad/, '苹果手机'],
  [/Android/, '安卓手机'],
  [/Windows/, 'Windows 电脑'],
  [/Mac OS X/, 'Mac 电脑'],
  [/Linux/, 'Linux 电脑'],
];

/** A name for a browser that its owner recognises, from its user agent: 'Windows 电脑上的 Chrome'. */
export function browserName(agent: string): string {
  const of = (list: readonly [RegExp, string][]) => list.find(([pattern]) => pattern.test(agent))?.[1];
  const system = of(SYSTEMS);
  const browser = of(BROWSERS) ?? '浏览器';
  return system === undefined ? browser : `${system}上的 ${browser}`;
}

/** Additional authenticated data of a user's contact. */
export const contactLocation = (userId: number): string => `app_user.contact_enc:${userId}`;
