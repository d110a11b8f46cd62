import { crc32, inflateRawSync } from 'node:zlib';

/** An archive has more files, or unpacks to more bytes, than the caller allows. */
export class ArchiveTooLarge extends RangeError {
  override name = 'ArchiveTooLarge';
  readonly of: 'files' | 'bytes';
  constructor(of: 'files' | 'bytes') {
    super(of === 'files' ? 'too many files' : 'too large');
    this.of = of;
  }
}

/** A file of an archive needs a password. */
export class ArchiveEncrypted extends Error {
  override name = 'ArchiveEncrypted';
}

interface UnzipLimits {
  /** Number of entries in the archive, including unused ones. */
  files: number;
  /** Total unpacked size of the files that are read. */
  bytes: number;
}

/** A ZIP archive that is open for reading. */
export interface Archive {
  /** Names of its files in the order of its directory, without folders. */
  readonly names: readonly string[];
  /** Unpacks one file. Throws ArchiveTooLarge, ArchiveEncrypted; an Error for a file that is missing or damaged. */
  read(name: string): Buffer;
}

interface Entry {
  name: string;
  flags: number;
  method: number;
  crc: number;
  packedBytes: number;
  bytes: number;
  offset: number;
}

const END = 0x06054b50;
const END_BYTES = 22;
const WIDE_END = 0x06064b50;
const WIDE_LOCATOR = 0x07064b50;
const WIDE_LOCATOR_BYTES = 20;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
/** The value of a 32-bit field whose real value is in the field of 64 bits. */
const IN_WIDE_FIELD = 0xffffffff;
const WIDE_FIELD = 1;
const ENCRYPTED = 1;

const broken = (): RangeError => new RangeError('incomplete archive');

/** Number of entries and location of the directory, from the record at the end of the archive. */
function directoryPlace(bytes: Buffer): { count: number; size: number; offset: number; end: number } {
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(END);
  const end = bytes.lastIndexOf(signature);
  if (end < 0 || end + END_BYTES > bytes.length) throw broken();
  const place = {
    count: bytes.readUInt16LE(end + 10),
    size: bytes.readUInt32LE(end + 12),
    offset: bytes.readUInt32LE(end + 16),
    end,
  };
  const locator = end - WIDE_LOCATOR_BYTES;
  if (locator < 0 || bytes.readUInt32LE(locator) !== WIDE_LOCATOR) return place;
  const wide = Number(bytes.readBigUInt64LE(locator + 8));
  if (wide + 56 > bytes.length || bytes.readUInt32LE(wide) !== WIDE_END) return place;
  return {
    count: Number(bytes.readBigUInt64LE(wide + 32)),
    size: Number(bytes.readBigUInt64LE(wide + 40)),
    offset: Number(bytes.readBigUInt64LE(wide + 48)),
    end: wide,
  };
}

function nameOf(raw: Buffer): string {
  const text = raw.toString('utf8');
  return text.includes('\ufffd') ? raw.toString('latin1') : text;
}

/** Replaces the fields of an entry that are stored only in its 64-bit field. */
function widen(entry: Entry, extra: Buffer): Entry {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === WIDE_FIELD) {
      let from = at + 4;
      for (const key of ['bytes', 'packedBytes', 'offset'] as const) {
        if (entry[key] !== IN_WIDE_FIELD || from + 8 > extra.length) continue;
        entry[key] = Number(extra.readBigUInt64LE(from));
        from += 8;
      }
    }
    at += 4 + length;
  }
  return entry;
}

function entriesOf(bytes: Buffer, maxFiles: number): { entries: Entry[]; start: number } {
  const { count, size, offset, end } = directoryPlace(bytes);
  if (count > maxFiles) throw new ArchiveTooLarge('files');
  if (count === 0) throw broken();
  // Bytes before the archive, as in a self-extracting file, shift every address.
  const start = Math.max(end - size - offset, 0);
  const entries: Entry[] = [];
  let at = offset + start;
  for (let i = 0; i < count; i++) {
    if (at + ENTRY_BYTES > bytes.length || bytes.readUInt32LE(at) !== ENTRY) throw broken();
    const nameBytes = bytes.readUInt16LE(at + 28);
    const extraBytes = bytes.readUInt16LE(at + 30);
    const name = bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    const extra = bytes.subarray(at + ENTRY_BYTES + nameBytes, at + ENTRY_BYTES + nameBytes + extraBytes);
    entries.push(
      widen(
        {
          name: nameOf(name),
          flags: bytes.readUInt16LE(at + 8),
          method: bytes.readUInt16LE(at + 10),
          crc: bytes.readUInt32LE(at + 16),
          packedBytes: bytes.readUInt32LE(at + 20),
          bytes: bytes.readUInt32LE(at + 24),
          offset: bytes.readUInt32LE(at + 42),
        },
        extra,
      ),
    );
    at += ENTRY_BYTES + nameBytes + extraBytes + bytes.readUInt16LE(at + 32);
  }
  return { entries, start };
}

/** Inflates a file to at most `most` bytes; zlib does not accept 0 as its limit. */
function inflated(packed: Uint8Array, most: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(most, 1) });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw new ArchiveTooLarge('bytes');
    throw error;
  }
}

/**
 * Opens a small ZIP archive (APPNOTE 6.3: stored or deflated, also with 64-bit fields). Files are located by the directory at its end, so sizes
 * may follow the data, and zlib stops at the limit whatever size the archive states. Throws an Error for an archive that is broken,
 * ArchiveTooLarge for one beyond the limits.
 */
export function openArchive(archive: Uint8Array, limits: UnzipLimits): Archive {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const { entries, start } = entriesOf(bytes, limits.files);
  const files = new Map(entries.filter(({ name }) => !/[/\\]$/.test(name)).map((entry) => [entry.name, entry]));
  let left = limits.bytes;
  const read = (name: string): Buffer => {
    const entry = files.get(name);
    if (!entry) throw new RangeError('no such file');
    const at = entry.offset + start;
    if (at + LOCAL_BYTES > bytes.length || bytes.readUInt32LE(at) !== LOCAL) throw broken();
    if (entry.flags & ENCRYPTED) throw new ArchiveEncrypted();
    const from = at + LOCAL_BYTES + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    if (from + entry.packedBytes > bytes.length) throw broken();
    const packed = bytes.subarray(from, from + entry.packedBytes);
    if (entry.method !== 0 && entry.method !== 8) throw new RangeError('unsupported compression');
    const body = entry.method === 0 ? packed : inflated(packed, left);
    if (body.length > left) throw new ArchiveTooLarge('bytes');
    if (body.length !== entry.bytes || crc32(body) !== entry.crc) throw broken();
    left -= body.length;
    return body;
  };
  return { names: [...files.keys()], read };
}
