import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { providerStatuses } from './provider.ts';
import { amount, flag, int, listTail, money, nothing, optionalText, paging, text, time } from '#contract/wire.ts';

const kinds = ['shop', 'booster', 'companion', 'recycler'] as const;

const picture = z.object({ url: z.string(), thumb: z.string() });
const voice = z.object({ url: z.string(), seconds: z.number().int() }).nullable();

/** Shops, boosters and companions; pending applications and changes come first. */
export const providerList = staffRead('/api/backstage/provider/list', '入驻申请与服务商', {
  input: z.object({
    ...paging,
    kind: z.enum(kinds, { error: '类型不正确' }).optional(),
    status: z.enum(providerStatuses, { error: '状态不正确' }).optional(),
    waiting: flag.optional(),
  }),
  data: z.object({
    list: z.array(
      z.object({
        id: z.number().int(),
        kind: z.enum(kinds),
        kindName: z.string(),
        status: z.enum(providerStatuses),
        statusName: z.string(),
        userId: z.string(),
        nickName: z.string(),
        distName: z.string(),
        name: z.string(),
        avatar: z.string(),
        intro: z.string(),
        games: z.array(z.string()),
        contact: z.string(),
        notice: z.string(),
        pictures: z.array(picture),
        deposit: money,
        levelName: z.string().nullable(),
        doneNum: z.number().int(),
        /** The daily purchase limit of a recycler; null for other roles, and before admission. */
        dayLimit: money.nullable(),
        reviewNote: z.string().nullable(),
        /** The fields that a pending change would modify: label, before, after. */
        pending: z.array(z.object({ label: z.string(), before: z.string(), after: z.string() })),
        pendingPictures: z.array(picture),
        /** Voice clips of a companion, to be listened to: the one in use, or applied with, and a changed one. */
        voice,
        pendingVoice: voice,
        createTime: time,
        /** Sent with a decision, which fails if the change was edited in the meantime. */
        updateMark: z.string(),
      }),
    ),
    ...listTail,
  }),
  limit: 'search',
});

/**
 * `approve` and `refuse` decide an application or a pending change; `suspend` and `restore` apply to the role itself.
 */
export const reviewProvider = staffWrite('/api/backstage/provider/review', '审核入驻', {
  input: z
    .object({
      id: int({ min: 1, label: '申请编号' }),
      decision: z.enum(['approve', 'refuse', 'suspend', 'restore'], { error: '操作不正确' }),
      reason: optionalText(200, '原因'),
      updateMark: z.iso.datetime({ error: '页面已过期，请刷新', offset: true }),
    })
    .refine((v) => v.decision === 'approve' || v.decision === 'restore' || v.reason !== undefined, {
      error: '请写明原因',
      path: ['reason'],
    }),
  data: nothing,
});

/**
 * Changes the daily purchase limit of an admitted recycler. `seenLimit` is the limit that was on the screen; the call
 * changes nothing when it is out of date.
 */
export const setRecyclerLimit = staffWrite('/api/backstage/provider/recyclerLimit', '调整回收商每日额度', {
  input: z.object({
    id: int({ min: 1, label: '申请编号' }),
    limit: amount({ minFen: 100, maxFen: 9_999_999_900, label: '每日额度' }),
    seenLimit: amount({ minFen: 0, maxFen: 9_999_999_900, label: '原额度' }),
    reason: text(200, { min: 2, label: '原因' }),
  }),
  data: z.object({ limit: money }),
});
