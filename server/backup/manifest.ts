/** The description of a base backup. It is written last: without it there is no backup. */
import { z } from 'zod';
import type { Archive } from './destination.ts';

const part = z.object({ name: z.string(), bytes: z.number().int(), sha256: z.string() });

const manifest = z.object({
  id: z.string(),
  systemId: z.string(),
  timeline: z.number().int(),
  version: z.number().int(),
  segmentBytes: z.number().int(),
  startedAt: z.string(),
  /** From this moment on, any later moment can be restored. */
  endedAt: z.string(),
  /** Positions of the log that the copy itself contains, `16/B374D848`. */
  startLsn: z.string(),
  endLsn: z.string(),
  /** Version of the program that made it. */
  release: z.string(),
  /** The tar stream, cut. */
  parts: z.array(part),
  /** PostgreSQL's own list of the files, with their sums. */
  files: part,
  /** Keys of the pictures at that time. */
  pictures: z.array(z.string()),
});
export type Manifest = z.output<typeof manifest>;
export type Part = z.output<typeof part>;

const FOLDER = 'base/';
const manifestName = (id: string): string => `${FOLDER}${id}/manifest`;

/** Writes the manifest, which makes the backup count. */
export async function writeManifest(archive: Archive, value: Manifest): Promise<void> {
  await archive.put(manifestName(value.id), Buffer.from(JSON.stringify(value)));
}

/** Ids of the complete base backups, oldest first. */
export async function listBases(archive: Archive): Promise<string[]> {
  const names = await archive.list(FOLDER);
  return names.flatMap((name) => /^base\/([^/]+)\/manifest$/.exec(name)?.[1] ?? []).toSorted();
}

/** Reads a manifest. @throws Error when there is none or it is damaged */
export async function readManifest(archive: Archive, id: string): Promise<Manifest> {
  const body = await archive.get(manifestName(id));
  if (!body) throw new Error(`没有备份 ${id}`);
  return manifest.parse(JSON.parse(body.toString()));
}

/** The newest base backup completed by a moment; the newest of all without a moment. @throws Error when there is none */
export async function baseFor(archive: Archive, to: Date | undefined): Promise<Manifest> {
  const ids = (await listBases(archive)).toReversed();
  if (ids.length === 0) throw new Error(`${archive.name} 里没有备份`);
  for (const id of ids) {
    const found = await readManifest(archive, id);
    if (to === undefined || new Date(found.endedAt) <= to) return found;
  }
  const oldest = await readManifest(archive, ids.at(-1) ?? '');
  throw new Error(`最早的备份 ${oldest.id} 到 ${oldest.endedAt} 才完成，不能恢复到更早的时间`);
}
