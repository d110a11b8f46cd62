import { createHmac } from 'node:crypto';
import type { Keys } from './secrets/crypto.ts';

/** Identifies the game account that a text names, independent of how the name is written and in which form it was entered. */
export interface AccountIdentity {
  /** The account's fingerprint: equal for the same account of a game, regardless of area and server. */
  print: Buffer;
  /** The fingerprint without the mail domain. Equal values may be the same account: staff review them, nothing is rejected. */
  near: Buffer;
  /** The name with its middle hidden, so that staff and its owner recognise it. */
  hint: string;
}

/** Capital letters of other scripts that look like Latin ones; their small letters look different. */
const CAPITALS = lookAlikes('АВЕКМНОРСТУХІЈЅЁΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'abekmhopctyxijseabezhikmnoptyx');
/** Small letters that look like Latin ones: Cyrillic, Greek, Armenian, phonetic, small capitals. */
const SMALL = lookAlikes(
  'аеорсухіјѕԁԛԝһӏкмтвнгпёαβεηικνορτυχμօսհոɑɡıɩʀɴʙʜʟɪʏᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢꜰꜱ',
  'aeopcyxijsdqwhlkmtbhrneabenikvoptuxmouhnagiirnbhliyacdejkmoptuvwzfs',
);

function lookAlikes(others: string, latin: string): ReadonlyMap<string, string> {
  return new Map([...others].map((letter, i) => [letter, latin.charAt(i)]));
}

/** A decimal digit of any script as an ASCII digit: the digits of a script are ten neighbours, the zero first. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/**
 * The letters and digits of a name in one form: lower case, NFKC, without marks, invisible characters and separators, and with look-alikes
 * replaced by the Latin letter.
 */
function lettersAndDigits(text: string): string {
  const small = [...text.normalize('NFKC')].map((c) => CAPITALS.get(c) ?? c).join('');
  return [
    ...small
      .toLowerCase()
      .normalize('NFKD')
      .replaceAll(/[^\p{L}\p{N}]/gu, ''),
  ]
    .map((c) => SMALL.get(c) ?? c)
    .join('')
    .replaceAll(/(?![0-9])\p{Nd}/gu, asciiDigit);
}

/** The canonical name of an account: a QQ number equals its QQ mail address, and a phone number equals the one with country prefix. */
export function accountName(text: string): string {
  const name = lettersAndDigits(text);
  if (name === '') return text;
  return /^(\d{5,})qqcom$/.exec(name)?.[1] ?? /^(?:00)?86(1[3-9]\d{9})$/.exec(name)?.[1] ?? name;
}

const withoutDomain = (text: string): string => text.normalize('NFKC').replace(/@.*$/su, '');

const SHOWN = 2;

/** A name with its middle hidden: 'he***26'. */
export function maskedAccount(text: string): string {
  const letters = [...text.normalize('NFKC').replaceAll(/[\p{Cf}\p{Mn}\p{Cc}\s]/gu, '')];
  const tail = letters.length > 2 * SHOWN ? letters.slice(-SHOWN) : [];
  return [...letters.slice(0, letters.length > 2 * SHOWN ? SHOWN : 1), '***', ...tail].join('');
}

function keyedHash(keys: Keys, value: string): Buffer {
  return createHmac('sha256', keys.fingerprint).update(value).digest();
}

/** The identity of an account of a game. Area and server are not part of it: they never make a second account. */
export function accountIdentity(keys: Keys, gameId: number, accountNo: string): AccountIdentity {
  return {
    print: keyedHash(keys, `${gameId}:${accountName(accountNo)}`),
    near: keyedHash(keys, `near:${gameId}:${accountName(withoutDomain(accountNo))}`),
    hint: maskedAccount(accountNo),
  };
}

/** The fingerprint of an account of a game: the key of the account passport (domain.md 4). */
export const accountFingerprint = (keys: Keys, gameId: number, accountNo: string): Buffer =>
  accountIdentity(keys, gameId, accountNo).print;

/** The account named by an offer. */
export interface ListedAccount {
  gameId: number;
  print: Buffer;
  hint: string;
}

/** Whether a log-in belongs to the account named by an offer. */
export const isListedAccount = (keys: Keys, listed: Pick<ListedAccount, 'gameId' | 'print'>, logIn: string): boolean =>
  accountFingerprint(keys, listed.gameId, logIn).equals(listed.print);
