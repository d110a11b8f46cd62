import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { optionalInt, optionalText, int } from '#contract/wire.ts';
import { sealedFieldKeys, type SealedFieldKey } from '#subjects/orders/rules/sealed-fields.ts';

const gameItem = z.object({
  id: z.number().int(),
  code: z.string(),
  name: z.string(),
  gameType: z.number().int(),
  initial: z.string(),
  hot: z.number().int(),
  icon: z.string(),
  hue: z.number().int(),
  coinUnit: z.string().nullable(),
  goodsTypeAndNameMap: z.record(z.string(), z.string()),
  onSale: z.number().int(),
  /** Listings of other games under one name, such as the market's own section. */
  isCollection: z.boolean(),
});

export const gameList = endpoint({
  method: 'GET',
  path: '/api/comm/gameList',
  auth: 'public',
  summary: '游戏列表',
  input: z.object({
    rec: optionalInt({ max: 1, label: '推荐' }),
    type: optionalInt({ max: 2, label: '游戏类型' }),
    initial: z
      .string()
      .regex(/^[A-Za-z]?$/, '首字母不正确')
      .optional(),
    keyWord: optionalText(40, '关键词'),
  }),
  data: z.object({ list: z.array(gameItem) }),
  limit: 'read',
});

/**
 * A field of a game's form and filter (domain.md 4): single, multi with ALL, ANY or at least N, range, yes/no, item ×
 * count, text.
 */
export const fieldSchema = z.object({
  key: z.string(),
  label: z.string(),
  kind: z.enum(['single', 'multi', 'range', 'bool', 'item_count', 'text']),
  options: z
    .array(z.object({ v: z.union([z.string(), z.number()]), label: z.string(), retired: z.boolean().optional() }))
    .optional(),
  unit: z.string().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  required: z.boolean(),
  inCard: z.boolean(),
  filterable: z.boolean(),
  multiModes: z.boolean().optional(),
  numericSlot: z.number().int().optional(),
  goodsTypes: z.array(z.number().int()),
  help: z.string().optional(),
  /** Hidden in new forms; existing listings still show their value. */
  retired: z.boolean().optional(),
  sort: z.number(),
});

export type Field = z.output<typeof fieldSchema>;

/** A field of the sealed form as required by a step. */
const stepFieldSchema = z.object({
  key: z.enum(sealedFieldKeys as [SealedFieldKey, ...SealedFieldKey[]]),
  label: z.string().optional(),
  required: z.boolean(),
});

/** A hand-over step of a game (domain.md 2). */
export const stepSchema = z.object({
  key: z.string(),
  title: z.string(),
  actor: z.enum(['seller', 'buyer', 'staff']),
  minutes: z.number(),
  evidence: z.boolean(),
  required: z.boolean(),
  beforeShip: z.boolean(),
  secret: z.boolean().optional(),
  /** Fields of the sealed form of a secret step. */
  fields: z.array(stepFieldSchema).optional(),
  /** Sealed data that the parties exchange to bind the account to the buyer; the actor is the one who operates the game. */
  exchange: z.enum(['phone', 'mail']).optional(),
  /**
   * Attribute values of the listing that make the step unnecessary: a field with its displayed value, and the reason
   * shown to users.
   */
  unless: z.array(z.object({ field: z.string(), value: z.string(), reason: z.string() })).optional(),
  explain: z.string(),
});

export type Step = z.output<typeof stepSchema>;

export const gamefilter = endpoint({
  method: 'GET',
  path: '/api/comm/gamefilter',
  auth: 'public',
  summary: '游戏的筛选字段',
  input: z.object({
    gameId: int({ max: 1_000_000, label: '游戏' }),
    goodsTypeId: optionalInt({ max: 99, label: '商品类型' }),
  }),
  data: z.object({
    gameId: z.number().int(),
    gameName: z.string(),
    version: z.number().int(),
    fields: z.array(fieldSchema),
  }),
  idField: 'gameId',
  limit: 'read',
});

export const crossList = endpoint({
  method: 'GET',
  path: '/api/comm/crossList',
  auth: 'public',
  summary: '游戏的大区和服务器',
  input: z.object({ gameId: int({ max: 1_000_000, label: '游戏' }) }),
  data: z.object({
    list: z.array(
      z.object({
        specialId: z.number().int(),
        specialName: z.string(),
        secondOptions: z.array(z.object({ twoSpecialId: z.number().int(), twoSpecialName: z.string() })),
      }),
    ),
  }),
  idField: 'gameId',
  limit: 'read',
});

/**
 * A step of the catalogue that is unnecessary because of the listing's attributes; it is placed after step `afterStep`.
 */
export const ruledOutStep = z.object({
  afterStep: z.number().int(),
  key: z.string(),
  title: z.string(),
  reason: z.string(),
});
