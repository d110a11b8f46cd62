/** Takes a base backup: the cluster as one tar stream, cut into sealed parts, and the pictures. */
import type { Archive } from './destination.ts';
import { type Manifest, type Part, writeManifest } from './manifest.ts';
import { Replication, type Wire } from './replication.ts';
import { sumOf } from './object-format.ts';

const PART_BYTES = 32 * 1024 * 1024;
/** Waiting parts after which the stream pauses. */
const QUEUE = 2;

const [NEW_ARCHIVE, MANIFEST, DATA, PROGRESS] = ['n', 'm', 'd', 'p'].map((letter) => letter.charCodeAt(0));

/** Cuts the stream into parts and writes them in order; the stream pauses while two wait. */
class PartWriter {
  readonly parts: Part[] = [];
  bytes = 0;
  readonly #archive: Archive;
  readonly #folder: string;
  #pieces: Buffer[] = [];
  #size = 0;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();
  #failure: Error | undefined;

  constructor(archive: Archive, folder: string) {
    this.#archive = archive;
    this.#folder = folder;
  }

  add(piece: Buffer, wire: Wire): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size < PART_BYTES) return;
    this.#write(wire);
  }

  #write(wire?: Wire): void {
    const body = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    this.bytes += body.length;
    const name = `${this.#folder}/part-${String(this.parts.length + 1).padStart(5, '0')}`;
    this.parts.push({ name, bytes: body.length, sha256: sumOf(body).toString('hex') });
    this.#waiting += 1;
    if (this.#waiting >= QUEUE) wire?.stream.pause();
    this.#last = this.#last
      .then(async () => await this.#archive.put(name, body))
      .catch((error: unknown) => {
        this.#failure ??= error as Error;
      })
      .finally(() => {
        this.#waiting -= 1;
        wire?.stream.resume();
      });
  }

  /** Writes the rest. Throws the first write error. */
  async end(): Promise<void> {
    if (this.#size > 0) this.#write();
    await this.#last;
    if (this.#failure !== undefined) throw this.#failure;
  }
}

interface PgManifest {
  Files: { Path: string; Size: number; Checksum: string }[];
  'WAL-Ranges': { Timeline: number; 'Start-LSN': string; 'End-LSN': string }[];
}

/** Reads PostgreSQL's own manifest; paths in our clusters are always UTF-8. */
export const parsePgManifest = (body: Buffer): PgManifest => JSON.parse(body.toString()) as PgManifest;

/** `2026-11-23T10:15:00.123Z` → `20261123T101500Z` */
const idOf = (at: Date): string => at.toISOString().replace(/[-:]|\.\d{3}/g, '');

/** A destination belongs to one cluster, since log files of two clusters have the same names. @throws Error when it belongs to another one */
export async function claimPlace(archive: Archive, systemId: string): Promise<void> {
  const name = 'cluster';
  const owner = (await archive.get(name))?.toString();
  if (owner === undefined) await archive.put(name, Buffer.from(systemId));
  else if (owner !== systemId)
    throw new Error(`${archive.name} 里是另一个数据库的备份（${owner}），请用 BACKUP_TO 另选位置`);
}

/**
 * Copies the running cluster behind `sourceUrl` into the archive, with the keys of the pictures that are there already. Returns its
 * manifest and the size of the copy in bytes before compression. @throws Error in Chinese
 */
export async function takeBase(options: {
  archive: Archive;
  sourceUrl: string;
  pictures: string[];
  release: string;
}): Promise<{ manifest: Manifest; bytes: number }> {
  const { archive, sourceUrl, pictures, release } = options;
  const connection = await Replication.connect(sourceUrl);
  try {
    const system = await connection.system();
    await claimPlace(archive, system.systemId);
    const startedAt = new Date();
    const id = idOf(startedAt);
    const folder = `base/${id}`;
    const writer = new PartWriter(archive, folder);
    const list: Buffer[] = [];
    let archives = 0;
    let isManifest = false;
    await connection.baseBackup(`youshi ${id}`, (chunk, wire) => {
      const [kind] = chunk;
      if (kind === NEW_ARCHIVE) archives += 1;
      else if (kind === MANIFEST) isManifest = true;
      else if (kind === DATA && isManifest) list.push(chunk.subarray(1));
      else if (kind === DATA) writer.add(chunk.subarray(1), wire);
      else if (kind !== PROGRESS) throw new Error('无法识别的备份数据');
    });
    await writer.end();
    if (archives !== 1) throw new Error('数据库用了额外的表空间，这里不支持：请用 pg_basebackup 备份');
    const filesBody = Buffer.concat(list);
    const [range] = parsePgManifest(filesBody)['WAL-Ranges'];
    if (!range) throw new Error('备份没有日志范围');
    const files: Part = { name: `${folder}/files`, bytes: filesBody.length, sha256: sumOf(filesBody).toString('hex') };
    await archive.put(files.name, filesBody);
    const manifest: Manifest = {
      id,
      ...system,
      startedAt: startedAt.toISOString(),
      endedAt: new Date().toISOString(),
      startLsn: range['Start-LSN'],
      endLsn: range['End-LSN'],
      release,
      parts: writer.parts,
      files,
      pictures,
    };
    await writeManifest(archive, manifest);
    return { manifest, bytes: writer.bytes };
  } finally {
    await connection.close();
  }
}
