import { z } from 'zod';
import '#contract/chinese.ts';
import { COMPUTER_GAME, MOBILE_GAME, coinUnits } from '#contract/rules/catalogue.ts';
import { stepSchema } from './games.ts';

/** Names of the scenes of games; several share a line drawing (subjects/games/rules/game-motif.ts). */
export const gameScenes = [
  'hills',
  'ridge',
  'contour',
  'arch',
  'crystal',
  'city',
  'orbit',
  'hex',
  'road',
  'waves',
  'clouds',
  'castle',
  'bamboo',
  'lantern',
  'forest',
  'dunes',
  'cards',
  'islands',
  'shrine',
] as const;

const MAX_GAME_ID = 20_000;
const controls = /[\u0000-\u001f\u007f]/;

/** One line of text, as stored: no control characters, at most `max` characters. May be empty, because a draft may be unfinished. */
const line = (max: number) =>
  z
    .string()
    .max(max, `不能超过 ${max} 个字`)
    .refine((s) => !controls.test(s) && s.isWellFormed(), '含有不支持的字符')
    .transform((s) => s.normalize('NFC').trim());
const whole = (min: number, max: number) =>
  z.number('应为整数').int('应为整数').min(min, `不能小于 ${min}`).max(max, `不能大于 ${max}`);
const off = z.literal(true).optional();
const id = whole(1, 2_147_483_647).optional();

const server = z.strictObject({ id, name: line(20), off, mergedInto: id });
const area = z.strictObject({ id, name: line(20), off, servers: z.array(server).max(3000) });
const option = z.strictObject({
  v: z.union([whole(-1_000_000_000, 1_000_000_000), z.string().max(32)]),
  label: line(40),
  aliases: z.array(line(40)).max(20).optional(),
  retired: off,
});
const field = z.strictObject({
  key: line(32),
  label: line(20),
  aliases: z.array(line(40)).max(20).optional(),
  kind: z.enum(['single', 'multi', 'range', 'bool', 'item_count', 'text']),
  options: z.array(option).max(500).optional(),
  unit: line(8).optional(),
  min: whole(-2_147_483_647, 2_147_483_647).optional(),
  max: whole(-2_147_483_647, 2_147_483_647).optional(),
  typical: z.tuple([z.number(), z.number()]).optional(),
  required: z.boolean(),
  inCard: z.boolean(),
  filterable: z.boolean(),
  numericSlot: whole(1, 4).optional(),
  goodsTypes: z.array(whole(1, 99)).max(8),
  help: line(120).optional(),
  retired: off,
});
const step = z.strictObject({
  ...stepSchema.shape,
  key: line(32),
  title: line(20),
  minutes: whole(0, 100_000),
  unless: z
    .array(z.strictObject({ field: line(32), value: line(40), reason: line(60) }))
    .max(10)
    .optional(),
  explain: line(200),
});
const delivery = z.strictObject({ goodsTypes: z.array(whole(1, 99)).max(8), steps: z.array(step).max(30) });

/**
 * A whole game as one document. The editor shows it, a version stores it, and a file contains it. This schema checks the structure
 * and the sizes; the conditions for publishing are in rules/game-check.ts.
 */
export const gameDoc = z.strictObject({
  /** Only in files: the preferred number of the game, used if it is free. */
  id: whole(1, MAX_GAME_ID).optional(),
  code: line(20),
  name: line(20),
  aliases: z.array(line(40)).max(100),
  /** 1 PC, 2 mobile. */
  gameType: z.union([z.literal(COMPUTER_GAME), z.literal(MOBILE_GAME)], {
    error: '应为 1（端游）或 2（手游）',
  }),
  initial: line(1),
  pinyin: line(60),
  initials: line(20),
  /** The character shown in its drawn icon. */
  glyph: line(2),
  hue: whole(0, 360),
  scene: z.enum(gameScenes),
  /** Key of an uploaded icon; null = drawn. A file never contains one. */
  icon: z.string().max(80).nullable().default(null),
  /** Rank among the hot games; 0 = not hot. */
  hot: whole(0, 999),
  coinUnit: z.enum(coinUnits).nullable(),
  /** Units of coin for one yuan, typically. */
  coinRatio: z.number().positive('应大于 0').max(1_000_000_000).nullable(),
  defaultType: whole(1, 99),
  goodsTypes: z.array(z.strictObject({ id: whole(1, 99), name: line(10) })).max(8),
  areas: z.array(area).max(200),
  fields: z.array(field).max(80),
  handover: z.strictObject({ accounts: z.array(step).max(30), deliveries: z.array(delivery).max(8) }),
});
export type GameDoc = z.output<typeof gameDoc>;
export type AreaDoc = GameDoc['areas'][number];
export type ServerDoc = AreaDoc['servers'][number];
export type FieldDoc = GameDoc['fields'][number];
export type OptionDoc = NonNullable<FieldDoc['options']>[number];
export type StepDoc = GameDoc['handover']['accounts'][number];

export const GAME_FILE_FORMAT = 'youshi-games';
export const GAME_FILE_VERSION = 1;

/** A file of games. Its version is increased when an older reader could misread it. */
export const gameFile = z.strictObject({
  format: z.literal(GAME_FILE_FORMAT, { error: `应为 ${GAME_FILE_FORMAT}` }),
  version: z.literal(GAME_FILE_VERSION, { error: `只支持版本 ${GAME_FILE_VERSION}` }),
  games: z.array(gameDoc).min(1, '文件里没有游戏').max(500),
});
