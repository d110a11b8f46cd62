import { isService } from '#subjects/orders/rules/order-types.ts';
import { checkAttrs, choosable, type Attrs } from '#subjects/games/rules/attrs.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import type { Field } from '#subjects/games/contract/games.ts';
import type { Game } from '#subjects/games/server/service.ts';
import { type ColumnKey, type Header, headingOf } from './columns.ts';
import { readPrice } from './price.ts';
import { cleanText, MAX_DESCRIPTION, MAX_TITLE, normalizeCell } from './text.ts';
import {
  findField,
  findGame,
  findGoodsType,
  findRegion,
  type ListedField,
  type Region,
  readValue,
  readYesNo,
} from './matching.ts';

/** A correction: the column, what was wrong, and the new value. */
export interface Correction {
  field: string;
  from: string;
  to: string;
}

/** Goods as a row describes them, ready to be stored. */
export interface Draft {
  key: string | null;
  gameId: number;
  typeId: number;
  areaId: number | null;
  serverId: number | null;
  title: string;
  description: string;
  priceFen: number;
  stock: number;
  attrs: Attrs;
  fieldsVersion: number;
  accountNo: string | null;
  source: string | null;
  guaranteeOk: boolean;
}

export type RowReading = { draft: Draft; corrections: Correction[] } | { error: string };

const MIN_TITLE = 4;
const MAX_KEY = 64;
const MAX_ACCOUNT = 64;
const MAX_STOCK = 100_000;

/** Why a row is rejected; thrown inside this file only. */
class RowError extends Error {}

function reject(sentence: string): never {
  throw new RowError(sentence);
}

/** The apostrophe that guards a formula-like cell (rejected-rows.ts) is not part of the value. */
const unguarded = (cell: string): string => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);

class Row {
  readonly corrections: Correction[] = [];
  readonly #header: Header;
  readonly #cells: readonly string[];

  constructor(header: Header, cells: readonly string[]) {
    this.#header = header;
    this.#cells = cells;
  }

  cell(key: ColumnKey): string {
    const at = this.#header.at.get(key);
    return at === undefined ? '' : unguarded(this.#cells[at] ?? '');
  }

  fix(field: string, from: string, to: string): void {
    this.corrections.push({ field, from, to });
  }
}

function priceOf(row: Row): number {
  const price = readPrice(row.cell('price'));
  if ('error' in price) reject(price.error);
  if (price.deviation !== null) row.fix(headingOf('price'), price.deviation, (price.fen / 100).toFixed(2));
  return price.fen;
}

function typeOf(row: Row, game: Game): number {
  const cell = row.cell('type');
  const id = cell.trim() === '' ? 1 : findGoodsType(cell);
  if (id === undefined) return reject('商品类型不认识');
  if (isService(id)) reject('代练和陪玩请在服务页面发布');
  const name = game.goodsTypes.find((t) => t.id === id)?.name;
  if (name === undefined) return reject('该游戏不支持此商品类型');
  const word = normalizeCell(cell);
  if (word === '') row.fix(headingOf('type'), '空', name);
  else if (/^\d+$/.test(word)) row.fix(headingOf('type'), '类型编号', name);
  else if (word !== normalizeCell(name)) row.fix(headingOf('type'), '行内叫法', name);
  return id;
}

interface Readings {
  raw: Record<string, unknown>;
  /** Values that fit no field of the game; they are added to the description, so that nothing is lost. */
  leftOver: string[];
}

/** The attributes cell: '段位:超级王牌;热力值:67363', and the three columns that are fields of every account. */
function readAttrs(row: Row, fields: readonly ListedField[]): Readings {
  const raw: Record<string, unknown> = {};
  const leftOver: string[] = [];
  const take = (field: ListedField, cell: string): void => {
    const reading = readValue(field, cell);
    if ('error' in reading) {
      if (field.required) reject(reading.error);
      leftOver.push(`${field.label}：${cell.trim()}`);
      row.fix(field.label, '不合规格的值', '移到描述');
      return;
    }
    raw[field.key] = reading.value;
    if (reading.deviation !== null) row.fix(field.label, reading.deviation, String(reading.value));
  };
  for (const part of row.cell('attrs').split(/[;；\n]/)) {
    const [label = '', ...rest] = part.split(/[:：=]/);
    const value = rest.join(':').trim();
    if (label.trim() === '' || value === '') continue;
    const field = findField(fields, label);
    if (field) take(field, value);
    else {
      leftOver.push(`${label.trim()}：${value}`);
      row.fix(label.trim(), '该游戏没有的属性', '移到描述');
    }
  }
  for (const [column, key] of [
    ['source', 'account_source'],
    ['secondRealname', 'second_realname'],
    ['antiAddiction', 'anti_addiction'],
  ] as const) {
    const field = fields.find((f) => f.key === key);
    const cell = row.cell(column);
    if (field && cell.trim() !== '' && raw[key] === undefined) take(field, cell);
  }
  return { raw, leftOver };
}

/** Uses the least favourable value where the seller left a required field about the account empty. */
function fillCautiously(row: Row, fields: readonly ListedField[], raw: Record<string, unknown>): void {
  const realname = fields.find((f) => f.key === 'second_realname');
  if (realname?.required && raw.second_realname === undefined) {
    raw.second_realname = false;
    row.fix(realname.label, '空', '否');
  }
  const source = fields.find((f) => f.key === 'account_source');
  const worst = source?.options?.at(-1);
  if (source?.required && raw.account_source === undefined && worst) {
    raw.account_source = worst.v;
    row.fix(source.label, '空', worst.label);
  }
}

/** Formats a value for readers. */
const displayValue = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : `${value as string | number | boolean}`;

function checked(row: Row, fields: readonly ListedField[], { raw, leftOver }: Readings): Attrs {
  fillCautiously(row, fields, raw);
  const first = checkAttrs(fields as readonly Field[], raw);
  if (first.errors.size === 0) return first.values;
  for (const [key] of first.errors) {
    const field = fields.find((f) => f.key === key);
    // An optional value out of range does not reject the row: it is moved to the description.
    if (!field || field.required || raw[key] === undefined) continue;
    leftOver.push(`${field.label}：${displayValue(raw[key])}`);
    row.fix(field.label, '超出范围的值', '移到描述');
    delete raw[key];
  }
  const { errors, values } = checkAttrs(fields as readonly Field[], raw);
  const [wrong] = errors.values();
  if (wrong !== undefined) reject(`属性不全或不合规格：${wrong}`);
  return values;
}

/** Generates a title from the row's attributes, for rows without one. */
function generatedTitle(region: Region, fields: readonly ListedField[], attrs: Attrs): string {
  const parts = fields
    .filter((f) => f.inCard && attrs[f.key] !== undefined && (f.kind === 'range' || f.kind === 'single'))
    .map((f) => {
      const value = attrs[f.key];
      const label = f.kind === 'single' ? f.options?.find((o) => o.v === value)?.label : displayValue(value);
      return `${f.label}${label ?? ''}`;
    });
  return parts.length === 0 ? '' : [region.server || region.area, ...parts].filter(Boolean).join(' ');
}

function titleOf(row: Row, generated: string): string {
  const { text, changes } = cleanText(row.cell('title'), { max: MAX_TITLE, lines: false });
  if (text.length >= MIN_TITLE) {
    for (const change of changes) row.fix(headingOf('title'), change, text);
    return text;
  }
  if (generated.length < MIN_TITLE) return reject('没有标题');
  const title = cleanText(generated, { max: MAX_TITLE, lines: false }).text;
  row.fix(headingOf('title'), text === '' ? '空' : '太短', title);
  return title;
}

function descriptionOf(row: Row, leftOver: readonly string[]): string {
  const raw = [row.cell('description'), ...leftOver].filter((t) => t.trim() !== '').join('\n');
  const { text, changes } = cleanText(raw, { max: MAX_DESCRIPTION, lines: true });
  for (const change of changes) row.fix(headingOf('description'), change, '');
  return text;
}

function stockOf(row: Row, isAccount: boolean): number {
  const cell = normalizeCell(row.cell('stock'));
  const count = /^\d{1,6}$/.test(cell) ? Number(cell) : undefined;
  if (isAccount) {
    if (count !== undefined && count !== 1) row.fix(headingOf('stock'), '账号只有一件', '1');
    return 1;
  }
  if (cell === '') return 1;
  if (count === undefined || count < 1 || count > MAX_STOCK) return reject('库存应为 1 到 100000 的整数');
  return count;
}

function regionOf(row: Row, game: Game): Region {
  const region = findRegion(game, row.cell('place'));
  if (!region) return reject(row.cell('place').trim() === '' ? '没有区服' : '该游戏没有这个区服');
  if (region.deviation !== null) row.fix(headingOf('place'), region.deviation, `${region.area}/${region.server}`);
  return region;
}

function draftOf(row: Row, games: readonly Game[]): Draft {
  if (row.cell('game').trim() === '') reject('没有游戏');
  const game = findGame(games, row.cell('game')) ?? reject('平台没有这个游戏');
  const priceFen = priceOf(row);
  const typeId = typeOf(row, game);
  const region = regionOf(row, game);
  const isAccount = accountTypes.includes(typeId);
  const fields = game.fields
    .filter((f) => !f.retired && f.goodsTypes.includes(typeId))
    .map((f) => choosable(f, undefined)) as readonly ListedField[];
  const readings = readAttrs(row, fields);
  const attrs = checked(row, fields, readings);
  const accountNo = row.cell('account').normalize('NFKC').trim();
  if (accountNo.length > MAX_ACCOUNT) reject(`账号标识不能超过 ${MAX_ACCOUNT} 个字`);
  const key = row.cell('key').trim();
  if (key.length > MAX_KEY) reject(`商家编号不能超过 ${MAX_KEY} 个字`);
  const source = fields.find((f) => f.key === 'account_source')?.options?.find((o) => o.v === attrs.account_source);
  return {
    key: key === '' ? null : key,
    gameId: game.id,
    typeId,
    areaId: region.areaId,
    serverId: region.serverId,
    title: titleOf(row, generatedTitle(region, fields, attrs)),
    description: descriptionOf(row, readings.leftOver),
    priceFen,
    stock: stockOf(row, isAccount),
    attrs,
    fieldsVersion: game.fieldsVersion,
    accountNo: isAccount && accountNo !== '' ? accountNo : null,
    source: source?.label ?? null,
    guaranteeOk: isAccount && readYesNo(row.cell('guarantee')) !== false,
  };
}

/** Parses one row of a stock list. Returns the goods with all corrections, or the reason for the rejection. */
export function readRow(header: Header, cells: readonly string[], games: readonly Game[]): RowReading {
  if (cells.length !== header.names.length) {
    return { error: `这一行有 ${cells.length} 列，表头有 ${header.names.length} 列，可能被截断` };
  }
  const row = new Row(header, cells);
  const fault = row.cell('fault');
  if (fault !== '') return { error: fault };
  try {
    const draft = draftOf(row, games);
    return { draft, corrections: row.corrections };
  } catch (error) {
    if (error instanceof RowError) return { error: error.message };
    throw error;
  }
}
