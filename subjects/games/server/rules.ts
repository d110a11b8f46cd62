import type { SettingValue } from '#subjects/settings/contract/setting-values.ts';
import type { Field, Step } from '#subjects/games/contract/games.ts';
import { showValue } from '../rules/attr-text.ts';
import { amountUnit, isGameCoin } from '#contract/rules/catalogue.ts';

export interface GoodsType {
  readonly id: number;
  readonly name: string;
}

export interface GameRow {
  id: number;
  code: string;
  name: string;
  gameType: number;
  initial: string;
  pinyin: string;
  initials: string;
  hue: number;
  scene: string;
  hot: number;
  goodsTypes: GoodsType[];
  coinUnit: string | null;
  coinRatio: number | null;
  aliases: string[];
  defaultType: number;
  glyph: string;
  iconKey: string | null;
  isOpen: boolean;
}

export interface AreaRow {
  id: number;
  gameId: number;
  name: string;
  isOpen: boolean;
}

export interface ServerRow {
  id: number;
  areaId: number;
  name: string;
  isOpen: boolean;
}

export interface VersionRow {
  gameId: number;
  kind: 'fields' | 'handover';
  version: number;
  body: unknown;
}

/** The hand-over steps of a version: of whole accounts, and of the other goods types. */
export interface HandoverBody {
  accounts: Step[];
  deliveries: { goodsTypes: number[]; steps: Step[] }[];
}

export interface Server {
  readonly id: number;
  readonly name: string;
  readonly areaId: number;
  readonly gameId: number;
}

export interface Area {
  readonly id: number;
  readonly name: string;
  readonly gameId: number;
  readonly servers: readonly Server[];
}

/** A game with everything that belongs to it, newest versions. */
export interface Game extends Readonly<Omit<GameRow, 'goodsTypes' | 'aliases'>> {
  readonly goodsTypes: readonly GoodsType[];
  readonly aliases: readonly string[];
  /** Areas and servers on offer; closed ones are in the catalogue by number only. */
  readonly areas: readonly Area[];
  /** Includes retired ones, because listings may still have values for them. */
  readonly fields: readonly Field[];
  readonly fieldsVersion: number;
  readonly handover: HandoverBody;
  readonly handoverVersion: number;
}

/** The catalogue, in memory. */
export interface Catalogue {
  /** The games on offer, hot ones first. */
  list(): readonly Game[];
  /** A game on offer. */
  game(id: number): Game | undefined;
  /** A game on offer or hidden. A hidden game is included because its past trades still show its name and its orders still run. */
  known(id: number): Game | undefined;
  area(id: number): Area | undefined;
  server(id: number): Server | undefined;
  /** Fields of a game in order, including retired fields and hidden games, for reading the values of listings. Only those of `goodsType` if given. */
  fieldsOf(gameId: number, typeId?: number): readonly Field[];
  /** Fields on offer, for forms and filters. Retired options are included and marked, because a listing may have them. */
  openFieldsOf(gameId: number, typeId?: number): readonly Field[];
  /** Hand-over steps of a goods type of a game, with the version that an order records. */
  handoverOf(gameId: number, typeId: number): { version: number; steps: readonly Step[] };
}

const NO_STEPS: HandoverBody = { accounts: [], deliveries: [] };

/** The steps of a goods type: its own delivery, or those of whole accounts (1, 8, 50). */
function stepsOf(body: HandoverBody, typeId: number): readonly Step[] {
  return body.deliveries.find((d) => d.goodsTypes.includes(typeId))?.steps ?? body.accounts;
}

function grouped<T>(rows: readonly T[], key: (row: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
}

/** Builds the catalogue from its rows. */
export function assemble(rows: {
  games: readonly GameRow[];
  areas: readonly AreaRow[];
  servers: readonly ServerRow[];
  versions: readonly VersionRow[];
}): Catalogue {
  const serversOf = grouped(rows.servers, (s) => s.areaId);
  const areas = rows.areas.map((a): Area => {
    const servers = (serversOf.get(a.id) ?? []).map(
      (s): Server => ({ id: s.id, areaId: s.areaId, name: s.name, gameId: a.gameId }),
    );
    return { id: a.id, gameId: a.gameId, name: a.name, servers };
  });
  const openAreas = new Set(rows.areas.filter((a) => a.isOpen).map((a) => a.id));
  const openServers = new Set(rows.servers.filter((s) => s.isOpen).map((s) => s.id));
  const offered = areas
    .filter((a) => openAreas.has(a.id))
    .map((a): Area => ({ ...a, servers: a.servers.filter((s) => openServers.has(s.id)) }));
  const areasOf = grouped(offered, (a) => a.gameId);
  const version = (gameId: number, kind: VersionRow['kind']): VersionRow | undefined =>
    rows.versions.find((v) => v.gameId === gameId && v.kind === kind);
  const list = rows.games.map((g): Game => {
    const fields = version(g.id, 'fields');
    const handover = version(g.id, 'handover');
    return {
      ...g,
      areas: areasOf.get(g.id) ?? [],
      fields: ((fields?.body ?? []) as Field[]).toSorted((a, b) => a.sort - b.sort),
      fieldsVersion: fields?.version ?? 0,
      handover: (handover?.body ?? NO_STEPS) as HandoverBody,
      handoverVersion: handover?.version ?? 0,
    };
  });
  const open = list.filter((g) => g.isOpen);
  const openById = new Map(open.map((g) => [g.id, g]));
  const byId = new Map(list.map((g) => [g.id, g]));
  const areaById = new Map(areas.map((a) => [a.id, a]));
  const serverById = new Map(areas.flatMap((a) => a.servers).map((s) => [s.id, s]));
  const fieldsOf = (gameId: number, typeId?: number): readonly Field[] => {
    const fields = byId.get(gameId)?.fields ?? [];
    return typeId === undefined ? fields : fields.filter((f) => f.goodsTypes.includes(typeId)).map(fieldFor(typeId));
  };
  return {
    list: () => open,
    game: (id) => openById.get(id),
    known: (id) => byId.get(id),
    area: (id) => areaById.get(id),
    server: (id) => serverById.get(id),
    fieldsOf,
    openFieldsOf: (gameId, typeId) => fieldsOf(gameId, typeId).filter((f) => !f.retired),
    handoverOf(gameId, typeId) {
      const game = byId.get(gameId);
      return { version: game?.handoverVersion ?? 0, steps: game ? stepsOf(game.handover, typeId) : [] };
    },
  };
}

/** Whether a distributor shows a game; one without a list of games shows all. */
export function showsGame(dist: { games: readonly number[] | null }, gameId: number): boolean {
  return dist.games === null || dist.games.includes(gameId);
}

/** How well a game matches a keyword: 3 for its whole name, 2 for a prefix, 1 for another part, 0 for no match. */
export function gameMatch(game: Game, keyword: string): number {
  const wanted = keyword.normalize('NFKC').toLowerCase().replace(/\s/g, '');
  if (wanted === '') return 0;
  const names = [game.name, game.code, game.pinyin, game.initials, ...game.aliases].map((n) =>
    n.normalize('NFKC').toLowerCase().replace(/\s/g, ''),
  );
  if (names.includes(wanted)) return 3;
  if (names.some((n) => n.startsWith(wanted))) return 2;
  // One or two letters inside a pinyin do not match.
  return names.some((n) => (/^[a-z]+$/.test(wanted) ? wanted.length > 2 : true) && n.includes(wanted)) ? 1 : 0;
}

/** Recommended games of a distributor: the list in its configuration, else the hot ones by rank. */
export function recommended(games: readonly Game[], recGameStr: string): Game[] {
  const ids = recGameStr.split(',').map((s) => Number(s));
  const chosen = ids.flatMap((id) => games.find((g) => g.id === id) ?? []);
  return chosen.length > 0 ? chosen : games.filter((g) => g.hot > 0).toSorted((a, b) => a.hot - b.hot);
}

/** A step made unnecessary by the listing's attributes; its place is after the `afterStep`th of the remaining steps. */
export interface RuledOutStep {
  afterStep: number;
  key: string;
  title: string;
  reason: string;
}

/**
 * Splits a type's steps into required ones and those made unnecessary by the listing's attributes (the steps' `unless`). An inspected value
 * takes precedence over the seller's. `readings` are inspected values by field key, as text.
 */
export function stepsForGoods(
  steps: readonly Step[],
  fields: readonly Field[],
  attrs: Record<string, unknown>,
  readings: ReadonlyMap<string, string>,
): { steps: Step[]; ruledOut: RuledOutStep[] } {
  const required: Step[] = [];
  const ruledOut: RuledOutStep[] = [];
  for (const step of steps) {
    const reason = ruledOutReason(step, fields, attrs, readings);
    if (reason === undefined) required.push(step);
    else ruledOut.push({ afterStep: required.length, key: step.key, title: step.title, reason });
  }
  return { steps: required, ruledOut };
}

function ruledOutReason(
  step: Step,
  fields: readonly Field[],
  attrs: Record<string, unknown>,
  readings: ReadonlyMap<string, string>,
): string | undefined {
  for (const { field: key, value, reason } of step.unless ?? []) {
    const field = fields.find((f) => f.key === key);
    const read = readings.get(key);
    const actual = read ?? (field ? showValue(field, attrs[key]) : '');
    if (actual === value) return `${read === undefined ? '商品标明' : '验号显示'}${reason}`;
  }
  return undefined;
}

export interface ReadableAttr {
  key: string;
  label: string;
  value: string;
}

/** Fields with an amount of coin or ingots, whose unit depends on the goods type. */
const AMOUNTS = new Set(['amount', 'min_lot']);

/** A field for a goods type: an amount is in coin for one type and in ingots for another. */
export const fieldFor =
  (typeId: number) =>
  (field: Field): Field =>
    AMOUNTS.has(field.key) && field.unit !== amountUnit(typeId, field.unit) && !isGameCoin(typeId)
      ? { ...field, unit: amountUnit(typeId, field.unit) }
      : field;

/** Attributes as labels and values, in the order of the game's fields; unknown ones are omitted. */
export function readableAttrs(
  all: Catalogue,
  gameId: number,
  attrs: Readonly<Record<string, unknown>>,
  typeId?: number,
): ReadableAttr[] {
  return all
    .fieldsOf(gameId, typeId)
    .map((field) => ({ key: field.key, label: field.label, value: showValue(field, attrs[field.key]) }))
    .filter(({ value }) => value !== '');
}

/** One part of a rate with its share, in basis points; the shares of a rate add up to it. */
export type RatePart = NonNullable<MeasuredRate['parts']>[number];

/** A measured rate of one tier for one game, with its reasons as text. */
export type MeasuredRate = SettingValue<'guarantee_rates'>[string][string];
