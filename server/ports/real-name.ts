/** `unknown`: the register has no such person. */
export type RealNameOutcome = 'match' | 'mismatch' | 'unknown';

export interface RealNamePerson {
  name: string;
  /** 18 digits. */
  idNo: string;
  /** The account's phone; given where `needsPhone`. */
  phone?: string;
}

/** `pending`: the person has not shown their face yet. */
export type FaceOutcome = 'passed' | 'failed' | 'pending';

/** A check by face at the vendor's own page. Pictures of the face never reach us. */
export interface FaceCheck {
  /** Address of the vendor's script in the browser, whose `getMetaInfo()` describes the device; undefined if none is needed. */
  readonly browserScript?: string;
  /**
   * Begins a check. `number` is ours, 32 letters and digits, never repeated; the person comes back to `backUrl`. Returns the vendor's number
   * and the page for the person. Throws as `verify`.
   */
  begin(
    person: RealNamePerson,
    request: { number: string; backUrl: string; metaInfo: string },
  ): Promise<{ ref: string; url: string }>;
  /** How a check ended, according to the vendor's server; data returned by a browser proves nothing. Throws as `verify`. */
  outcome(ref: string): Promise<FaceOutcome>;
}

/**
 * Checks whether a name and an ID number belong together, at some vendors also the phone. Each check costs money, so adapters never repeat one.
 * Throws VendorUnavailable when nothing was sent, VendorRejected, and UnknownResult when no verdict arrived: then nothing is known about
 * the person.
 */
export interface RealName {
  /** Name of the adapter, for the self-check. */
  readonly name?: string;
  /** The phone is the third element. */
  readonly needsPhone?: boolean;
  /** Present if the operator offers it in addition to the check by number. */
  readonly face?: FaceCheck | undefined;
  verify(person: RealNamePerson): Promise<{ outcome: RealNameOutcome; providerRef: string }>;
}
