import { z } from 'zod';
import { disputeField } from './dispute.ts';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { disputedTypes, REASON_FIELDS_MAX } from '../rules/dispute-reasons.ts';
import { flag, int, json, text, time } from '#contract/wire.ts';

const code = z.string({ error: '代码不能为空' }).regex(/^[a-z_]{2,40}$/, '代码为 2 到 40 个小写字母或下划线');

const field = z
  .object({
    key: z.string().regex(/^[a-z][a-z0-9_]{0,30}$/, '字段代码不正确'),
    label: text(30, { min: 2, label: '字段名称' }),
    kind: disputeField.shape.kind,
    options: z
      .array(text(20, { min: 1, label: '选项' }))
      .max(12, '最多 12 个选项')
      .optional(),
    side: disputeField.shape.side,
    required: z.boolean(),
  })
  .refine(({ kind, options = [] }) => kind !== 'choice' || options.length >= 2, '选项字段至少要有 2 个选项');

const stored = {
  name: z.string(),
  goodsTypes: z.array(z.number().int()).nullable(),
  orderStates: z.array(z.number().int()),
  form: z.array(disputeField),
  evidence: z.string(),
  sort: z.number().int(),
  isOn: z.boolean(),
  version: z.number().int(),
  changedBy: z.string().nullable(),
  changeTime: time,
  reason: z.string(),
};

/** Every reason, retired ones too, in the order in which the parties see them. */
export const disputeReasons = staffRead('/api/backstage/reason/list', '申诉原因', {
  input: z.object({}),
  data: z.object({
    list: z.array(z.object({ code: z.string(), ...stored, disputes: z.number().int(), open: z.number().int() })),
    canEdit: z.boolean(),
  }),
});
export type DisputeReason = z.output<typeof disputeReasons.data>['list'][number];

export const disputeReasonHistory = staffRead('/api/backstage/reason/history', '申诉原因的历史', {
  input: z.object({ code }),
  data: z.object({ list: z.array(z.object(stored)) }),
});

/** A new reason (version 0) or a new version of one; disabling a reason is a version too. */
export const saveDisputeReason = staffWrite('/api/backstage/reason/save', '保存申诉原因', {
  input: z.object({
    code,
    version: int({ max: 1_000_000, label: '版本' }),
    name: text(40, { min: 2, label: '名称' }),
    /** Empty = every type. */
    goodsTypes: json(
      z.array(z.literal(disputedTypes, { error: '商品类型不正确' })).max(disputedTypes.length),
      '商品类型',
    ),
    orderStates: json(
      z
        .array(z.literal([0, 1, 2, 3], { error: '订单状态不正确' }))
        .min(1, '至少选择一种订单状态')
        .max(4),
      '订单状态',
    ),
    form: json(
      z
        .array(field)
        .max(REASON_FIELDS_MAX, `最多 ${REASON_FIELDS_MAX} 个字段`)
        .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, '字段代码重复'),
      '表单',
    ),
    evidence: text(200, { label: '凭证要求' }),
    sort: int({ max: 9999, label: '排序' }),
    isOn: flag,
    reason: text(200, { min: 2, label: '原因' }),
  }),
  data: z.object({ version: z.number().int() }),
});
