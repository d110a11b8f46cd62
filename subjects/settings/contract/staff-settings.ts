import { z } from 'zod';
import { beginning as from } from '#contract/form-moment.ts';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { int, json, nothing, text, time } from '#contract/wire.ts';

const key = z.string({ error: '请选择设置项' }).regex(/^(?:[A-Za-z_]{2,40}|tier:[a-z_]{2,20})$/, '设置项不存在');
const version = int({ max: 1_000_000, label: '版本' });
const reason = text(200, { min: 2, label: '原因' });
/** The input of the fields, by path: '5' for a rate of 5 %, '500' for 500 yuan. */
const typed = json(
  z
    .record(z.string().max(60), z.string().max(600, '内容过长'), { error: '设置内容不正确' })
    .refine((value) => Object.keys(value).length <= 120, '设置内容不正确'),
  '设置内容',
);
const values = z.record(z.string(), z.string());

const planned = z.object({
  version: z.number().int(),
  values,
  fromTime: time,
  createdBy: z.string().nullable(),
  reason: z.string(),
});

const draft = z.object({
  draftId: z.number().int(),
  values,
  /** null = as soon as it is approved. */
  fromTime: time.nullable(),
  createdBy: z.string(),
  isMine: z.boolean(),
  reason: z.string(),
});

/** Every setting with its current values, in input format; the registry (subjects/settings/rules/settings.ts) names the fields. */
export const settingList = staffRead('/api/backstage/setting/list', '交易设置', {
  input: z.object({}),
  data: z.object({
    list: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        values,
        /** The newest version, which a change must include. */
        version: z.number().int(),
        changedBy: z.string().nullable(),
        changeTime: time,
        reason: z.string(),
        /** A change needs a second person now. */
        needsSecond: z.boolean(),
        planned: planned.nullable(),
        draft: draft.nullable(),
      }),
    ),
    canChange: z.boolean(),
  }),
});
export type StaffSetting = z.output<typeof settingList.data>['list'][number];

export const settingHistory = staffRead('/api/backstage/setting/history', '一项设置的历史', {
  input: z.object({ key }),
  data: z.object({
    list: z.array(
      z.object({
        version: z.number().int(),
        values,
        /** The fields that this version changed. */
        changes: z.array(z.object({ label: z.string(), before: z.string(), after: z.string() })),
        fromTime: time,
        createTime: time,
        createdBy: z.string().nullable(),
        approvedBy: z.string().nullable(),
        revokedBy: z.string().nullable(),
        reason: z.string(),
        state: z.enum(['counts', 'planned', 'past', 'revoked']),
      }),
    ),
  }),
});

const exampleLine = z.object({ label: z.string(), before: z.string(), after: z.string(), changed: z.boolean() });

/** The effect of a change on three example orders, to the fen, and its errors by field. */
export const previewSetting = staffWrite('/api/backstage/setting/preview', '预览设置修改对示例订单的影响', {
  input: z.object({ key, values: typed }),
  data: z.object({
    problems: z.array(z.object({ path: z.string(), text: z.string() })),
    examples: z.array(z.object({ title: z.string(), detail: z.string(), lines: z.array(exampleLine) })),
  }),
  limit: 'read',
});
export type SettingExample = z.output<typeof previewSetting.data>['examples'][number];

export const changeSetting = staffWrite('/api/backstage/setting/change', '修改一项设置', {
  input: z.object({ key, version, values: typed, from, reason }),
  data: z.object({ state: z.enum(['counts', 'planned', 'waiting']) }),
});

/** The second person decides on the change that they have reviewed; its author withdraws it. */
export const decideSetting = staffWrite('/api/backstage/setting/decide', '复核设置修改', {
  input: z.object({
    key,
    draftId: int({ min: 1, label: '修改' }),
    act: z.enum(['approve', 'reject', 'withdraw'], { error: '操作不正确' }),
    reason,
  }),
  data: z.object({ state: z.enum(['counts', 'planned', 'rejected', 'withdrawn']) }),
});

export const revokeSetting = staffWrite('/api/backstage/setting/revoke', '撤销待生效的设置', {
  input: z.object({ key, version, reason }),
  data: nothing,
});
