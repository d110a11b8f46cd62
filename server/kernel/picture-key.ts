/** The end of the key of a private picture (decision 605). */
export const PRIVATE_MARK = '-p';

/** The parts of an address of a private picture as it was requested. */
export interface RequestedAddress {
  key: string;
  end: string;
  signature: string;
}
