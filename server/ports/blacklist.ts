/** A blacklist that somebody else keeps (product.md 7). */
export interface Blacklist {
  readonly name: string;
  /** How many entries name this number. Throws when the service does not answer. */
  check(content: string): Promise<number>;
}
