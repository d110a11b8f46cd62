export type RealNameOutcome = 'match' | 'mismatch' | 'unknown';

/** Asks whether a name and an 18-digit ID number belong together. Throws when the source cannot be reached. */
export interface RealName {
  /** What answers behind the port, for the self-check. */
  readonly name?: string;
  verify(person: { name: string; idNo: string }): Promise<{ outcome: RealNameOutcome; providerRef: string }>;
}
