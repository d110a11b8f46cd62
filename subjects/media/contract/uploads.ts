import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { flag, int, json, nothing, optionalInt, optionalText, sn, time } from '#contract/wire.ts';

const purpose = z.enum(['goods', 'chat', 'avatar', 'evidence'], { error: '图片用途不正确' }).default('goods');

/**
 * Where and how to upload a file: a multipart POST with every one of `fields` first and `file` last, as object storages
 * require. S3 wants a field `Content-Type` with the file's type before the file. Call `uploadDone` with the key
 * afterwards.
 */
const uploadTicket = z.object({
  provider: z.enum(['local', 'qiniu', 's3']),
  uploadUrl: z.string(),
  /** Qiniu's upload token, also among the fields; '' for storages that authorise by the fields alone. */
  token: z.string(),
  key: z.string(),
  /** Fields to be sent to the storage unchanged. */
  fields: z.record(z.string(), z.string()),
  maxBytes: z.number().int(),
  mimeTypes: z.array(z.string()),
  expireTime: time,
});

/** For one picture that is deleted unless it is attached to something. Key, size and type are fixed in the token. */
export const imagesTempUploadToken = endpoint({
  method: 'GET',
  path: '/api/comm/imagesTempUploadToken',
  auth: 'login',
  summary: '临时图片上传令牌',
  input: z.object({ purpose }),
  data: uploadTicket,
  limit: 'upload',
});

export const qiniuToken = endpoint({
  method: 'GET',
  path: '/api/comm/qiniuToken',
  auth: 'login',
  summary: '图片上传令牌',
  input: z.object({ purpose }),
  data: uploadTicket,
  limit: 'upload',
});

/**
 * Called after a direct upload: the server reads the file, re-encodes it and returns the key that other calls accept.
 */
export const uploadDone = endpoint({
  method: 'POST',
  path: '/api/comm/uploadDone',
  auth: 'login',
  summary: '直传完成',
  input: z.object({ key: z.string({ error: '图片不能为空' }).regex(/^[\w/.-]{1,120}$/, '图片不正确'), purpose }),
  data: z.object({ key: z.string(), imageUri: z.string(), width: z.number().int(), height: z.number().int() }),
  limit: 'upload',
});

/** For an order or for a conversation with customer service. A repeated rating replaces the earlier one. */
export const serSatiEval = endpoint({
  method: 'POST',
  path: '/api/comm/serSatiEval',
  auth: 'login',
  summary: '客服满意度评价',
  about: '同一会话可以再次评价，以最后一次为准。',
  input: z
    .object({
      groupId: z
        .string()
        .regex(/^\d{1,15}$/, '群编号不正确')
        .optional(),
      orderSn: sn.optional(),
      score: int({ min: 1, max: 5, label: '评分' }),
      solved: flag.optional(),
      tags: json(z.array(z.string().max(12)).max(6), '标签').default([]),
      content: optionalText(300, '评价内容'),
    })
    .refine((v) => v.groupId !== undefined || v.orderSn !== undefined, {
      error: '请选择要评价的会话',
      path: ['groupId'],
    }),
  data: nothing,
  limit: 'write',
});

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
