/**
 * Cheats that the search has found, each with the rule whose breaking shows it, and with what leads a search to it. The ones in known.ts are
 * not fixed yet.
 */
import type { Cheat } from '../cheat.ts';
import { EVENINGS, type Theme, type Toward } from '../worlds/setting.ts';

/** The texts of the rules about accounts (physical.ts), by which their finding is told from new ones. */
export const RULES_OF_ACCOUNTS = {
  offeredTwice: 'one account is offered twice at once',
  dealOfNothing: 'one account is offered in a private deal of no type and elsewhere',
  lostAndSold: 'an account that was claimed as lost is offered under another writing of its name',
  otherChecked: 'the log-in that staff checked is of another account than the one on sale',
  falseName: 'the log-in that staff checked has another name than the listing',
  otherRead: 'the account that staff read is another than the one on sale',
} as const;

export interface Finding {
  name: string;
  /** The cheat that the market permits. */
  cheat: string;
  /** Words of the broken rules; the first is what a directed search looks for. */
  texts: readonly string[];
  /** Promises that are broken besides in the same world, as a consequence. */
  breaks: readonly Cheat['promise'][];
  /** Where a search finds it soonest. */
  theme: Theme | typeof EVENINGS;
  toward?: Toward;
  /** The change that the mutant of the fix must make, so that the search finds this again. */
  mutant: string;
}

const FINDINGS_BY_NAME = {
  'account-identity': {
    cheat: 'an account is known by the text that its seller types, and by nothing else',
    texts: [
      RULES_OF_ACCOUNTS.offeredTwice,
      RULES_OF_ACCOUNTS.lostAndSold,
      RULES_OF_ACCOUNTS.otherChecked,
      RULES_OF_ACCOUNTS.falseName,
      RULES_OF_ACCOUNTS.otherRead,
    ],
    breaks: [1, 2, 3, 4],
    theme: 'identity',
    toward: { acts: ['publish', 'recover', 'claim'] },
    mutant:
      'two mutants: the fingerprint is made from the old normal form (NFKC, lower case, no white space, with the server), and the log-in check does not compare the sealed account with the listing',
  },
  'resealed-after-check': {
    cheat: 'a seller seals the log-in anew after staff have checked it, and the check still counts',
    texts: ['what staff checked is not what was delivered'],
    breaks: [1, 2],
    theme: 'reseal',
    toward: { acts: ['seal', 'handOver', 'honestBuys'] },
    mutant: 'a new version of a form neither re-opens the check that was done nor is refused',
  },
  'platform-without-take-over': {
    cheat: 'the platform pays for an account that one person has read and nobody has taken over',
    texts: ['the platform paid for an account that nobody had taken over'],
    breaks: [1],
    theme: 'recycling',
    toward: { cast: 'platform', acts: ['recycleSell', 'recycleHandOver', 'seal', 'wait'] },
    mutant: 'the hold of what the platform bought ends by its time, without a take-over and without a case',
  },
  'deal-without-type': {
    cheat: 'a private deal under a game without a type has no steps, no check and no fingerprint',
    texts: [
      'an account of a game is sold by a private deal without the steps of its type',
      RULES_OF_ACCOUNTS.dealOfNothing,
    ],
    breaks: [],
    theme: 'deals',
    toward: { acts: ['deal'] },
    mutant: 'a deal under a game is let through with type 0',
  },
  'deposit-of-absent-buyer': {
    cheat: 'a booster who waits for a buyer in vain loses the efficiency deposit to that buyer',
    texts: ['an honest booster lost a deposit to a buyer who never came'],
    breaks: [1, 3],
    theme: 'boosting',
    toward: { cast: 'booster', acts: ['boostPost', 'wait'] },
    mutant: 'the clock of a late order gives the efficiency deposit to a buyer who has never confirmed presence',
  },
  'free-tips': {
    cheat:
      'a tip moves money from balance to balance, at once and without commission, also where nothing was paid for play',
    texts: ['a tip moved money at once and without commission', 'tips exceed what was paid for play'],
    breaks: [],
    theme: EVENINGS,
    mutant: 'a tip is posted from balance to balance without commission and hold, and without the cap by what was paid',
  },
  'case-makes-play-free': {
    cheat:
      'the time of a case that was withdrawn is taken off the minutes of play: of a case during play, and also of one before play began',
    texts: ['played minutes were not paid after a case that was withdrawn'],
    breaks: [],
    theme: EVENINGS,
    mutant:
      'two mutants: stopped_seconds keeps the time of cases before play began, and the time of cases during play that were withdrawn',
  },
  'booster-opens-after-delivery': {
    cheat: 'a booster opens the account after everything was delivered',
    texts: ['a booster opened the account after the final delivery'],
    breaks: [],
    theme: 'boosting',
    toward: {
      cast: 'boosted',
      acts: ['boostPost', 'boostClaim', 'boostSeal', 'boostDeliver', 'boostOpen'],
    },
    mutant: 'partyAccess ignores that the service is in state checking',
  },
  'deposit-being-released': {
    cheat: 'a deposit that is being released still lets a booster take orders',
    texts: ['a booster took an order on a deposit that is being released'],
    breaks: [],
    theme: 'boosting',
    toward: { cast: 'boosted', acts: ['depositRelease', 'boostPost', 'boostClaim'] },
    mutant: 'the one function that counts deposits counts what is being released',
  },
  'wrong-password-with-proof': {
    cheat: 'a wrong pay password is accepted while an earlier proof is fresh',
    texts: ['a wrong pay password was accepted'],
    breaks: [],
    theme: 'thief',
    toward: { acts: ['wrongPassword'] },
    mutant: 'requireStepUp returns for a fresh proof before it compares a password that was sent',
  },
} as const satisfies Record<string, Omit<Finding, 'name'>>;

export type FindingName = keyof typeof FINDINGS_BY_NAME;
export const FINDINGS: readonly (Finding & { name: FindingName })[] = Object.entries(FINDINGS_BY_NAME).map(
  ([name, finding]) => ({ ...finding, name: name as FindingName }),
);

/** A finding by its name. Throws for an unknown one. */
export function findingOf(name: string): Finding & { name: FindingName } {
  const found = FINDINGS.find((f) => f.name === name);
  if (!found) throw new Error(`there is no finding ${name}`);
  return found;
}

const shows = (finding: Finding, { text }: Cheat): boolean => finding.texts.some((words) => text.includes(words));

/** Sorts what was found in one world: the known findings, and the cheats that none of them explains. */
export function sortOut(
  cheats: readonly Cheat[],
  known: readonly FindingName[],
): { cheats: Cheat[]; known: FindingName[] } {
  const met = known.map(findingOf).filter((finding) => cheats.some((cheat) => shows(finding, cheat)));
  const isExplained = (cheat: Cheat): boolean =>
    met.some((finding) => shows(finding, cheat) || finding.breaks.includes(cheat.promise));
  return { cheats: cheats.filter((cheat) => !isExplained(cheat)), known: met.map(({ name }) => name) };
}

/** Returns the cheats of one finding in a world, its rule first; empty where the world does not show it. */
export function cheatsOfFinding(cheats: readonly Cheat[], finding: Finding): Cheat[] {
  const shown = cheats.filter((cheat) => shows(finding, cheat));
  return shown.length === 0 ? [] : [...shown, ...cheats.filter((cheat) => finding.breaks.includes(cheat.promise))];
}
