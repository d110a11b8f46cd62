import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { webhookEvents } from '../rules/webhooks.ts';
import { flag, int, json, nothing, paging, text, time } from '#contract/wire.ts';

const endpointId = int({ min: 1, label: '推送地址' });
const deliveryId = int({ min: 1, label: '推送记录' });
const url = text(300, { min: 1, label: '推送地址' });
const events = json(z.array(z.enum(webhookEvents, { error: '事件不正确' })).min(1, '请至少选择一个事件'), '事件');

const webhook = z.object({
  endpointId: z.number().int(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  status: z.enum(['on', 'off', 'disabled']),
  /** Failures in a row. */
  fails: z.number().int(),
  failingSince: time.nullable(),
  /** The receiver answered 410 and is disabled for that. */
  isGone: z.boolean(),
  /** Nothing is sent before, after several failures or by the receiver's Retry-After. */
  pausedUntil: time.nullable(),
  createTime: time,
});
export type WebhookItem = z.output<typeof webhook>;

export const webhookList = endpoint({
  method: 'GET',
  path: '/api/webhooks/list',
  auth: 'login',
  summary: '我的事件推送地址',
  input: z.object({}),
  data: z.object({ list: z.array(webhook) }),
  limit: 'read',
});

/** Adds an address, after a step-up (purpose apiKey). `secret` is returned only once. */
export const webhookCreate = endpoint({
  method: 'POST',
  path: '/api/webhooks/create',
  auth: 'login',
  summary: '新增事件推送地址',
  about:
    '先调用 POST /api/user/stepUp，purpose 为 apiKey。secret 只返回一次：去掉前缀 whsec_ 后按 Base64 解码，就是验证签名的 HMAC-SHA256 密钥（Standard Webhooks）。',
  input: z.object({ url, events }),
  data: z.object({ endpoint: webhook, secret: z.string() }),
  limit: 'write',
});

/** Changes the events, or switches an address off and on. Switching it on resets its failures. */
export const webhookUpdate = endpoint({
  method: 'POST',
  path: '/api/webhooks/update',
  auth: 'login',
  summary: '修改事件推送地址',
  input: z.object({ endpointId, events: events.optional(), on: flag.optional() }),
  data: webhook,
  limit: 'write',
});

export const webhookRemove = endpoint({
  method: 'POST',
  path: '/api/webhooks/remove',
  auth: 'login',
  summary: '删除事件推送地址',
  input: z.object({ endpointId }),
  data: nothing,
  limit: 'write',
});

/** Sends a test event immediately, also to an address that is paused. */
export const webhookTest = endpoint({
  method: 'POST',
  path: '/api/webhooks/test',
  auth: 'login',
  summary: '发送测试事件',
  input: z.object({ endpointId }),
  data: z.object({ deliveryId: z.number().int() }),
  limit: 'write',
});

export const deliveryStatuses = ['waiting', 'sent', 'failed', 'stopped'] as const;

const delivery = z.object({
  deliveryId: z.number().int(),
  /** The event's number, the same at each attempt. */
  publicId: z.string(),
  endpointId: z.number().int(),
  url: z.string(),
  event: z.string(),
  status: z.enum(deliveryStatuses),
  attempts: z.number().int(),
  /** The HTTP status of the last attempt, or why there is none. */
  lastStatus: z.number().int().nullable(),
  lastFailure: z.string().nullable(),
  nextTime: time.nullable(),
  createTime: time,
  sentTime: time.nullable(),
});
export type DeliveryItem = z.output<typeof delivery>;

export const webhookDeliveries = endpoint({
  method: 'GET',
  path: '/api/webhooks/deliveries',
  auth: 'login',
  summary: '事件推送记录',
  input: z.object({
    status: z.enum(deliveryStatuses, { error: '状态不正确' }).optional(),
    cursor: paging.cursor,
    pageSize: paging.pageSize,
  }),
  data: z.object({ list: z.array(delivery), next: z.string().nullable() }),
  limit: 'read',
});

export const webhookDelivery = endpoint({
  method: 'GET',
  path: '/api/webhooks/delivery',
  auth: 'login',
  summary: '一次事件推送的经过',
  input: z.object({ deliveryId }),
  data: delivery.extend({
    body: z.string(),
    tries: z.array(
      z.object({
        tryTime: time,
        ms: z.number().int(),
        status: z.number().int().nullable(),
        failure: z.string().nullable(),
        requestHead: z.string(),
        responseHead: z.string(),
      }),
    ),
  }),
  limit: 'read',
});

/** Sends an event again under its own number, regardless of its outcome. */
export const webhookReplay = endpoint({
  method: 'POST',
  path: '/api/webhooks/replay',
  auth: 'login',
  summary: '重新推送',
  input: z.object({ deliveryId }),
  data: nothing,
  limit: 'write',
});
