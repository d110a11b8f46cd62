export type RealNameVerdict = 'match' | 'mismatch' | 'unknown';

/** Asks whether a name and an 18-digit ID number belong together. Throws when the source cannot be reached. */
export interface RealName {
  verify(person: { name: string; idNo: string }): Promise<{ verdict: RealNameVerdict; providerRef: string }>;
}
