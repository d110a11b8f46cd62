/** The meaning of a vendor's error code for a refund or a payout. */
export interface VendorCode {
  /** No money moved or will move under this number. Any other code, including unknown ones, leaves the request pending. */
  isFinal: boolean;
  /** The meaning, for finance. */
  text: string;
}

/** Codes with their meanings; a name ending in '*' matches every code with that prefix. */
export type VendorCodes = Readonly<Record<string, VendorCode>>;

export const final = (text: string): VendorCode => ({ isFinal: true, text });
export const open = (text: string): VendorCode => ({ isFinal: false, text });

/** The meaning of a code; undefined for an unknown one. */
export function meaningOf(codes: VendorCodes, code: string): VendorCode | undefined {
  if (Object.hasOwn(codes, code)) return codes[code];
  const family = Object.keys(codes).find((name) => name.endsWith('*') && code.startsWith(name.slice(0, -1)));
  return family === undefined ? undefined : codes[family];
}

/** The state of a request that a vendor answered with an error code. */
export const stateOfCode = (codes: VendorCodes, code: string): 'failed' | 'pending' =>
  meaningOf(codes, code)?.isFinal === true ? 'failed' : 'pending';
