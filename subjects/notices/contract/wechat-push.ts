import { endpoint } from '#contract/endpoint.ts';
import { z } from 'zod';
import { qr } from '#subjects/accounts/contract/wechat.ts';
import { time } from '#contract/wire.ts';

export const PublicWechatQRCode = endpoint({
  method: 'GET',
  path: '/api/operation/PublicWechatQRCode',
  auth: 'public',
  summary: '公众号二维码',
  input: z.object({}),
  data: z.object({ ...qr, name: z.string(), text: z.string() }),
  limit: 'read',
});

/** The signature for WeChat's JS-SDK on a page of the requested host, which sets the card of shared links; null without an official account. */
export const wechatPageConfig = endpoint({
  method: 'GET',
  path: '/api/operation/wechat_js',
  auth: 'public',
  summary: '微信网页分享签名',
  input: z.object({ url: z.string({ error: '网址不能为空' }).max(500, '网址过长') }),
  data: z
    .object({
      appId: z.string(),
      timestamp: z.number().int(),
      nonceStr: z.string(),
      signature: z.string(),
    })
    .nullable(),
  limit: 'read',
});

/** A QR of the official account; following by it binds the follower to the signed-in user. */
export const bindWeChatOfficialAccountPush = endpoint({
  method: 'POST',
  path: '/api/user/bindWeChatOfficialAccountPush',
  auth: 'login',
  summary: '绑定公众号推送',
  input: z.object({ act: z.enum(['bind', 'unbind'], { error: '操作不正确' }).default('bind') }),
  data: z.object({
    bound: z.boolean(),
    url: z.string().nullable(),
    qrSvg: z.string().nullable(),
    expireTime: time.nullable(),
  }),
  limit: 'write',
});

/** `status` is a BindingStatus. */
export const bindWeChatOfficialAccountPushStatus = endpoint({
  method: 'GET',
  path: '/api/user/bindWeChatOfficialAccountPushStatus',
  auth: 'login',
  summary: '公众号推送是否已绑定',
  input: z.object({}),
  /** `isOpen`: the official account is not switched off on this site. */
  data: z.object({ status: z.number().int(), bindTime: time.nullable(), isOpen: z.boolean() }),
  limit: 'read',
});

/**
 * The demo market's WeChat adapter: simulates a phone that follows by a QR. Exists only while that adapter is active.
 */
export const followAccount = endpoint({
  method: 'POST',
  path: '/api/operation/followAccount',
  auth: 'public',
  summary: '公众号：模拟扫码关注（仅本机实现）',
  input: z.object({
    scene: z.string({ error: '二维码编号不能为空' }).regex(/^[0-9a-f]{32}$/, '二维码编号不正确'),
  }),
  data: z.object({ bound: z.boolean() }),
  limit: 'write',
});
