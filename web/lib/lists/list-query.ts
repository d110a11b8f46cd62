import type { Field } from '#subjects/games/contract/games.ts';
import type { Input } from '#contract/endpoint.ts';
import type { getGoodsList } from '#subjects/goods/contract/goods.ts';
import { MAX_FEN } from '#contract/rules/amounts.ts';
import { defaultGoodsType } from '#contract/rules/catalogue.ts';
import { FREE_TIMES, type FreeTime, VOICE_KINDS, type VoiceKind } from '#subjects/services/rules/companion-slots.ts';
import { BOOSTING, COMPANION_PLAY, isService } from '#subjects/orders/rules/order-types.ts';
import { fenOf, yuanOf } from '../format/format.ts';

/** How several chosen options of one field are combined. */
export type Mode = 'all' | 'any' | number;

/** A chosen filter of a game's field. */
export type Chosen =
  | { kind: 'one'; value: string }
  /** `count` is the minimum of each, for counted items; 1 by default. */
  | { kind: 'many'; mode: Mode; values: readonly string[]; count: number }
  | { kind: 'range'; min: string; max: string };

/** The yes-or-no filters of the service row: URL parameter, name in the call's input, label. */
export const SERVICES = [
  ['inspected', 'inspected', '已验号'],
  ['ensure', 'ensureOpen', '可包赔'],
  ['official', 'officialSell', '平台交付'],
  ['bargain', 'bargainOpen', '可议价'],
  ['online', 'sellerOnline', '卖家在线'],
] as const;

type Mark = (typeof SERVICES)[number];

/** The label of a filter of the service row: who offers a service is not called a seller. */
const markLabel = ([name, , label]: Mark, gt: number | null): string =>
  name !== 'online' || !isService(gt ?? 0) ? label : gt === BOOSTING ? '打手在线' : '陪玩在线';

/** The filters of the service row that apply to the listed type: a service is neither inspected nor guaranteed. */
export const marksOf = ({ gt }: Pick<ListQuery, 'gt'>): { name: Mark[0]; label: string }[] =>
  (isService(gt ?? 0) ? SERVICES.slice(-1) : SERVICES).map((mark) => ({ name: mark[0], label: markLabel(mark, gt) }));

/** When companions are available, by the parameter's value. */
export const FREE_LABELS: Readonly<Record<FreeTime, string>> = {
  now: '现在可约',
  tonight: '今晚',
  tomorrow: '明天',
  weekend: '周末',
};
/** The voices of companions, by the parameter's value. */
export const VOICE_LABELS: Readonly<Record<VoiceKind, string>> = { any: '有语音', female: '女声', male: '男声' };

export const SORTS = [
  ['', 'default', '综合'],
  ['priceAsc', 'priceAsc', '全包价从低到高'],
  ['priceDesc', 'priceDesc', '从高到低'],
  ['newest', 'newest', '最新'],
  ['views', 'views', '浏览最多'],
] as const;

/** The name of a sort order: companions are listed by availability, unless another order is chosen. */
export const sortName = (label: string, gt: number | null): string =>
  label === SORTS[0][2] && gt === COMPANION_PLAY ? '最早有空' : label;

/** Rows of one page of the list. */
export const PAGE_SIZE = 20;

/** Everything that a URL of the list contains. */
export interface ListQuery {
  gt: number | null;
  gid: number | null;
  areaId: number | null;
  serverId: number | null;
  /** Listings of one seller only. */
  sellerId: string | null;
  keyWord: string;
  min: string;
  max: string;
  sort: (typeof SORTS)[number][0];
  view: 'rows' | 'cards';
  services: ReadonlySet<(typeof SERVICES)[number][0]>;
  /** Companions only: their availability and voice. */
  free: FreeTime | null;
  voice: VoiceKind | null;
  /** Boosting only: start and target rank. */
  rankFrom: number | null;
  rankTo: number | null;
  fields: ReadonlyMap<string, Chosen>;
}

const FIELD = /^f\.([a-z0-9_]{1,40})$/i;
const PRICE = /^(0|[1-9]\d{0,8})(\.\d{1,2})?$/;
const LIMIT = /^\d{0,9}$/;

function id(text: string | null): number | null {
  return text && /^\d{1,10}$/.test(text) && text !== '0' ? Number(text) : null;
}

/** A price of the filter. A higher one than the list's call accepts counts as the highest, so the list is empty and not an error. */
function price(text: string | null): string {
  if (!text || !PRICE.test(text)) return '';
  return fenOf(text) > MAX_FEN ? yuanOf(MAX_FEN) : text;
}

/**
 * Parses a field's filter from its parameter: `3`, `200-400`, `all:a,b`, `any:a,b`, `2:a,b`, `all*3:a,b`; null when it
 * is none of these.
 */
function chosenOf(text: string): Chosen | null {
  const range = /^(\d{0,9})-(\d{0,9})$/.exec(text);
  if (range) return range[1] || range[2] ? { kind: 'range', min: range[1] ?? '', max: range[2] ?? '' } : null;
  const many = /^(all|any|\d{1,2})(?:\*([1-9]\d{0,5}))?:(.+)$/.exec(text);
  if (many) {
    const [, how, count = '1', list = ''] = many;
    const values = [...new Set(list.split(',').filter(Boolean))].slice(0, 40);
    const mode = how === 'all' || how === 'any' ? how : Number(how);
    return values.length > 0 ? { kind: 'many', mode, values, count: Number(count) } : null;
  }
  return text ? { kind: 'one', value: text } : null;
}

function textOf(chosen: Chosen): string {
  if (chosen.kind === 'range') return `${chosen.min}-${chosen.max}`;
  if (chosen.kind === 'one') return chosen.value;
  return `${chosen.mode}${chosen.count > 1 ? `*${chosen.count}` : ''}:${chosen.values.join(',')}`;
}

/** Parses a URL. Unknown parts are ignored, so no URL of the list is ever an error. */
export function parseList(query: URLSearchParams): ListQuery {
  const gid = id(query.get('gid'));
  const gt = query.get('gt');
  const sellerId = query.get('sellerId') ?? '';
  const sort = SORTS.find(([name]) => name === query.get('sort'))?.[0] ?? '';
  const fields = new Map<string, Chosen>();
  for (const [name, value] of query) {
    const key = FIELD.exec(name)?.[1];
    const chosen = key ? chosenOf(value) : null;
    if (key && chosen && fields.size < 20) fields.set(key, chosen);
  }
  const typeId =
    gt === '0' ? null : (id(gt) ?? (query.has('keyWord') && gid === null ? null : defaultGoodsType(gid ?? 0)));
  const ofCompanions = typeId === COMPANION_PLAY;
  return {
    gt: typeId,
    gid,
    areaId: id(query.get('areaId')),
    serverId: id(query.get('serverId')),
    sellerId: /^\d{1,15}$/.test(sellerId) ? sellerId : null,
    keyWord: (query.get('keyWord') ?? '').normalize('NFC').trim().slice(0, 40),
    min: price(query.get('min')),
    max: price(query.get('max')),
    sort,
    view: query.get('view') === 'cards' ? 'cards' : 'rows',
    services: new Set(SERVICES.map(([name]) => name).filter((name) => query.get(name) === '1')),
    free: (ofCompanions && FREE_TIMES.find((time) => time === query.get('free'))) || null,
    rankFrom: typeId === BOOSTING && gid !== null ? id(query.get('rankFrom')) : null,
    rankTo: typeId === BOOSTING && gid !== null ? id(query.get('rankTo')) : null,
    voice: (ofCompanions && VOICE_KINDS.find((kind) => kind === query.get('voice'))) || null,
    fields,
  };
}

/** The URL of a state of the list. Defaults are omitted, so each state has exactly one URL. */
export function listPath(state: ListQuery): string {
  const query = new URLSearchParams();
  query.set('gt', String(state.gt ?? 0));
  const plain = { gid: state.gid, areaId: state.areaId, serverId: state.serverId, sellerId: state.sellerId };
  for (const [name, value] of Object.entries(plain)) if (value !== null) query.set(name, String(value));
  const words = { keyWord: state.keyWord, min: state.min, max: state.max, sort: state.sort };
  for (const [name, value] of Object.entries(words)) if (value) query.set(name, value);
  for (const name of state.services) query.set(name, '1');
  if (state.gt === COMPANION_PLAY) {
    if (state.free) query.set('free', state.free);
    if (state.voice) query.set('voice', state.voice);
  }
  if (state.gt === BOOSTING && state.gid !== null) {
    if (state.rankFrom !== null) query.set('rankFrom', String(state.rankFrom));
    if (state.rankTo !== null) query.set('rankTo', String(state.rankTo));
  }
  for (const [key, chosen] of state.fields) query.set(`f.${key}`, textOf(chosen));
  if (state.view === 'cards') query.set('view', 'cards');
  return `/wares?${query}`;
}

/** The same list with one field's filter set, or without it when null. */
export function withField(state: ListQuery, key: string, chosen: Chosen | null): ListQuery {
  const fields = new Map(state.fields);
  if (chosen) fields.set(key, chosen);
  else fields.delete(key);
  return { ...state, fields };
}

/** The same list with one option of a field added or removed; `start` is the mode of the first choice. */
export function toggled(state: ListQuery, key: string, value: string, start: Mode = 'all'): ListQuery {
  const before = state.fields.get(key);
  const values = before?.kind === 'many' ? before.values : [];
  const next = values.includes(value) ? values.filter((item) => item !== value) : [...values, value];
  const { mode, count } = before?.kind === 'many' ? before : { mode: start, count: 1 };
  return withField(
    state,
    key,
    next.length > 0 ? { kind: 'many', mode: fitting(mode, next.length), values: next, count } : null,
  );
}

/** 'At least n' cannot exceed the number of chosen options. */
function fitting(mode: Mode, chosen: number): Mode {
  return typeof mode === 'number' ? Math.min(Math.max(1, mode), Math.max(1, chosen)) : mode;
}

/** The same list with a service filter set or not. */
export function withService(state: ListQuery, name: (typeof SERVICES)[number][0]): ListQuery {
  const services = new Set(state.services);
  if (!services.delete(name)) services.add(name);
  return { ...state, services };
}

/** The state with all filters removed. */
export function cleared(state: ListQuery): ListQuery {
  return {
    ...state,
    areaId: null,
    serverId: null,
    keyWord: '',
    min: '',
    max: '',
    services: new Set(),
    free: null,
    voice: null,
    rankFrom: null,
    rankTo: null,
    fields: new Map(),
  };
}

/** Converts to a number where the catalogue has numbers. */
function optionValue(field: Field, value: string): string | number {
  return field.options?.find((option) => String(option.v) === value)?.v ?? value;
}

function limitOf(text: string): number | undefined {
  return text && LIMIT.test(text) ? Number(text) : undefined;
}

function detailOf(field: Field, chosen: Chosen): unknown {
  if (chosen.kind === 'range') return { min: limitOf(chosen.min), max: limitOf(chosen.max) };
  if (chosen.kind === 'one') return field.kind === 'bool' ? chosen.value === '1' : optionValue(field, chosen.value);
  const values = chosen.values.map((value) => optionValue(field, value));
  const count = field.kind === 'item_count' && chosen.count > 1 ? { count: chosen.count } : {};
  return typeof chosen.mode === 'number'
    ? { atLeast: chosen.mode, of: values, ...count }
    : { [chosen.mode]: values, ...count };
}

/** Which form of filter fits a kind of field; a different one in the URL is ignored. */
const FORMS: Readonly<Record<Field['kind'], Chosen['kind']>> = {
  single: 'one',
  bool: 'one',
  text: 'one',
  multi: 'many',
  item_count: 'many',
  range: 'range',
};

/**
 * A chosen filter reduced to what the field supports: existing options only, and a mode that fits them; null when
 * nothing is left.
 */
function askable(field: Field, chosen: Chosen): Chosen | null {
  if (FORMS[field.kind] !== chosen.kind || !field.filterable) return null;
  const has = (value: string) => field.options?.some((option) => String(option.v) === value) ?? false;
  if (chosen.kind === 'range') return field.numericSlot === undefined ? null : chosen;
  if (chosen.kind === 'one')
    return (field.kind === 'bool' ? /^[01]$/.test(chosen.value) : has(chosen.value)) ? chosen : null;
  const values = chosen.values.filter(has);
  return values.length > 0 ? { ...chosen, values, mode: fitting(chosen.mode, values.length) } : null;
}

/** The state without filters that its game does not have: a link may be older than the catalogue. */
export function withExistingFields(state: ListQuery, fields: readonly Field[]): ListQuery {
  const known = new Map<string, Chosen>();
  for (const field of fields) {
    const chosen = state.fields.get(field.key);
    const valid = chosen && askable(field, chosen);
    if (valid) known.set(field.key, valid);
  }
  return { ...state, fields: known };
}

/** The input of the list call; filters of fields that the game does not have are omitted. */
export function listInput(
  state: ListQuery,
  fields: readonly Field[],
  cursor: string | null,
): Input<typeof getGoodsList> {
  const details: Record<string, unknown> = {};
  for (const field of fields) {
    const chosen = state.fields.get(field.key);
    if (chosen && FORMS[field.kind] === chosen.kind) details[field.key] = detailOf(field, chosen);
  }
  return {
    pageSize: PAGE_SIZE,
    ...(cursor && /^[\w-]{1,200}$/.test(cursor) && { cursor }),
    ...(state.gt !== null && { goodsTypeId: state.gt }),
    ...(state.gid !== null && { gameId: state.gid }),
    ...(state.areaId !== null && { areaId: state.areaId }),
    ...(state.serverId !== null && { serverId: state.serverId }),
    ...(state.sellerId !== null && { sellerId: state.sellerId }),
    ...(state.keyWord && { keyWord: state.keyWord }),
    ...(state.min && { minPrice: state.min }),
    ...(state.max && { maxPrice: state.max }),
    ...(state.sort && { sort: state.sort }),
    ...Object.fromEntries(SERVICES.filter(([name]) => state.services.has(name)).map(([, input]) => [input, '1'])),
    ...(state.free && { free: state.free }),
    ...(state.voice && { voice: state.voice }),
    ...(state.rankFrom !== null && state.rankTo !== null && { rankFrom: state.rankFrom, rankTo: state.rankTo }),
    ...(Object.keys(details).length > 0 && { details: JSON.stringify(details) }),
  };
}

export interface ChosenTag {
  label: string;
  /** URL without this filter. */
  without: string;
}

function rangeText(min: string, max: string): string {
  if (min && max) return `${min}–${max}`;
  return min ? `≥ ${min}` : `≤ ${max}`;
}

function fieldText(field: Field, chosen: Chosen): string {
  if (chosen.kind === 'range') return `${field.label} ${rangeText(chosen.min, chosen.max)}${field.unit ?? ''}`;
  const label = (value: string) => field.options?.find((option) => String(option.v) === value)?.label ?? value;
  if (chosen.kind === 'one')
    return field.kind === 'bool' ? `${field.label}${chosen.value === '1' ? '' : '：否'}` : label(chosen.value);
  const joint = { all: '且', any: '或' }[chosen.mode as string];
  const times = field.kind === 'item_count' && chosen.count > 1 ? ` ×${chosen.count}` : '';
  const names = chosen.values.map((value) => `${label(value)}${times}`);
  return joint ? names.join(` ${joint} `) : `${names.join('、')} 至少 ${chosen.mode} 项`;
}

/** The chosen filters as text, each with the URL that removes it. */
export function chosenTags(
  state: ListQuery,
  fields: readonly Field[],
  names: {
    area?: string | undefined;
    server?: string | undefined;
    seller?: string | undefined;
    route?: string | undefined;
  },
): ChosenTag[] {
  const tags: ChosenTag[] = [];
  const add = (label: string, next: ListQuery) => tags.push({ label, without: listPath(next) });
  if (state.keyWord) add(`“${state.keyWord}”`, { ...state, keyWord: '' });
  if (state.sellerId !== null) add(`卖家 ${names.seller ?? state.sellerId}`, { ...state, sellerId: null });
  if (state.areaId !== null) add(names.area ?? '大区', { ...state, areaId: null, serverId: null });
  if (state.serverId !== null) add(names.server ?? '服务器', { ...state, serverId: null });
  for (const field of fields) {
    const chosen = state.fields.get(field.key);
    if (chosen && FORMS[field.kind] === chosen.kind) add(fieldText(field, chosen), withField(state, field.key, null));
  }
  if (state.rankFrom !== null && state.rankTo !== null)
    add(names.route || '段位', { ...state, rankFrom: null, rankTo: null });
  if (state.free) add(FREE_LABELS[state.free], { ...state, free: null });
  if (state.voice) add(VOICE_LABELS[state.voice], { ...state, voice: null });
  if (state.min || state.max) add(`全包价 ${rangeText(state.min, state.max)}`, { ...state, min: '', max: '' });
  for (const mark of SERVICES)
    if (state.services.has(mark[0])) add(markLabel(mark, state.gt), withService(state, mark[0]));
  return tags;
}
