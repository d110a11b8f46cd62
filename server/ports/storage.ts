import type { Readable } from 'node:stream';

/** Immutable objects by key. */
export interface Storage {
  /** What answers behind the port, for the self-check. */
  readonly name?: string;
  put(key: string, body: Buffer, contentType: string): Promise<void>;
  /** undefined when there is no such object. */
  read(key: string): Promise<{ body: Readable; bytes: number } | undefined>;
}
