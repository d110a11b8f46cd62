import { COLUMN_FIELDS, GOODS_TYPE_ALIASES, NO_WORDS, YES_TERMS } from '#db/seed/catalogue/aliases.ts';
import type { Field } from '#contract/common.ts';
import type { Game } from '#server/slices/games/service.ts';
import { plainWord } from './text.ts';

/** A field as the catalogue stores it: with the other words that stock lists use, which the wire does not show. */
export type ListedField = Omit<Field, 'options'> & {
  aliases?: readonly string[] | undefined;
  options?: readonly { v: string | number; label: string; aliases?: readonly string[] | undefined }[] | undefined;
};

const is = (word: string, names: readonly string[]): boolean => names.some((name) => plainWord(name) === word);

/** The game that a cell names, by name, code or alias; undefined when the catalogue has none. */
export function findGame(games: readonly Game[], cell: string): Game | undefined {
  const word = plainWord(cell);
  return word === '' ? undefined : games.find((g) => is(word, [g.name, g.code, ...g.aliases]));
}

export interface Place {
  areaId: number | null;
  serverId: number | null;
  area: string;
  server: string;
  /** How the cell was understood when it did not name area and server as the catalogue does. */
  change: string | null;
}

const NO_PLACE: Place = { areaId: null, serverId: null, area: '', server: '', change: null };

/** The place of a cell such as '跨一/广东1区', '安卓QQ' or a server's name that only one area has; undefined when there is none. */
export function findPlace(game: Game, cell: string): Place | undefined {
  const [first = '', second = ''] = cell.split(/[/／>|｜]/).map(plainWord);
  if (first === '') return game.areas.length === 0 ? NO_PLACE : undefined;
  const area = game.areas.find((a) => plainWord(a.name) === first);
  if (area) {
    const server = second === '' ? undefined : area.servers.find((s) => plainWord(s.name) === second);
    if (second !== '' && !server) return undefined;
    return { areaId: area.id, serverId: server?.id ?? null, area: area.name, server: server?.name ?? '', change: null };
  }
  if (second !== '') return undefined;
  const servers = game.areas.flatMap((a) =>
    a.servers.filter((s) => plainWord(s.name) === first).map((s) => ({ a, s })),
  );
  const only = servers.length === 1 ? servers[0] : undefined;
  return only
    ? { areaId: only.a.id, serverId: only.s.id, area: only.a.name, server: only.s.name, change: '只写了服务器' }
    : undefined;
}

/** The goods type of a cell: a name, a number or a word of the trade; undefined when it is none. */
export function findGoodsType(cell: string): number | undefined {
  const word = plainWord(cell);
  const entry = Object.entries(GOODS_TYPE_ALIASES).find(([name]) => plainWord(name) === word);
  return entry?.[1];
}

/** Yes, no, or undefined for a cell that says neither. */
export function readYesNo(cell: string): boolean | undefined {
  const word = plainWord(cell);
  if (is(word, YES_TERMS)) return true;
  return is(word, NO_WORDS) ? false : undefined;
}

/** The field that a label of the attributes cell names: by label, alias or key. */
export function findField(fields: readonly ListedField[], label: string): ListedField | undefined {
  const word = plainWord(label);
  const column = COLUMN_FIELDS[label.trim()];
  return (
    fields.find((f) => plainWord(f.label) === word) ??
    fields.find((f) => is(word, f.aliases ?? []) || plainWord(f.key) === word || f.key === column)
  );
}

export type ValueReading = { value: unknown; change: string | null } | { refused: string };

const NUMBER = /^(\d{1,10})(?:\.(\d+))?(万|w|亿)?$/;
const SEPARATORS = /[、,，|/]/;

function readNumber(field: ListedField, cell: string): ValueReading {
  const word = plainWord(cell).replaceAll(',', '');
  const bare =
    field.unit && word.endsWith(field.unit)
      ? word.slice(0, -field.unit.length)
      : word.replace(/[+个件枚张次级款条]+$/, '');
  const match = NUMBER.exec(bare);
  if (!match) return { refused: `${field.label}不是数字` };
  const times = match[3] === '亿' ? 100_000_000 : match[3] ? 10_000 : 1;
  const value = Math.floor(Number(`${match[1]}.${match[2] ?? '0'}`) * times);
  return { value, change: match[3] ? '以万为单位的数字' : null };
}

function option(field: ListedField, cell: string): string | number | undefined {
  const word = plainWord(cell);
  return (
    field.options?.find((o) => plainWord(o.label) === word) ?? field.options?.find((o) => is(word, o.aliases ?? []))
  )?.v;
}

/** A value of the attributes cell in the form that goods keep; a sentence when it fits nothing. */
export function readValue(field: ListedField, cell: string): ValueReading {
  switch (field.kind) {
    case 'range':
      return readNumber(field, cell);
    case 'bool': {
      const yes = readYesNo(cell);
      return yes === undefined ? { refused: `${field.label}应写“是”或“否”` } : { value: yes, change: null };
    }
    case 'single': {
      const v = option(field, cell);
      return v === undefined ? { refused: `${field.label}没有这个选项` } : { value: v, change: null };
    }
    case 'multi': {
      const values = cell
        .split(SEPARATORS)
        .filter((w) => w.trim() !== '')
        .map((w) => option(field, w));
      return values.some((v) => v === undefined)
        ? { refused: `${field.label}有不认识的选项` }
        : { value: values, change: null };
    }
    case 'item_count': {
      const pairs = cell.split(SEPARATORS).map((part) => /^(.+?)\s*[x×*]\s*(\d+)$/i.exec(part.trim()));
      const read = pairs.map((m) => [m ? option(field, m[1] ?? '') : undefined, Number(m?.[2])] as const);
      if (read.some(([v]) => v === undefined)) return { refused: `${field.label}应写成“名称×数量”` };
      return { value: Object.fromEntries(read), change: null };
    }
    case 'text':
      return { value: cell.trim(), change: null };
  }
}
