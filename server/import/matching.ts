import { COLUMN_FIELDS, GOODS_TYPE_ALIASES, NO_TERMS, YES_TERMS } from '#db/catalogue/aliases.ts';
import type { Field } from '#subjects/games/contract/games.ts';
import type { Game } from '#subjects/games/server/service.ts';
import { scaledNumber } from './numbers.ts';
import { normalizeCell } from './text.ts';

/** A field as stored in the catalogue, with the aliases that stock lists use, which the API does not return. */
export type ListedField = Omit<Field, 'options'> & {
  aliases?: readonly string[] | undefined;
  options?: readonly { v: string | number; label: string; aliases?: readonly string[] | undefined }[] | undefined;
};

const TYPES_BY_NAME = new Map(Object.entries(GOODS_TYPE_ALIASES).map(([name, id]) => [normalizeCell(name), id]));
const YES = new Set(YES_TERMS.map(normalizeCell));
const NO = new Set(NO_TERMS.map(normalizeCell));

const isOneOf = (normal: string, names: readonly string[]): boolean =>
  names.some((name) => normalizeCell(name) === normal);

/** The game in a cell, by name, code or alias; undefined if it is unknown. */
export function findGame(games: readonly Game[], cell: string): Game | undefined {
  const normal = normalizeCell(cell);
  if (normal === '') return undefined;
  return games.find((g) => normalizeCell(g.name) === normal || isOneOf(normal, [g.code, ...g.aliases]));
}

export interface Region {
  areaId: number | null;
  serverId: number | null;
  area: string;
  server: string;
  /** How the cell was interpreted if it does not name area and server as the catalogue does; otherwise null. Shown to the seller. */
  deviation: string | null;
}

const NO_REGION: Region = { areaId: null, serverId: null, area: '', server: '', deviation: null };

/** The region of a cell such as '跨一/广东1区', '安卓QQ' or a server name that only one area has; undefined when there is none. */
export function findRegion(game: Game, cell: string): Region | undefined {
  const [first = '', second = ''] = cell.split(/[/／>|｜]/).map(normalizeCell);
  if (first === '') return game.areas.length === 0 ? NO_REGION : undefined;
  const area = game.areas.find((a) => normalizeCell(a.name) === first);
  if (area) {
    const server = second === '' ? undefined : area.servers.find((s) => normalizeCell(s.name) === second);
    if (second !== '' && !server) return undefined;
    return {
      areaId: area.id,
      serverId: server?.id ?? null,
      area: area.name,
      server: server?.name ?? '',
      deviation: null,
    };
  }
  if (second !== '') return undefined;
  const servers = game.areas.flatMap((a) =>
    a.servers.filter((s) => normalizeCell(s.name) === first).map((s) => ({ a, s })),
  );
  const only = servers.length === 1 ? servers[0] : undefined;
  return only
    ? { areaId: only.a.id, serverId: only.s.id, area: only.a.name, server: only.s.name, deviation: '只写了服务器' }
    : undefined;
}

/** The goods type in a cell: a name, a number or a trade term; undefined if it is unknown. */
export function findGoodsType(cell: string): number | undefined {
  return TYPES_BY_NAME.get(normalizeCell(cell));
}

/** Yes, no, or undefined for any other text. */
export function readYesNo(cell: string): boolean | undefined {
  const normal = normalizeCell(cell);
  if (YES.has(normal)) return true;
  return NO.has(normal) ? false : undefined;
}

/** The field named by a label of the attributes cell: by label, alias or key. */
export function findField(fields: readonly ListedField[], label: string): ListedField | undefined {
  const normal = normalizeCell(label);
  const column = COLUMN_FIELDS[label.trim()];
  return (
    fields.find((f) => normalizeCell(f.label) === normal) ??
    fields.find((f) => isOneOf(normal, f.aliases ?? []) || normalizeCell(f.key) === normal || f.key === column)
  );
}

export type ValueReading = { value: unknown; deviation: string | null } | { error: string };

/** A longer cell is not a number. */
const MAX_NUMBER_CHARS = 40;
const UNIT_NAMES: Readonly<Record<string, string>> = { w: '万', k: '千' };
const UNITS = /(?<![+个件枚张次级款条])[+个件枚张次级款条]+$/;
const COUNTED = /^(.+)[x×*]\s*(\d{1,9})$/i;
const SEPARATORS = /[、,，|/]/;

function readNumber(field: ListedField, cell: string): ValueReading {
  if (cell.length > MAX_NUMBER_CHARS) return { error: `${field.label}不是数字` };
  const normal = normalizeCell(cell).replace(/\s/g, '');
  const unit = field.unit?.toLowerCase() ?? '';
  const bare = unit !== '' && normal.endsWith(unit) ? normal.slice(0, -unit.length) : normal.replace(UNITS, '');
  // Listings store whole numbers, so the remaining decimals of '1.23456万' are lost.
  const read = scaledNumber(bare, 0);
  if (!read) return { error: `${field.label}不是数字` };
  const shown = UNIT_NAMES[read.unit] ?? read.unit;
  if (read.isCut) return { value: read.value, deviation: '去掉小数部分' };
  return { value: read.value, deviation: shown === '' ? null : `以${shown}为单位的数字` };
}

function optionValue(field: ListedField, cell: string): string | number | undefined {
  const normal = normalizeCell(cell);
  return (
    field.options?.find((o) => normalizeCell(o.label) === normal) ??
    field.options?.find((o) => isOneOf(normal, o.aliases ?? []))
  )?.v;
}

/** A value of the attributes cell in the form stored with goods; an error message if it is invalid. */
export function readValue(field: ListedField, cell: string): ValueReading {
  switch (field.kind) {
    case 'range':
      return readNumber(field, cell);
    case 'bool': {
      const yes = readYesNo(cell);
      return yes === undefined ? { error: `${field.label}应写“是”或“否”` } : { value: yes, deviation: null };
    }
    case 'single': {
      const v = optionValue(field, cell);
      return v === undefined ? { error: `${field.label}没有这个选项` } : { value: v, deviation: null };
    }
    case 'multi': {
      const values = cell
        .split(SEPARATORS)
        .filter((w) => w.trim() !== '')
        .map((w) => optionValue(field, w));
      return values.some((v) => v === undefined)
        ? { error: `${field.label}有不认识的选项` }
        : { value: values, deviation: null };
    }
    case 'item_count': {
      const pairs = cell.split(SEPARATORS).map((part) => COUNTED.exec(part.trim()));
      const read = pairs.map((m) => [m ? optionValue(field, m[1] ?? '') : undefined, Number(m?.[2])] as const);
      if (read.some(([v]) => v === undefined)) return { error: `${field.label}应写成“名称×数量”` };
      return { value: Object.fromEntries(read), deviation: null };
    }
    case 'text':
      return { value: cell.trim(), deviation: null };
  }
}
