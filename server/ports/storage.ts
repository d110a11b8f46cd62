import type { Readable } from 'node:stream';

/** A file that a browser is to send to the storage itself. */
export interface UploadRequest {
  key: string;
  maxBytes: number;
  mimeTypes: readonly string[];
  expiresAt: Date;
  /** Thrown away by the storage itself when nobody claims it. */
  temporary: boolean;
}

/** Where this server takes uploads when it is the storage itself. */
export const LOCAL_UPLOAD_PATH = '/upload/direct';

/** Where it goes, as a form: every one of `fields`, the file last. `token` is '' where the fields alone are the permission. */
export interface UploadTicket {
  uploadUrl: string;
  token: string;
  fields: Readonly<Record<string, string>>;
}

/** Immutable objects by key. */
export interface Storage {
  /** What answers behind the port; clients and the self-check are told. */
  readonly name: 'local' | 'qiniu' | 's3';
  put(key: string, body: Buffer, contentType: string): Promise<void>;
  /** undefined when there is no such object. */
  read(key: string): Promise<{ body: Readable; bytes: number } | undefined>;
  /** Of an object that is not there nothing is said. */
  remove(key: string): Promise<void>;
  /** Allows one upload past this server; key, size and type are fixed in what is signed. */
  ticket(request: UploadRequest): UploadTicket;
  /** Takes such an upload where the storage is this server itself; false when the token does not allow it or its key already holds something else. */
  receive?(upload: { token: string; key: string; type: string; body: Buffer }): Promise<boolean>;
  /** Removes what lies below a prefix since before a time, where the storage does not do so itself. Answers how many. */
  sweep?(prefix: string, before: Date): Promise<number>;
}
