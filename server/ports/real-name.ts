export type RealNameOutcome = 'match' | 'mismatch' | 'unknown';

/** Checks whether a name and an 18-digit ID number belong together. Throws when the source cannot be reached. */
export interface RealName {
  /** Name of the adapter, for the self-check. */
  readonly name?: string;
  verify(person: { name: string; idNo: string }): Promise<{ outcome: RealNameOutcome; providerRef: string }>;
}
