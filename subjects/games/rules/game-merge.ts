import type { AreaDoc, FieldDoc, GameDoc } from '#subjects/games/contract/game-doc.ts';
import { type GamePart, isSame } from './game-diff.ts';

/** The section of the editor that contains each part of a document. */
export const partOfKey: Readonly<Record<keyof GameDoc, GamePart>> = {
  id: 'base',
  code: 'base',
  name: 'base',
  aliases: 'aliases',
  gameType: 'base',
  initial: 'aliases',
  pinyin: 'aliases',
  initials: 'aliases',
  glyph: 'base',
  hue: 'base',
  scene: 'base',
  icon: 'base',
  hot: 'base',
  coinUnit: 'coin',
  coinRatio: 'coin',
  defaultType: 'types',
  goodsTypes: 'types',
  areas: 'areas',
  fields: 'fields',
  handover: 'handover',
};

interface Merged<T> {
  list: T[];
  isClash: boolean;
}

/** Merges lists of named items. Changes made by one side are applied; when both sides changed an item, `mine` wins. */
function mergeLists<T>(
  base: readonly T[],
  mine: readonly T[],
  theirs: readonly T[],
  key: (item: T) => string,
): Merged<T> {
  const was = new Map(base.map((item) => [key(item), item]));
  const other = new Map(theirs.map((item) => [key(item), item]));
  const own = new Set(mine.map(key));
  let isClash = false;
  const merged = mine.flatMap((item) => {
    const k = key(item);
    const [before, now] = [was.get(k), other.get(k)];
    if (before && isSame(before, item)) return now ? [now] : [];
    if (!isSame(now, before) && !isSame(now, item)) isClash = true;
    return [item];
  });
  const added = theirs.filter((item) => {
    const k = key(item);
    if (own.has(k)) return false;
    const before = was.get(k);
    if (before && !isSame(before, item)) isClash = true;
    return before === undefined;
  });
  return { list: [...merged, ...added], isClash };
}

const fieldKey = (f: FieldDoc): string => f.key;
const areaKey = (a: AreaDoc): string => a.name;

/**
 * Merges the documents of two editors that began from the same base. Changes made by one editor are applied; when both changed a part, `mine`
 * wins and `clashes` lists the part. Fields are merged by key, areas by name. Pure.
 */
export function mergeGames(base: GameDoc, mine: GameDoc, theirs: GameDoc): { doc: GameDoc; clashes: GamePart[] } {
  const clashes = new Set<GamePart>();
  const doc = { ...mine } as Record<string, unknown>;
  for (const name of Object.keys(partOfKey) as (keyof GameDoc)[]) {
    const [was, own, other] = [base[name], mine[name], theirs[name]];
    if (isSame(own, other) || isSame(was, other)) continue;
    if (isSame(was, own)) {
      doc[name] = other;
      continue;
    }
    let isClash = true;
    if (name === 'fields' || name === 'areas') {
      const merged =
        name === 'fields'
          ? mergeLists(base.fields, mine.fields, theirs.fields, fieldKey)
          : mergeLists(base.areas, mine.areas, theirs.areas, areaKey);
      doc[name] = merged.list;
      isClash = merged.isClash;
    }
    if (isClash) clashes.add(partOfKey[name]);
  }
  return { doc: doc as unknown as GameDoc, clashes: [...clashes] };
}
