import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { getGoodsList } from '#subjects/goods/contract/goods.ts';
import { flag, int, nothing, sn, text, time } from '#contract/wire.ts';

const frequencies = ['now', 'daily'] as const;
const alertId = int({ min: 1, label: '订阅' });
const frequency = z.enum(frequencies, { error: '提醒频率不正确' });

/**
 * Subscribes to a search: matching listings that are new or became cheaper cause a notification. The filters are those
 * of the list call; `path` is the list's URL, for linking back. Saving the same search again returns the existing
 * subscription.
 */
export const saveSearchAlert = endpoint({
  method: 'POST',
  path: '/api/goods/saveSearchAlert',
  auth: 'login',
  summary: '订阅搜索',
  input: getGoodsList.input.omit({ pages: true, pageSize: true, cursor: true, sort: true }).extend({
    title: text(80, { min: 1, label: '名称' }),
    path: z.string().regex(/^\/wares\?[\w.~%&=:,+*-]{0,900}$/, '搜索地址不正确'),
    frequency: frequency.default('now'),
  }),
  data: z.object({ alertId: z.number().int(), repeated: z.boolean() }),
  idempotent: true,
  limit: 'write',
});

/** The caller's saved searches, newest first. There are at most fifty, so the list is not paged. */
export const searchAlertList = endpoint({
  method: 'GET',
  path: '/api/goods/searchAlertList',
  auth: 'login',
  summary: '我的搜索订阅',
  input: z.object({}),
  data: z.object({
    list: z.array(
      z.object({
        alertId: z.number().int(),
        title: z.string(),
        path: z.string(),
        frequency: z.enum(frequencies),
        paused: z.boolean(),
        /** Number of matching listings that went on sale after the search was saved. */
        matches: z.number().int(),
        lastTime: time.nullable(),
        createTime: time,
      }),
    ),
  }),
  limit: 'read',
});

/** Changes the notification frequency of a saved search, pauses it, or removes it. */
export const updateSearchAlert = endpoint({
  method: 'POST',
  path: '/api/goods/updateSearchAlert',
  auth: 'login',
  summary: '修改或删除搜索订阅',
  input: z.object({
    alertId,
    act: z.enum(['now', 'daily', 'pause', 'resume', 'remove'], { error: '操作不正确' }),
  }),
  data: nothing,
  limit: 'write',
});

/** Sets which changes of followed listings cause notifications. Following a listing switches both on. */
export const followAlerts = endpoint({
  method: 'POST',
  path: '/api/goods/followAlerts',
  auth: 'login',
  summary: '收藏商品的提醒',
  input: z.object({ goodsSn: sn, drop: flag, back: flag }),
  data: z.object({ drop: z.boolean(), back: z.boolean() }),
  limit: 'write',
});
