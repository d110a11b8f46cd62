import type { Readable } from 'node:stream';

/** A file that a browser may upload directly to the storage. */
export interface UploadRequest {
  key: string;
  maxBytes: number;
  mimeTypes: readonly string[];
  expiresAt: Date;
  /** Deleted by the storage itself when it is not claimed. */
  temporary: boolean;
}

/** Upload URL if this server is the storage. */
export const LOCAL_UPLOAD_PATH = '/upload/direct';

/** Where to upload, as a form with all of `fields` and the file last. `token` is '' if the fields themselves grant permission. */
export interface UploadTicket {
  uploadUrl: string;
  token: string;
  fields: Readonly<Record<string, string>>;
}

/** Immutable objects by key. */
export interface Storage {
  /** Name of the adapter, for clients and the self-check. */
  readonly name: 'local' | 'qiniu' | 's3';
  put(key: string, body: Buffer, contentType: string): Promise<void>;
  /** undefined when there is no such object. */
  read(key: string): Promise<{ body: Readable; bytes: number } | undefined>;
  /** Deleting a missing object is not an error. */
  remove(key: string): Promise<void>;
  /** Permits one upload that bypasses this server; key, size and type are fixed by the signature. */
  ticket(request: UploadRequest): UploadTicket;
  /**
   * Receives such an upload if this server is the storage; false when the token does not permit it or the key already holds other
   * content.
   */
  receive?(upload: { token: string; key: string; type: string; body: Buffer }): Promise<boolean>;
  /** Deletes objects below a prefix that are older than a time, if the storage does not do so itself. Returns their number. */
  sweep?(prefix: string, before: Date): Promise<number>;
}
