/** How long copies are kept, and whether they are complete. */
import type { Archive } from './destination.ts';
import { listBases, type Manifest, readManifest } from './manifest.ts';
import { prunePictures } from './pictures.ts';
import { lsnOf } from './replication.ts';
import { sumOf } from './object-format.ts';
import { objectOf, SEGMENTS, segmentName, segmentOf, segmentStart, timelineOf } from './segments.ts';

/** The first WAL file that a base backup needs. */
export const firstSegment = ({ timeline, startLsn, segmentBytes }: Manifest): string =>
  segmentName(timeline, lsnOf(startLsn), segmentBytes);

/**
 * Removes all base backups except the newest `keep`, the log segments that only the removed ones needed, and pictures that no
 * remaining backup contains. Returns what was removed.
 */
export async function prune(
  archive: Archive,
  keep: number,
): Promise<{ bases: string[]; segments: number; pictures: number }> {
  const ids = await listBases(archive);
  const bases = ids.slice(0, Math.max(0, ids.length - keep));
  const manifests = await Promise.all(ids.slice(bases.length).map(async (id) => await readManifest(archive, id)));
  for (const id of bases) {
    const names = await archive.list(`base/${id}/`);
    // The manifest first: half a backup must not count as one.
    for (const name of names.toSorted((a, b) => Number(b.endsWith('/manifest')) - Number(a.endsWith('/manifest'))))
      await archive.remove(name);
  }
  const first = manifests.map(firstSegment).toSorted()[0];
  let segments = 0;
  for (const name of await archive.list(SEGMENTS)) {
    const stored = segmentOf(name);
    // Includes an older timeline: no kept backup begins there.
    if (!stored || first === undefined || stored.segment >= first) continue;
    await archive.remove(name);
    segments += 1;
  }
  const pictures =
    bases.length === 0 ? 0 : await prunePictures(archive, new Set(manifests.flatMap((one) => one.pictures)));
  return { bases, segments, pictures };
}

/** The WAL files in the archive from a base backup on, without a gap; the growing file is last. */
export async function loadChain(archive: Archive, base: Manifest): Promise<{ names: string[]; end: bigint }> {
  const stored = (await archive.list(SEGMENTS)).flatMap((name) => segmentOf(name) ?? []);
  const whole = new Set(stored.filter(({ isPartial }) => !isPartial).map(({ segment }) => segment));
  const partial = new Set(stored.filter(({ isPartial }) => isPartial).map(({ segment }) => segment));
  const names: string[] = [];
  let at = segmentStart(lsnOf(base.startLsn), base.segmentBytes);
  for (;;) {
    const segment = segmentName(base.timeline, at, base.segmentBytes);
    if (!whole.has(segment)) {
      if (partial.has(segment)) names.push(objectOf(segment, true));
      return { names, end: at };
    }
    names.push(objectOf(segment));
    at += BigInt(base.segmentBytes);
  }
}

/** Problems with the copies, as Chinese sentences; empty if all can be restored. Reads and opens every object. */
export async function verify(
  archive: Archive,
  onProgress: (text: string) => void = () => undefined,
): Promise<string[]> {
  const faults: string[] = [];
  const check = async (name: string, sha256?: string): Promise<void> => {
    try {
      const body = await archive.get(name);
      if (!body) faults.push(`缺少 ${name}`);
      else if (sha256 !== undefined && sumOf(body).toString('hex') !== sha256) faults.push(`${name} 与清单不符`);
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  };
  const ids = await listBases(archive);
  if (ids.length === 0) faults.push('没有基础备份');
  for (const id of ids) {
    onProgress(`检查 ${id}`);
    let manifest: Manifest;
    try {
      manifest = await readManifest(archive, id);
    } catch (error) {
      faults.push(String(error));
      continue;
    }
    for (const { name, sha256 } of [...manifest.parts, manifest.files]) await check(name, sha256);
    for (const key of manifest.pictures) if (!(await archive.has(`pictures/${key}`))) faults.push(`缺少图片 ${key}`);
  }
  const segments = (await archive.list(SEGMENTS)).flatMap((name) => segmentOf(name) ?? []);
  onProgress(`检查 ${segments.length} 个日志文件`);
  for (const { segment, isPartial } of segments) await check(objectOf(segment, isPartial));
  for (const id of ids.slice(0, 1)) faults.push(...(await gaps(archive, await readManifest(archive, id))));
  return faults;
}

/** Files of the log that are missing between others. */
async function gaps(archive: Archive, base: Manifest): Promise<string[]> {
  const { names } = await loadChain(archive, base);
  const mine = (await archive.list(SEGMENTS)).filter((name) => {
    const stored = segmentOf(name);
    return (
      stored !== undefined &&
      timelineOf(stored.segment) === timelineOf(firstSegment(base)) &&
      stored.segment >= firstSegment(base)
    );
  });
  const reached = new Set(names);
  const lost = mine.filter((name) => !reached.has(name));
  return lost.length === 0
    ? []
    : [`日志在 ${names.at(-1) ?? firstSegment(base)} 之后缺了一段，${lost[0] ?? ''} 起用不上`];
}
