import { z } from 'zod';
import { type SealedFieldKey, sealedFieldKeys } from '#subjects/orders/rules/sealed-fields.ts';
import { endpoint } from './endpoint.ts';
import { idCardProblem } from '#subjects/verification/rules/id-card.ts';
import { flag, int, optionalInt, optionalText, plainPhone, text, time, typed } from './wire.ts';
import { typedIdCard } from './rules/typed.ts';

/** Purposes of a code for a number given by the caller: 'bind' proves the new number of an account. */
export const smsPurposes = ['register', 'login', 'forget', 'bind'] as const;
/** Purposes of a code for the signed-in user's own number; 'forget' changes the login password. */
export const ownSmsPurposes = [
  'forget',
  'payout',
  'payee',
  'payPassword',
  'changePhone',
  'email',
  'thirdParty',
  'close',
  'export',
  'apiKey',
] as const;

/** The response is the same for known and unknown numbers (reliability.md b.3). */
export const clientSms = endpoint({
  method: 'POST',
  path: '/api/comm/client/sms',
  auth: 'public',
  summary: '发送短信验证码',
  input: z.object({ phone: plainPhone, type: z.enum(smsPurposes, { error: '验证码用途不正确' }) }),
  /** `unconfirmed`: the SMS provider did not confirm in time; the code may arrive later. */
  data: z.object({ waitSeconds: z.number().int(), unconfirmed: z.boolean() }),
  limit: 'sms',
});

/** Sends the code to the signed-in user's own number. */
export const smsBindPhone = endpoint({
  method: 'POST',
  path: '/api/comm/smsBindPhone',
  auth: 'login',
  summary: '向已绑定手机发送验证码',
  input: z.object({ type: z.enum(ownSmsPurposes, { error: '验证码用途不正确' }).default('payout') }),
  data: z.object({ waitSeconds: z.number().int(), unconfirmed: z.boolean(), phoneMask: z.string() }),
  limit: 'sms',
});

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

/** A picture of a listing: its address, that of its thumbnail, and its size in px. */
export const picture = z.object({
  url: z.string(),
  thumb: z.string(),
  width: z.number().int(),
  height: z.number().int(),
});

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

const certificate = z.object({
  authStatus: z.number().int(),
  nameMask: z.string().nullable(),
  idMask: z.string().nullable(),
  isAdult: z.boolean(),
  /** False if the operator switched real-name checks off: no one can be verified here. */
  isOpen: z.boolean(),
  verifiedTime: time.nullable(),
  /** A check by face, if the operator offers it; otherwise null. */
  face: z
    .object({
      /** Address of the vendor's script in the browser, whose `getMetaInfo()` gives `metaInfo`; null if none is needed. */
      script: z.string().nullable(),
      /** A check was begun and has not ended. */
      isBegun: z.boolean(),
    })
    .nullable(),
});

export const certificateInfo = endpoint({
  method: 'GET',
  path: '/api/comm/certificateInfo',
  auth: 'login',
  summary: '我的实名状态',
  input: z.object({}),
  data: certificate,
  limit: 'read',
});

export const queryCertificateInfo = endpoint({
  method: 'GET',
  path: '/api/comm/queryCertificateInfo',
  auth: 'login',
  summary: '实名认证结果',
  input: z.object({}),
  data: certificate,
  limit: 'read',
});

const person = {
  realName: text(32, { min: 2, label: '姓名' }),
  idCard: typed(
    typedIdCard,
    z.string({ error: '身份证号不能为空' }).superRefine((number, issues) => {
      const problem = idCardProblem(number, Date.now());
      if (problem !== null) issues.addIssue({ code: 'custom', message: problem });
    }),
  ),
};

/** Submits a real-name verification. The specification names only the calls for its state and its result. */
export const submitCertificate = endpoint({
  method: 'POST',
  path: '/api/comm/submitCertificate',
  auth: 'login',
  summary: '提交实名认证',
  input: z.object(person),
  data: certificate,
  limit: 'verify',
});

/**
 * Begins a real-name verification by face instead of by number alone, at a page of the vendor's. The user consents to it separately from everything
 * else and may choose the other way (docs/decisions/302).
 */
export const beginFaceCheck = endpoint({
  method: 'POST',
  path: '/api/comm/beginFaceCheck',
  auth: 'login',
  summary: '开始人脸核验',
  input: z.object({
    ...person,
    /** The device information from the vendor's script. */
    metaInfo: text(4000, { label: '设备信息' }).default(''),
    isAgreed: flag.refine((agreed) => agreed, '请先同意人脸核验的说明'),
  }),
  /** The page for the user. */
  data: z.object({ url: z.string() }),
  limit: 'verify',
});

/** Records the result of the last check that was begun. */
export const finishFaceCheck = endpoint({
  method: 'POST',
  path: '/api/comm/finishFaceCheck',
  auth: 'login',
  summary: '查看人脸核验的结果',
  input: z.object({}),
  data: certificate,
  limit: 'verify',
});

/**
 * Multipart upload of one PNG or JPEG up to 10 MB (product.md 5). The picture is re-encoded; returns its immutable key.
 */
export const upload = endpoint({
  method: 'POST',
  path: '/api/comm/upload',
  auth: 'login',
  summary: '上传图片',
  file: { about: 'PNG 或 JPEG，不超过 10 MB' },
  input: z.object({
    purpose: z.enum(['goods', 'chat', 'avatar', 'evidence'], { error: '图片用途不正确' }).default('goods'),
  }),
  data: z.object({ key: z.string(), imageUri: z.string(), width: z.number().int(), height: z.number().int() }),
  limit: 'upload',
});

/** A field of a listing as staff read it; `said` is the seller's own entry if it differs. */
export const inspectedField = z.object({
  label: z.string(),
  value: z.string(),
  said: z.string().nullable(),
  reader: z.string(),
  readTime: time,
});
