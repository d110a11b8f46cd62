import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { nothing } from '#contract/wire.ts';

/** For the bell: the number of unread notices (100 means more than 99), and the newest of them. */
export const noticeUnread = endpoint({
  method: 'GET',
  path: '/api/comm/noticeUnread',
  auth: 'login',
  summary: '未读消息数',
  input: z.object({}),
  data: z.object({ total: z.number().int(), latestId: z.number().int().nullable() }),
  limit: 'read',
});

/**
 * The key with which a browser verifies that pushes come from us (RFC 8292): base64url of an uncompressed P-256 point.
 */
export const pushKey = endpoint({
  method: 'GET',
  path: '/api/comm/pushKey',
  auth: 'login',
  summary: '浏览器推送公钥',
  input: z.object({}),
  data: z.object({ publicKey: z.string(), bound: z.number().int() }),
  limit: 'read',
});

const endpointUrl = z.string({ error: '推送地址不能为空' }).regex(/^https:\/\/[^\s]{10,800}$/, '推送地址不正确');
const key = (min: number, max: number) =>
  z.string({ error: '推送密钥不正确' }).regex(new RegExp(`^[A-Za-z0-9_-]{${min},${max}}$`), '推送密钥不正确');

/** Binds this browser to the signed-in user, replacing another user's binding. At most ten per user. */
export const pushSubscribe = endpoint({
  method: 'POST',
  path: '/api/comm/pushSubscribe',
  auth: 'login',
  summary: '开启浏览器推送',
  input: z.object({ endpoint: endpointUrl, p256dh: key(86, 88), auth: key(21, 24) }),
  data: nothing,
  limit: 'write',
});

export const pushUnsubscribe = endpoint({
  method: 'POST',
  path: '/api/comm/pushUnsubscribe',
  auth: 'login',
  summary: '关闭浏览器推送',
  input: z.object({ endpoint: endpointUrl }),
  data: nothing,
  limit: 'write',
});
