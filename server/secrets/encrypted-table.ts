/**
 * The declaration by which a subject lists the encrypted columns of a table, so that a key rotation can encrypt their values
 * again.
 */
import type { Trx } from '#server/db/client.ts';

/** The rows that a rotation processes next. */
export interface KeyPage {
  /** Number of the key that values are to be encrypted with. */
  readonly keyId: number;
  /** Rows after this one; undefined at the beginning. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** One encrypted value of a row, bound to its location; null if there is none. */
export interface EncryptedValue {
  readonly location: string;
  readonly value: Buffer | null;
}

export interface EncryptedRow {
  /** The row's primary key as text. */
  readonly key: string;
  readonly values: readonly EncryptedValue[];
}

export interface EncryptedTable {
  readonly name: string;
  /** The encrypted columns, in the order of a row's values. */
  readonly columns: readonly string[];
  /** Locks and returns rows with a value under another key, in key order. */
  read(trx: Trx, page: KeyPage): Promise<EncryptedRow[]>;
  /** Replaces a row's values, in the same transaction. */
  write(trx: Trx, key: string, values: readonly (Buffer | null)[]): Promise<void>;
}
