/** A mutant: one rule of the market switched off. */
import type { FindingName } from '../rules/findings.ts';
import type { EVENINGS, Theme, Toward } from '../worlds/setting.ts';

/** A piece of text that is replaced: of a source file, or of the body of an SQL function. */
export type Change = ({ file: string } | { sql: string }) & { search: string; replace: string };

export interface Mutant {
  name: string;
  /** The rule that it switches off, as text. */
  rule: string;
  /** More than one where other rules would still keep the cheat out: all of them are off then, and `rule` says so. */
  changes: readonly Change[];
  /** Constraints that keep the cheat out besides, as 'table constraint': they are dropped. */
  drops?: readonly `${string} ${string}`[];
  /** Acts that have to do with the rule are tried more often; the story is the search's own. */
  theme: Theme | typeof EVENINGS;
  /** Where the rule needs people or acts that worlds of its theme seldom have together: every second world has them. */
  toward?: Toward;
  /** The finding whose fix it takes away (findings.ts): the search has to show that one. */
  finding?: FindingName;
  /** Words of what is found because of another rule that is off as well: that alone does not count. */
  except?: string;
}
