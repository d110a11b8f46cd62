import { maskContacts } from '#contract/rules/contacts.ts';
import { COMMON_PASSWORDS } from './weak-passwords.ts';

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
 * Whether a log-in password is among the first that a guesser tries: the common ones, runs, repeated blocks, a bare date, or
 * the person's own number (reliability.md b.8).
 */
export function isWeakPassword(password: string, phone: string): boolean {
  const text = password.toLowerCase();
  return (
    COMMON_PASSWORDS.has(text) ||
    isRun(text) ||
    isRepeated(text) ||
    /^(0?1234567890?|1234567890\d|123456\d?\d?|0123456\d*)$/.test(text) ||
    DATE.test(text) ||
    phone.includes(text) ||
    text === `a${phone}` ||
    /^1[3-9]\d{9}$/.test(text)
  );
}

/** Whether six digits are too easy for a pay password: one digit, a run, a repeated block, a date, part of the own number. */
export function isWeakPin(pin: string, phone: string): boolean {
  return (
    isRun(pin) ||
    isRepeated(pin) ||
    DATE.test(pin) ||
    phone.includes(pin) ||
    ['112233', '123321', '147258', '520131', '131452'].includes(pin)
  );
}

export const PIN = /^\d{6}$/;

/** What changes how text around it reads, or cannot be seen at all: bidi marks, zero-width characters, line and tab. */
const UNSEEN = /[\t\n\r\u2028\u2029\ufff9-\uffff]|\p{Default_Ignorable_Code_Point}/u;
/** Asks for the coloured form of the character before it, which is harmless. */
const EMOJI_FORM = '\ufe0f';
/** Words by which a swindler would pass for the market's staff. */
const STAFF_WORDS = /官方|客服|管理员|系统消息|系统通知|工作人员|平台担保|中介担保|admin/i;

/** Why a nickname cannot be taken, as a sentence; undefined when it can. */
export function nicknameRefusal(nickName: string): string | undefined {
  if (UNSEEN.test(nickName.replaceAll(EMOJI_FORM, ''))) return '昵称含有不支持的字符';
  // Full-width and look-alike forms of the same words count as the words.
  if (STAFF_WORDS.test(nickName.normalize('NFKC').replace(/[\s.·_-]/g, ''))) return '昵称不能包含官方、客服等字样';
  if (maskContacts(nickName).masked) return '昵称不能包含联系方式';
  return undefined;
}

/** Share of full marks of a seller's ratings as a percentage; null without ratings. */
export function goodRate(ratingSum: number, ratingCount: number): number | null {
  return ratingCount === 0 ? null : Math.round((ratingSum / (ratingCount * 5)) * 1000) / 10;
}
