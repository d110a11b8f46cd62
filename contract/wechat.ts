import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { login } from './user.ts';
import { nothing, time } from './wire.ts';

/** A QR as text to encode and as a drawn SVG. */
const qr = { url: z.string(), qrSvg: z.string() };

/**
 * Starts a log-in by QR. The code is bound to this browser by a cookie, lives five minutes and is redeemed once. `bind` ties the
 * WeChat to the signed-in user in place of logging in, and wants the owner's step-up (purpose thirdParty).
 */
export const wechatLogin = endpoint({
  method: 'POST',
  path: '/api/operation/wechat_login',
  auth: 'public',
  summary: '微信扫码登录：取二维码',
  input: z.object({
    act: z.enum(['login', 'bind'], { error: '操作不正确' }).default('login'),
    smsCode: z
      .string()
      .regex(/^(\d{6})?$/, '请输入 6 位数字验证码')
      .optional(),
  }),
  data: z.object({ code: z.string(), ...qr, expireTime: time }),
  limit: 'login',
});

/**
 * Asked every 1.5 s as `/api/operation/wechat_login/{code}u/` (product.md 7). A code is hexadecimal, so the `u` behind it is never
 * part of it. `token` is null until the phone has confirmed.
 */
export const wechatLoginResult = endpoint({
  method: 'GET',
  path: '/api/operation/wechat_login',
  auth: 'public',
  summary: '微信扫码登录：查询结果',
  input: z.object({
    code: z
      .string({ error: '登录二维码编号不能为空' })
      .regex(/^[0-9a-f]{32,64}u?$/, '登录二维码编号不正确')
      .transform((code) => code.replace(/u$/, '')),
  }),
  data: z.object({
    status: z.enum(['pending', 'scanned', 'confirmed', 'expired']),
    token: z.string().nullable(),
    /** What a log-in answers; null until then. */
    login: login.data.nullable(),
    /** Nobody has this WeChat yet: whoever logs in or registers next in this browser may bind it (bindThirdPartyTicket). */
    bindTicket: z.string().nullable(),
    /** The WeChat is now bound to the user who asked (`act` bind). */
    bound: z.boolean(),
  }),
  idField: 'code',
  limit: 'read',
});

export const PublicWechatQRCode = endpoint({
  method: 'GET',
  path: '/api/operation/PublicWechatQRCode',
  auth: 'public',
  summary: '公众号二维码',
  input: z.object({}),
  data: z.object({ ...qr, name: z.string(), text: z.string() }),
  limit: 'read',
});

/** A QR of the official account that binds its follower to the signed-in user. */
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

/** status 1 bound, 0 not. */
export const bindWeChatOfficialAccountPushStatus = endpoint({
  method: 'GET',
  path: '/api/user/bindWeChatOfficialAccountPushStatus',
  auth: 'login',
  summary: '公众号推送是否已绑定',
  input: z.object({}),
  data: z.object({ status: z.number().int(), bindTime: time.nullable() }),
  limit: 'read',
});

/** The demo market's stand-in for WeChat: what the phone does when it follows by a QR. Exists only while that stand-in answers. */
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

const provider = z.enum(['wechat', 'qq'], { error: '登录方式不正确' });

/** The provider's redirect comes back with a code and the state that we gave; the state is bound to this browser. */
export const thirdPartyAuthorizationUserFromLogin = endpoint({
  method: 'POST',
  path: '/api/user/thirdPartyAuthorizationUserFromLogin',
  auth: 'public',
  summary: '第三方登录回调',
  input: z.object({
    provider,
    code: z.string({ error: '授权码不能为空' }).regex(/^[\w.-]{1,200}$/, '授权码不正确'),
    state: z.string({ error: '授权状态不能为空' }).regex(/^[\w-]{16,128}$/, '授权状态不正确'),
  }),
  data: z.object({ login: login.data.nullable(), bindTicket: z.string().nullable(), bound: z.boolean() }),
  limit: 'login',
});

/** Binds what a log-in by a third party has proved, once its owner has logged in or registered in the same browser. */
export const bindThirdPartyTicket = endpoint({
  method: 'POST',
  path: '/api/user/bindThirdPartyTicket',
  auth: 'login',
  summary: '登录后绑定第三方账号',
  input: z.object({ ticket: z.string({ error: '绑定凭据不能为空' }).regex(/^[\w-]{43}$/, '绑定凭据不正确') }),
  data: z.object({ provider }),
  limit: 'write',
});

export const unBindThirdPartyAuthorization = endpoint({
  method: 'POST',
  path: '/api/user/unBindThirdPartyAuthorization',
  auth: 'login',
  summary: '解除第三方登录',
  input: z.object({
    provider,
    /** Of purpose thirdParty; absent after a step-up. */
    smsCode: z
      .string()
      .regex(/^\d{6}$/, '请输入 6 位数字验证码')
      .optional(),
  }),
  data: nothing,
  limit: 'write',
});

/** Ways to log in that the user has bound, and those that are open on this site. */
export const thirdPartyBindings = endpoint({
  method: 'GET',
  path: '/api/user/thirdPartyBindings',
  auth: 'login',
  summary: '已绑定的第三方登录',
  input: z.object({}),
  data: z.object({
    list: z.array(
      z.object({ provider, name: z.string(), bound: z.boolean(), open: z.boolean(), bindTime: time.nullable() }),
    ),
  }),
  limit: 'read',
});
