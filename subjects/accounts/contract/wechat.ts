import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { login } from './user.ts';
import { typedDigits } from '#contract/rules/texts/typed.ts';
import { nothing, time, typed } from '#contract/wire.ts';

/** A QR as the text to encode and as a rendered SVG. */
export const qr = { url: z.string(), qrSvg: z.string() };

/**
 * Starts a log-in by QR. The code is bound to this browser by a cookie, is valid for five minutes and can be redeemed
 * once. `bind` binds the WeChat to the signed-in user instead of logging in, and needs a step-up by the account's owner
 * (purpose thirdParty).
 */
export const wechatLogin = endpoint({
  method: 'POST',
  path: '/api/operation/wechat_login',
  auth: 'public',
  summary: '微信扫码登录：取二维码',
  input: z.object({
    act: z.enum(['login', 'bind'], { error: '操作不正确' }).default('login'),
    smsCode: typed(typedDigits, z.string().regex(/^(\d{6})?$/, '请输入 6 位数字验证码')).optional(),
  }),
  data: z.object({
    code: z.string(),
    ...qr,
    /** The redirect URL for a browser inside WeChat; it returns to `/login/wechat` with the code as `state`. */
    redirectUrl: z.string(),
    expireTime: time,
  }),
  limit: 'login',
});

/**
 * Polled every 1.5 s as `/api/operation/wechat_login/{code}u/` (product.md 7). A code is hexadecimal, so the `u` after
 * it is never part of it. `token` is null until the phone has confirmed.
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
    /** The result of the log-in; null until then. */
    login: login.data.nullable(),
    /**
     * The WeChat is not bound to any user: the next user who logs in or registers in this browser may bind it
     * (bindThirdPartyTicket).
     */
    bindTicket: z.string().nullable(),
    /** The WeChat is now bound to the user who requested it (`act` bind). */
    bound: z.boolean(),
  }),
  idField: 'code',
  limit: 'read',
});

const provider = z.enum(['wechat', 'qq'], { error: '登录方式不正确' });

/** The provider's redirect returns a code and the state that we issued; the state is bound to this browser. */
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

/** Binds the account proved by a third-party log-in, once its owner has logged in or registered in the same browser. */
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
    /** Code of purpose thirdParty; absent after a step-up. */
    smsCode: typed(typedDigits, z.string().regex(/^\d{6}$/, '请输入 6 位数字验证码')).optional(),
  }),
  data: nothing,
  limit: 'write',
});

/** Log-in methods that the user has bound, and those that are available on this site. */
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
