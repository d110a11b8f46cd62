import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { nothing, text, time } from '#contract/wire.ts';

/**
 * The phone's part of a log-in by QR: the page opened by WeChat asks its owner for confirmation (subjects/accounts/contract/wechat.ts).
 */
const code = z.string({ error: '登录二维码编号不能为空' }).regex(/^[0-9a-f]{32,64}$/, '登录二维码编号不正确');
const phoneKey = z.string({ error: '请重新扫码' }).regex(/^[\w-]{43}$/, '请重新扫码');

/** Returns the details to confirm: the site, the browser and the deadline. */
export const wechatPhoneInfo = endpoint({
  method: 'GET',
  path: '/api/operation/wechat_phone',
  auth: 'public',
  summary: '微信扫码登录：手机端说明',
  input: z.object({ code }),
  data: z.object({
    siteName: z.string(),
    act: z.enum(['login', 'bind']),
    browser: z.string(),
    /** The IP address of the requesting browser, its end masked. */
    network: z.string(),
    /** The account that the WeChat is about to be bound to: nickname and masked phone; null for a log-in. */
    account: z.string().nullable(),
    status: z.enum(['pending', 'scanned', 'confirmed', 'expired']),
    expireTime: time,
    /** The local adapter is active: the page simulates the phone. */
    plays: z.boolean(),
  }),
  idField: 'code',
  limit: 'read',
});

/**
 * The phone's WeChat has identified its owner by an authorisation code. Returns the key that later calls of the same
 * phone need.
 */
export const wechatPhoneScan = endpoint({
  method: 'POST',
  path: '/api/operation/wechat_phone_scan',
  auth: 'public',
  summary: '微信扫码登录：手机端已扫码',
  input: z.object({
    code,
    authCode: z.string({ error: '授权码不能为空' }).regex(/^[\w.-]{1,300}$/, '授权码不正确'),
  }),
  data: z.object({ phoneKey: z.string() }),
  limit: 'login',
});

/** The owner of the phone confirms or rejects. */
export const wechatPhoneConfirm = endpoint({
  method: 'POST',
  path: '/api/operation/wechat_phone_answer',
  auth: 'public',
  summary: '微信扫码登录：手机端确认或取消',
  input: z.object({ code, phoneKey, act: z.enum(['confirm', 'cancel'], { error: '操作不正确' }) }),
  data: nothing,
  limit: 'login',
});

/**
 * The local adapter's WeChat: takes a name and returns an authorisation code, valid for two minutes. Exists only while
 * that adapter is active.
 */
export const wechatPlay = endpoint({
  method: 'POST',
  path: '/api/operation/wechat_play',
  auth: 'public',
  summary: '本地微信：以某个微信身份授权',
  input: z.object({ account: text(20, { min: 1, label: '微信名' }) }),
  data: z.object({ authCode: z.string() }),
  limit: 'login',
});
