import type { ExchangeKind } from '#subjects/orders/rules/exchange.ts';
import type { StepField } from '#subjects/orders/rules/sealed-fields.ts';

/** Goods types of domain.md 1. Orders use the same numbers. */
export const GOODS_TYPE_NAMES = {
  1: '账号',
  2: '游戏币',
  8: '首充号',
  22: '元宝',
  27: '道具',
  50: '寄售账号',
  60: '代练',
  61: '陪玩',
} as const;

export type GoodsTypeId = keyof typeof GOODS_TYPE_NAMES;

/** The goods types whose buyer receives a whole account, and which therefore need a hand-over of bindings. */
export const ACCOUNT_TYPES: readonly GoodsTypeId[] = [1, 8, 50];

export type CoinUnit = '万金币' | '金币' | '万基纳' | '基纳' | '万钻石' | '钻石' | '万宝票' | '宝票';

/** Scene of a game, which chooses the line drawing of its icon and covers (subjects/games/rules/game-motif.ts). */
export type SceneKind =
  | 'ridge'
  | 'contour'
  | 'arch'
  | 'crystal'
  | 'city'
  | 'orbit'
  | 'hex'
  | 'road'
  | 'waves'
  | 'clouds'
  | 'castle'
  | 'bamboo'
  | 'lantern'
  | 'forest'
  | 'dunes'
  | 'cards'
  | 'islands'
  | 'shrine';

export interface OptionSeed {
  /** Short, because it becomes a search token `key:v`. */
  v: string | number;
  label: string;
  /** Other terms that sellers use for it in titles and stock lists. */
  aliases?: string[];
}

/**
 * How the value of each kind lies in a listing's attributes:
 * single → the option's v; multi → array of v; range → integer; bool → true or false;
 * item_count → record of option v to count; text → string.
 */
export type FieldKind = 'single' | 'multi' | 'range' | 'bool' | 'item_count' | 'text';

export interface FieldSeed {
  key: string;
  label: string;
  /** Other column names for it in sellers' stock lists. */
  aliases?: string[];
  kind: FieldKind;
  options?: OptionSeed[];
  unit?: string;
  min?: number;
  max?: number;
  /** Where nine of ten real listings lie; the demo goods are drawn from it, and forms may hint at it. */
  typical?: [low: number, high: number];
  required: boolean;
  /** Shown as a chip on cards and rows. */
  inCard: boolean;
  filterable: boolean;
  /** The filter offers all, any and at least N. Only for multi and item_count. */
  multiModes?: true;
  /** Column n1 to n4 of the search table; every filterable range has one, unique in its game. */
  numericSlot?: 1 | 2 | 3 | 4;
  goodsTypes: GoodsTypeId[];
  help?: string;
  sort: number;
}

export interface StepSeed {
  key: string;
  title: string;
  actor: 'seller' | 'buyer' | 'staff';
  /** Time that the actor has, in minutes. */
  minutes: number;
  /** A picture must be handed in before the step counts as done. */
  evidence: boolean;
  required: boolean;
  /** Must be done before the order can go to shipped; the others come between shipped and completed. */
  beforeShip: boolean;
  /** The input goes into the sealed form and never into the chat. */
  secret?: boolean;
  /** Fields of the sealed form of a secret step. */
  fields?: StepField[];
  /** Whether the parties exchange a phone or an email under seal; the actor operates the game. */
  exchange?: ExchangeKind;
  /** Facts of the goods that make the step needless: a field's shown value ('未绑定', '否'), and the reason that people read. */
  unless?: { field: string; value: string; reason: string }[];
  explain: string;
}

/** Hand-over of goods that are not accounts. */
export interface DeliverySeed {
  goodsTypes: GoodsTypeId[];
  steps: StepSeed[];
}

export interface ServerSeed {
  id: number;
  name: string;
}

export interface AreaSeed {
  id: number;
  name: string;
  servers: ServerSeed[];
}

export interface GameSeed {
  id: number;
  code: string;
  name: string;
  /** Other names of the game in stock lists and searches. */
  aliases: string[];
  /** 1 端游 (PC), 2 手游 (mobile). */
  gameType: 1 | 2;
  /** Pinyin initial of the name, A to Z. */
  initial: string;
  pinyin: string;
  initials: string;
  /** The one character on its icon. */
  char: string;
  /** Hue of its pictures, 0 to 360 (OKLCH). */
  hue: number;
  scene: SceneKind;
  /** Rank among the hot games, 1 is first; 0 is not hot. */
  hot: number;
  coinUnit?: CoinUnit;
  /** One yuan buys this many units, typically. */
  coinRatio?: number;
  /** Goods type with which the search starts (product.md 9: 1, and 8 for game 18). */
  defaultGoodsTypeId: GoodsTypeId;
  goodsTypes: { id: GoodsTypeId; name: string }[];
  areas: AreaSeed[];
  fields: FieldSeed[];
  /** Steps of a whole account (goods types 1, 8 and 50), in order. */
  handover: StepSeed[];
  /** Steps of the other goods types that the game trades. */
  deliveries: DeliverySeed[];
  /** Log-normal price of accounts: median and spread, cut to the bounds (facts: price ranges of peers). */
  price: { medianYuan: number; sigma: number; minYuan: number; maxYuan: number };
}
