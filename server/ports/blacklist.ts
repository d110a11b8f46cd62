/** An external blacklist (product.md 7). */
export interface Blacklist {
  readonly name: string;
  /** Number of entries for this account number. Throws when the service does not respond. */
  check(content: string): Promise<number>;
}
