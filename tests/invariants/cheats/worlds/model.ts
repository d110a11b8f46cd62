/**
 * What the server cannot know, beside it: who has seen which password of an account, who can change it now, and whose an account is in
 * the end. All of it is explicit and small, so that a story that it calls a cheat can be read and believed.
 */

/** The people of a world. The first two are honest, the others do whatever pays. `house` is the honest staff. */
export type Who = 'hb' | 'hs' | 'a' | 'b' | 'c' | 'i' | 'house';
export const PEOPLE = ['hb', 'hs', 'a', 'b', 'c', 'i'] as const satisfies readonly Who[];
export const names: Readonly<Record<Who, string>> = {
  hb: 'the honest buyer',
  hs: 'the honest seller',
  a: 'accomplice A',
  b: 'accomplice B',
  c: 'accomplice C',
  i: 'inviter I',
  house: 'the platform',
};

export const isHonest = (who: Who): boolean => who === 'hb' || who === 'hs';
/** The side that a person is on: each honest person is alone, the others are one coalition. */
export type Side = 'hb' | 'hs' | 'house' | 'coalition';
export const sideOf = (who: Who): Side => (who === 'hb' || who === 'hs' || who === 'house' ? who : 'coalition');

/** A game account as it is in the game, whatever the market believes. */
export interface Account {
  /** The log-in name. */
  name: string;
  /** Only its password protects it: a person who can log in can take it. */
  loose: boolean;
  /** Its first owner gets it back from the game with his papers, from any holder: what the recovery cover is for. */
  recoverable: boolean;
  /** The person whose identity papers the game has. */
  firstOwner: Who;
  /** The person whose phone it is bound to; without meaning for a loose one. */
  phone: Who;
  /** The current password. */
  version: number;
  /** The newest password that each person has seen. */
  knows: Map<Who, number>;
  /** Its worth in fen: the first asking price. */
  worthFen: number;
  /** How many skins it has in truth: what an inspection reads. */
  skins: number;
}

/** The true skins of every account; a person who lies states more. */
export const TRUE_SKINS = 100;
export const SAID_SKINS = 300;

/** An account as its first owner has it: nobody else has seen the password. */
export function newAccount(
  name: string,
  owner: Who,
  { fen, loose, recoverable }: { fen: number; loose: boolean; recoverable: boolean },
): Account {
  const knows = new Map([[owner, 1]]);
  return {
    name,
    loose,
    recoverable,
    firstOwner: owner,
    phone: owner,
    version: 1,
    knows,
    worthFen: fen,
    skins: TRUE_SKINS,
  };
}

/** The actual content of a sealed form: an account, and a password of it. Version 0 is a password that opens nothing. */
export interface Sealed {
  account: Account;
  version: number;
}

/** Whether what was sealed opens the account that it names now. */
export const opens = ({ account, version }: Sealed): boolean => account.version === version;

/** Whether a person can log in now. */
export const canLogIn = (acc: Account, who: Who): boolean => acc.knows.get(who) === acc.version;

/** Whether a person can set a new password: by logging in, or by the bound phone. */
export const canChange = (acc: Account, who: Who): boolean => canLogIn(acc, who) || (!acc.loose && acc.phone === who);

/** Sets a new password that only its setter knows. */
export function changePassword(acc: Account, who: Who): void {
  acc.version += 1;
  acc.knows.set(who, acc.version);
}

/** Gives a person a password. */
export function learn(acc: Account, who: Who, version: number): void {
  acc.knows.set(who, Math.max(version, acc.knows.get(who) ?? 0));
}

/** The binding goes over with the word of who holds it. */
export function rebind(acc: Account, to: Who): void {
  acc.phone = to;
}

/** The account goes back whole: binding and a fresh password. */
export function returnAccount(acc: Account, to: Who): void {
  acc.phone = to;
  changePassword(acc, to);
}

/**
 * Whose side has the account or can take it by itself now. A bound one is its phone's; an unbound one belongs to the side that knows the password,
 * and where several sides do, to the coalition, which will not wait.
 */
export function holder(acc: Account): Side {
  if (!acc.loose) return sideOf(acc.phone);
  const sides = new Set([...acc.knows].filter(([, v]) => v === acc.version).map(([who]) => sideOf(who)));
  if (sides.has('coalition')) return 'coalition';
  return [...sides][0] ?? sideOf(acc.firstOwner);
}

/** Whether a person, or their side, has it alone: no other side can log in or take it with a phone. */
export function hasAlone(acc: Account, side: Side): boolean {
  if (!acc.loose && sideOf(acc.phone) !== side) return false;
  const others = [...acc.knows].some(([who, v]) => v === acc.version && sideOf(who) !== side);
  const own = [...acc.knows].some(([who, v]) => v === acc.version && sideOf(who) === side);
  return !others && (own || !acc.loose);
}
