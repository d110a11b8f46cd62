import {
  type AreaSeed,
  type FieldSeed,
  GOODS_TYPE_NAMES,
  type GameSeed,
  type GoodsTypeId,
  type OptionSeed,
} from './types.ts';

/** A field before its place in the list is known. */
export type FieldDraft = Omit<FieldSeed, 'sort'>;

interface FieldOptions {
  required?: boolean;
  /** Shown as a chip. */
  card?: boolean;
  /** false takes the field out of the filters. */
  filter?: boolean;
  on?: GoodsTypeId[];
  help?: string;
  aliases?: string[];
}

interface RangeOptions extends FieldOptions {
  min?: number;
  max: number;
  typical: [low: number, high: number];
  unit?: string;
  /** Column n1 to n4 of the search table; a range without one is not filterable. */
  slot?: 1 | 2 | 3 | 4;
}

const ACCOUNTS: GoodsTypeId[] = [1, 50];

/**
 * Options from labels, valued 1, 2, 3 … in order; 'label|other|words' gives aliases.
 * The values are stored in goods, so a list is only ever appended to.
 */
export function opts(...labels: string[]): OptionSeed[] {
  return labels.map((text, i) => {
    const [label = '', ...aliases] = text.split('|');
    return aliases.length > 0 ? { v: i + 1, label, aliases } : { v: i + 1, label };
  });
}

function draft(key: string, label: string, kind: FieldSeed['kind'], o: FieldOptions): FieldDraft {
  const field: FieldDraft = {
    key,
    label,
    kind,
    required: o.required ?? false,
    inCard: o.card ?? false,
    filterable: o.filter ?? true,
    goodsTypes: o.on ?? ACCOUNTS,
  };
  if (o.help !== undefined) field.help = o.help;
  if (o.aliases !== undefined) field.aliases = o.aliases;
  return field;
}

/** One of a list. */
export function single(key: string, label: string, options: OptionSeed[], o: FieldOptions = {}): FieldDraft {
  return { ...draft(key, label, 'single', o), options };
}

/** Several of a list; the filter offers all, any and at least N. */
export function multi(key: string, label: string, options: OptionSeed[], o: FieldOptions = {}): FieldDraft {
  const field: FieldDraft = { ...draft(key, label, 'multi', o), options };
  if (field.filterable) field.multiModes = true;
  return field;
}

/** Several of a list, each with a count up to `max` (such as servants × noble phantasm level). */
export function itemCount(
  key: string,
  label: string,
  options: OptionSeed[],
  o: FieldOptions & { max: number; unit?: string },
): FieldDraft {
  const field: FieldDraft = { ...draft(key, label, 'item_count', o), options, min: 1, max: o.max };
  if (field.filterable) field.multiModes = true;
  if (o.unit !== undefined) field.unit = o.unit;
  return field;
}

/** A whole number. */
export function range(key: string, label: string, o: RangeOptions): FieldDraft {
  const field: FieldDraft = { ...draft(key, label, 'range', o), min: o.min ?? 0, max: o.max, typical: o.typical };
  field.filterable = o.slot !== undefined;
  if (o.slot !== undefined) field.numericSlot = o.slot;
  if (o.unit !== undefined) field.unit = o.unit;
  return field;
}

/** Yes or no. */
export function bool(key: string, label: string, o: FieldOptions = {}): FieldDraft {
  return draft(key, label, 'bool', o);
}

/** Free text; never filterable. */
export function text(key: string, label: string, o: FieldOptions = {}): FieldDraft {
  return { ...draft(key, label, 'text', o), filterable: false };
}

/** Assigns each field its sort position, in steps of ten so that staff can insert others. */
export function inOrder(...drafts: FieldDraft[]): FieldSeed[] {
  return drafts.map((field, i) => ({ ...field, sort: (i + 1) * 10 }));
}

/**
 * Areas of a game with their servers. Ids come from the place in the list (area gameId × 1000 + n,
 * server gameId × 100000 + area n × 1000 + m), so areas and servers are only ever appended.
 */
export function areas(
  gameId: number,
  list: readonly (readonly [name: string, servers?: readonly string[]])[],
): AreaSeed[] {
  return list.map(([name, servers = []], a) => ({
    id: gameId * 1000 + a + 1,
    name,
    servers: servers.map((server, s) => ({ id: gameId * 100_000 + (a + 1) * 1000 + s + 1, name: server })),
  }));
}

/** 'x1区' to 'xN区' and the like. */
export function numbered(prefix: string, from: number, to: number, suffix = '区'): string[] {
  return Array.from({ length: to - from + 1 }, (_, i) => `${prefix}${from + i}${suffix}`);
}

/** Goods types with their names. */
export function goodsTypes(...ids: GoodsTypeId[]): GameSeed['goodsTypes'] {
  return ids.map((id) => ({ id, name: GOODS_TYPE_NAMES[id] }));
}
