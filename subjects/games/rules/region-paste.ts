import type { AreaDoc } from '#subjects/games/contract/game-doc.ts';

const AFTER_AREA = /[：:\t,，|]/;
const BETWEEN = /[、,，;；|\s]/;

export interface Pasted {
  areas: AreaDoc[];
  addedAreas: number;
  addedServers: number;
  /** Names that already existed. */
  known: number;
}

/**
 * Adds pasted areas and servers to the existing ones, by name. A line is an area, `area：server、server`, or a table row `area,server`; with
 * `into` (a position) every line contains servers of that area. Existing names are unchanged. Pure.
 */
export function pasteRegions(areas: readonly AreaDoc[], text: string, into?: number): Pasted {
  const next = areas.map((a) => ({ ...a, servers: [...a.servers] }));
  const counts = { addedAreas: 0, addedServers: 0, known: 0 };
  const areaOf = (name: string): AreaDoc => {
    const found = next.find((a) => a.name === name);
    if (found) return found;
    const fresh: AreaDoc = { name, servers: [] };
    next.push(fresh as (typeof next)[number]);
    counts.addedAreas += 1;
    return fresh;
  };
  const addServers = (area: AreaDoc, names: readonly string[]): void => {
    for (const name of names) {
      if (area.servers.some((s) => s.name === name)) counts.known += 1;
      else {
        area.servers.push({ name });
        counts.addedServers += 1;
      }
    }
  };
  const clean = (part: string): string => part.normalize('NFC').trim();
  const split = (part: string): string[] =>
    part
      .split(BETWEEN)
      .map(clean)
      .filter((s) => s !== '');
  for (const line of text.split(/\r?\n/).map(clean)) {
    if (line === '') continue;
    const target = into === undefined ? undefined : next[into];
    if (target) {
      addServers(target, split(line));
      continue;
    }
    const at = line.search(AFTER_AREA);
    const name = clean(at < 0 ? line : line.slice(0, at));
    if (name === '') continue;
    const had = next.some((a) => a.name === name);
    const servers = at < 0 ? [] : split(line.slice(at + 1));
    addServers(areaOf(name), servers);
    if (had && servers.length === 0) counts.known += 1;
  }
  return { areas: next, ...counts };
}
