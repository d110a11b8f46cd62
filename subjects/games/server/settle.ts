import type { AreaDoc, FieldDoc, GameDoc, OptionDoc, ServerDoc } from '#subjects/games/contract/game-doc.ts';
import { isListed, NUMERIC_SLOTS } from '../rules/game-check.ts';

/**
 * How areas and servers of a document are identified. The editor and a roll-back use the number, so that two can swap names. A file may come
 * from another installation with other numbers: there the name decides, and the number only if the name is new.
 */
export type Identity = 'number' | 'name';

interface Named {
  id?: number | undefined;
  name: string;
  off?: true | undefined;
}

/** Matches each new item with its current one; each current item is matched at most once. */
function matched<T extends Named>(current: readonly T[], next: readonly T[], identity: Identity): Map<T, T> {
  const free = new Set(current);
  const pairs = new Map<T, T>();
  const pass = (is: (a: T, b: T) => boolean): void => {
    for (const item of next) {
      if (pairs.has(item)) continue;
      const found = [...free].find((c) => is(c, item));
      if (!found) continue;
      free.delete(found);
      pairs.set(item, found);
    }
  };
  const byNumber = (a: T, b: T): boolean => b.id !== undefined && a.id === b.id;
  const byName = (a: T, b: T): boolean => a.name === b.name;
  if (identity === 'name') pass(byName);
  pass(byNumber);
  if (identity === 'number') pass((a, b) => b.id === undefined && byName(a, b));
  return pairs;
}

/** The new items with the numbers of the current ones; missing ones are appended, disabled. `numbers` collects the changed numbers. */
function settled<T extends Named>(
  current: readonly T[],
  next: readonly T[],
  identity: Identity,
  merge: (before: T | undefined, item: T) => T,
  numbers: Map<number, number>,
): T[] {
  const pairs = matched(current, next, identity);
  const used = new Set(pairs.values());
  const settled = next.map((item) => {
    const before = pairs.get(item);
    if (before?.id !== undefined && item.id !== undefined) numbers.set(item.id, before.id);
    return merge(before, before ? { ...item, id: before.id } : item);
  });
  return [...settled, ...current.filter((c) => !used.has(c)).map((c): T => merge(c, { ...c, off: true }))];
}

function areasOf(current: readonly AreaDoc[], next: readonly AreaDoc[], identity: Identity): AreaDoc[] {
  const numbers = new Map<number, number>();
  const areas = settled(
    current,
    next,
    identity,
    (before, area): AreaDoc => ({
      ...area,
      servers: settled(before?.servers ?? [], area.servers, identity, (_, s: ServerDoc) => s, numbers),
    }),
    new Map(),
  );
  return areas.map((area) => ({
    ...area,
    servers: area.servers.map(({ mergedInto, ...server }) =>
      mergedInto === undefined ? server : { ...server, mergedInto: numbers.get(mergedInto) ?? mergedInto },
    ),
  }));
}

function optionsOf(before: readonly OptionDoc[], next: readonly OptionDoc[]): OptionDoc[] {
  const known = new Set(next.map(({ v }) => String(v)));
  // Listings store the value, so it keeps its type: '1' and 1 remain one option.
  const old = new Map(before.map((o) => [String(o.v), o.v]));
  return [
    ...next.map((o) => ({ ...o, v: old.get(String(o.v)) ?? o.v })),
    ...before.filter(({ v }) => !known.has(String(v))).map((o): OptionDoc => ({ ...o, retired: true })),
  ];
}

function mergedField(before: FieldDoc | undefined, field: FieldDoc): FieldDoc {
  if (!isListed(field.kind)) return field;
  const old = before && isListed(before.kind) ? (before.options ?? []) : [];
  return { ...field, options: optionsOf(old, field.options ?? []) };
}

/** Assigns each filterable number a column of the search table: its current one, otherwise a free one. A fifth gets none, which the check reports. */
function withSlots(fields: readonly FieldDoc[], current: readonly FieldDoc[]): FieldDoc[] {
  const takes = (f: FieldDoc): boolean => f.kind === 'range' && f.filterable && !f.retired;
  const before = new Map(current.flatMap((f) => (f.kind === 'range' && f.numericSlot ? [[f.key, f.numericSlot]] : [])));
  const slots = new Map<string, number>();
  const used = new Set<number>();
  const take = (field: FieldDoc, wanted: number | undefined): void => {
    if (wanted === undefined || slots.has(field.key) || used.has(wanted)) return;
    slots.set(field.key, wanted);
    used.add(wanted);
  };
  const all = Array.from({ length: NUMERIC_SLOTS }, (_, i) => i + 1);
  for (const f of fields) if (takes(f)) take(f, before.get(f.key));
  for (const f of fields) if (takes(f)) take(f, f.numericSlot);
  for (const f of fields)
    if (takes(f))
      take(
        f,
        all.find((slot) => !used.has(slot)),
      );
  // Retired fields keep their column until another field needs it, so that saved searches continue to work.
  for (const f of fields) if (f.retired && f.kind === 'range' && f.filterable) take(f, before.get(f.key));
  return fields.map(({ numericSlot: _slot, ...field }) => {
    const slot = slots.get(field.key);
    return slot === undefined ? field : { ...field, numericSlot: slot };
  });
}

/**
 * The document as it would be stored over the current one. Nothing that a listing may refer to is removed: missing areas and servers are
 * disabled, missing fields and options retired, at the end of their lists, so that the positions of the document's own items do not change. A
 * field keeps its column of the search table; a file contains no icon, so the uploaded one is kept. Pure.
 */
export function settledDoc(current: GameDoc | undefined, next: GameDoc, identity: Identity): GameDoc {
  const before = new Map((current?.fields ?? []).map((f) => [f.key, f]));
  const known = new Set(next.fields.map(({ key }) => key));
  const fields = [
    ...next.fields.map((f) => mergedField(before.get(f.key), f)),
    ...(current?.fields ?? []).filter(({ key }) => !known.has(key)).map((f): FieldDoc => ({ ...f, retired: true })),
  ];
  const { id: _id, ...rest } = next;
  return {
    ...rest,
    icon: identity === 'name' ? (current?.icon ?? null) : next.icon,
    areas: areasOf(current?.areas ?? [], next.areas, identity),
    fields: withSlots(fields, current?.fields ?? []),
  };
}
