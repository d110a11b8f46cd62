import { z } from 'zod';
import { amountError } from '#contract/rules/amounts.ts';
import { MAX_ORDER_HOURS, MAX_ORDER_UNITS } from '#subjects/services/rules/package-units.ts';
import { hoursProblem } from '../rules/opening-hours.ts';
import { typedAmount, typedContact } from '#contract/rules/texts/typed.ts';
import { flag, json, money, optionalInt, optionalText, optionalTyped, text, time, typed } from '#contract/wire.ts';

/** The common parts of shops, boosters and companions (domain.md 6). This file declares no calls. */
export const providerStatuses = ['reviewing', 'approved', 'refused', 'suspended', 'left'] as const;

const deposit = z.object({
  level: z.number().int(),
  levelName: z.string().nullable(),
  paid: money,
  required: money.nullable(),
});

/** A record as its owner sees it. */
export const providerRecord = {
  status: z.enum(providerStatuses),
  statusName: z.string(),
  reviewNote: z.string().nullable(),
  /** A changed profile waits for review while the old one stays in use. */
  hasPending: z.boolean(),
  name: z.string(),
  avatar: z.string(),
  intro: z.string(),
  games: z.array(z.object({ gameId: z.number().int(), name: z.string() })),
  pictures: z.array(z.object({ key: z.string(), url: z.string() })),
  online: z.boolean(),
  deposit,
  doneNum: z.number().int(),
  onTimeRate: z.number().nullable(),
  goodRate: z.number().nullable(),
  createTime: time,
};

/** Ids of one to `max` games, as JSON text. */
export const gameIds = (max: number) =>
  json(
    z.array(z.number().int().min(1).max(1_000_000)).min(1, '请至少选择一个游戏').max(max, `最多选择 ${max} 个游戏`),
    '游戏',
  );

export const proofs = json(z.array(z.string().max(80)).max(9, '凭证最多 9 张'), '凭证');

/** The fields common to all applications. Contact details are stored encrypted, for staff only. */
export const applyFields = {
  name: text(24, { min: 2, label: '名称' }),
  intro: text(500, { label: '介绍' }).default(''),
  gameIds: gameIds(20),
  contact: typed(typedContact, text(40, { min: 5, label: '联系方式' })),
  depositLevel: optionalInt({ min: 1, max: 9, label: '保证金等级' }),
  pictures: proofs.default([]),
};

/** The same fields for changes; absent fields are left unchanged. */
export const changeFields = {
  name: text(24, { min: 2, label: '名称' }).optional(),
  intro: optionalText(500, '介绍'),
  gameIds: gameIds(20).optional(),
  contact: optionalTyped(typedContact, 40, '联系方式'),
  avatar: z
    .string()
    .max(80)
    .regex(/^[a-z0-9/._-]*$/i, '头像不正确')
    .optional(),
  pictures: proofs.optional(),
  isOnline: flag.optional(),
  act: z.enum(['save', 'leave', 'rejoin'], { error: '操作不正确' }).default('save'),
};

export const applied = z.object({ status: z.enum(providerStatuses), statusName: z.string(), deposit });

const units = ['次', '小时', '局', '天', '星', '段'] as const;
export const serviceModes = ['account', 'together', 'online'] as const;

/** Games in which a service can be offered, with the kinds of service to choose from. */
export const serviceGames = z.array(
  z.object({
    gameId: z.number().int(),
    name: z.string(),
    kinds: z.array(z.object({ value: z.number().int(), label: z.string() })),
    /** Ranks from low to high, for a package that leads from one to another; empty where the game has none. */
    ranks: z.array(z.object({ value: z.number().int(), label: z.string() })),
  }),
);

/** A package on offer: price, scope, time (page setMeal). */
export const servicePackage = z.object({
  packageSn: z.string(),
  /** Number of its listing; null while it was never on sale. */
  goodsSn: z.string().nullable(),
  /** Option of the game's field for kinds of service; null where the game has none. */
  kind: z.number().int().nullable(),
  gameId: z.number().int(),
  gameName: z.string(),
  goodsTypeId: z.number().int(),
  /** Boosting: the ranks that it leads from and to; null for other work. */
  route: z.object({ from: z.number().int(), to: z.number().int() }).nullable(),
  title: z.string(),
  scope: z.string(),
  unit: z.enum(units),
  price: money,
  minNum: z.number().int(),
  maxNum: z.number().int(),
  minutes: z.number().int(),
  mode: z.enum(serviceModes),
  modeName: z.string(),
  safetyDeposit: money,
  efficiencyDeposit: money,
  milestones: z.array(z.object({ title: z.string(), sharePercent: z.number() })),
  status: z.number().int(),
  statusName: z.string(),
  /** Its listing can be ordered. */
  isOnSale: z.boolean(),
  soldNum: z.number().int(),
  /** Why its listing was rejected. */
  reviewNote: z.string().nullable(),
});

/** Yuan as plain text, because packages store it in this form. */
const yuan = typed(
  typedAmount,
  z.string().superRefine((text, ctx) => {
    const wrong = amountError(text) ?? (/^\d{8}/.test(text) ? '金额不能超过 9999999.99 元' : null);
    if (wrong !== null) ctx.addIssue({ code: 'custom', message: wrong });
  }),
);

/**
 * Packages to save: one with `packageSn` changes that package, one without is new. The milestones' shares add up to 100
 * percent.
 */
export const packageChanges = json(
  z
    .array(
      z
        .object({
          packageSn: z.string().max(32).optional(),
          gameId: z.number().int().min(1),
          kind: z.number().int().min(1).max(99).optional(),
          route: z
            .object({ from: z.number().int().min(0).max(9999), to: z.number().int().min(0).max(9999) })
            .nullable()
            .optional(),
          title: z.string().trim().min(4, '套餐标题至少 4 个字').max(60, '套餐标题不能超过 60 个字'),
          scope: z.string().trim().min(4, '请写明服务内容').max(500, '服务内容不能超过 500 个字'),
          unit: z.enum(units, { error: '计价单位不正确' }).default('次'),
          price: yuan,
          minNum: z.number().int().min(1).max(10_000).default(1),
          /** Absent: as many as an order may have. */
          maxNum: z.number().int().min(1).max(10_000).optional(),
          minutes: z.number().int().min(1, '请填写所需时间').max(129_600, '所需时间过长'),
          mode: z.enum(serviceModes, { error: '服务方式不正确' }),
          safetyDeposit: yuan.default('0'),
          efficiencyDeposit: yuan.default('0'),
          milestones: z
            .array(z.object({ title: z.string().trim().min(1).max(40), sharePercent: z.number().min(0.01).max(100) }))
            .max(20, '阶段最多 20 个')
            .default([]),
          status: z.number().int().min(1).max(3).default(1),
        })
        .transform((p) => ({ ...p, maxNum: p.maxNum ?? (p.unit === '小时' ? MAX_ORDER_HOURS : MAX_ORDER_UNITS) }))
        .refine((p) => p.maxNum >= p.minNum, '最大数量不能小于最小数量')
        .refine(
          (p) =>
            p.milestones.length === 0 ||
            Math.round(p.milestones.reduce((sum, m) => sum + m.sharePercent * 100, 0)) === 10_000,
          '各阶段占比之和应为 100%',
        ),
    )
    .max(50, '套餐最多 50 个'),
  '套餐',
);

/** Opening hours: day 0 is Monday, in minutes of the day, China time. */
export const hours = json(
  z
    .array(
      z.object({
        day: z.number().int().min(0).max(6),
        fromMinute: z.number().int().min(0).max(1439),
        toMinute: z.number().int().min(1).max(1440),
      }),
    )
    .max(28, '接单时段最多 28 个')
    .superRefine((list, ctx) => {
      const problem = hoursProblem(list);
      if (problem) ctx.addIssue({ code: 'custom', message: problem });
    }),
  '接单时段',
);
export const visibleHours = z.array(
  z.object({ day: z.number().int(), fromMinute: z.number().int(), toMinute: z.number().int() }),
);
