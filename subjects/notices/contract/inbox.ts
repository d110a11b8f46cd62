import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { optionalInt, flag, time, json, nothing } from '#contract/wire.ts';

const deliveryState = z.enum(['site', 'wechat', 'sms', 'email', 'push']);

/** In-site notices, newest first. */
export const noticeList = endpoint({
  method: 'GET',
  path: '/api/comm/noticeList',
  auth: 'login',
  summary: '我的消息',
  input: z.object({
    cursor: z
      .string()
      .max(200)
      .regex(/^[A-Za-z0-9_-]*$/, '游标不正确')
      .optional(),
    pageSize: optionalInt({ min: 1, max: 50, label: '每页数量' }),
    group: z
      .enum(['order', 'money', 'goods', 'chat', 'security', 'service', 'activity'], { error: '分类不正确' })
      .optional(),
    unread: flag.optional(),
  }),
  data: z.object({
    list: z.array(
      z.object({
        id: z.number().int(),
        kind: z.string(),
        group: z.string(),
        title: z.string(),
        body: z.string(),
        link: z.string().nullable(),
        read: z.boolean(),
        createTime: time,
      }),
    ),
    unread: z.record(z.string(), z.number().int()),
    total: z.number().int(),
    totalCapped: z.boolean().optional(),
    next: z.string().nullable(),
  }),
  limit: 'read',
});

/** Without `ids` all notices are marked as read. */
export const noticeRead = endpoint({
  method: 'POST',
  path: '/api/comm/noticeRead',
  auth: 'login',
  summary: '消息设为已读',
  input: z.object({ ids: json(z.array(z.number().int().min(1)).max(100), '消息').optional() }),
  data: z.object({ unread: z.number().int() }),
  limit: 'write',
});

/** Each kind of notice with its channels. Kinds about money or security cannot be switched off. */
export const noticeSettings = endpoint({
  method: 'GET',
  path: '/api/comm/noticeSettings',
  auth: 'login',
  summary: '消息提醒设置',
  input: z.object({}),
  data: z.object({
    kinds: z.array(
      z.object({
        kind: z.string(),
        name: z.string(),
        group: z.string(),
        channels: z.array(deliveryState),
        offered: z.array(deliveryState),
        /** Channels that cannot be switched off for this kind. */
        fixed: z.array(deliveryState),
        frequency: z.enum(['now', 'daily']),
        optional: z.boolean(),
      }),
    ),
    quiet: z.object({ fromMinute: z.number().int(), toMinute: z.number().int() }).nullable(),
    /** Channels that can reach this user now; the others need a mailbox, a WeChat or a browser to be bound first. */
    reach: z.array(deliveryState),
  }),
  limit: 'read',
});

export const saveNoticeSettings = endpoint({
  method: 'POST',
  path: '/api/comm/saveNoticeSettings',
  auth: 'login',
  summary: '保存消息提醒设置',
  input: z.object({
    kinds: json(
      z
        .array(
          z.object({
            kind: z.string().regex(/^[a-z_.]{2,40}$/, '消息类型不正确'),
            channels: z.array(deliveryState).max(5),
            frequency: z.enum(['now', 'daily']).default('now'),
          }),
        )
        .max(60),
      '提醒设置',
    ).default([]),
    quietFrom: optionalInt({ max: 1439, label: '免打扰开始' }),
    quietTo: optionalInt({ max: 1439, label: '免打扰结束' }),
    /** Leaves quiet hours unchanged; without it, two empty times switch them off. */
    keepQuiet: flag.optional(),
  }),
  data: nothing,
  limit: 'write',
});
