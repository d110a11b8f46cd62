/**
 * Rules switched off, one at a time: the search must find what each of them keeps out. A mutant replaces a piece of one source file as it is
 * loaded, or of one SQL function in the market's own database; nothing of it stays. A piece that is not found any more is an error.
 */
import type { Change, Mutant } from './mutant.ts';
import { integrityMutants } from './mutants-integrity.ts';
import { moneyMutants } from './mutants-money.ts';
import { serviceMutants } from './mutants-services.ts';
import { tradeMutants } from './mutants-trade.ts';

export const MUTANTS: readonly Mutant[] = [...tradeMutants, ...moneyMutants, ...serviceMutants, ...integrityMutants];

/** A mutant by its name. Throws for an unknown one. */
export function mutantOf(name: string): Mutant {
  const found = MUTANTS.find((m) => m.name === name);
  if (!found) throw new Error(`there is no mutant ${name}`);
  return found;
}

/** A text with a piece replaced. Throws where the piece is not there exactly once. */
export function changed(text: string, { search, replace }: Change, where: string): string {
  const parts = text.split(search);
  if (parts.length !== 2) throw new Error(`${where} has "${search}" ${parts.length - 1} times`);
  return parts.join(replace);
}
