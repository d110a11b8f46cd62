import { z } from 'zod';
import { isQq, isWechatId } from '#subjects/verification/rules/account-ids.ts';
import { typedAccountId, typedCode, typedIdCard } from '#contract/rules/texts/typed.ts';
import { endpoint } from '#contract/endpoint.ts';
import { flag, money, nothing, optionalTyped, phone, text, time, sixDigits, typed } from '#contract/wire.ts';

const smsCode = sixDigits('请输入验证码', '请输入 6 位数字验证码');

/** 6 to 64 characters: the specification limits typed passwords to 6 to 18, longer ones are accepted. */
const password = z.string({ error: '请输入密码' }).min(6, '密码至少 6 个字符').max(64, '密码不能超过 64 个字符');

/** The signed-in user (product.md 3, User info). */
export const userInfoData = z.object({
  userId: z.string(),
  nickName: z.string(),
  actor: z.string(),
  avatar: z.string().nullable(),
  unionNum: z.string(),
  coin: money,
  frozenCoin: money,
  depositCoin: money,
  inviteCode: z.string(),
  sellGoodsNum: z.number().int(),
  followNum: z.number().int(),
  authStatus: z.number().int(),
  isAdult: z.boolean(),
  realNameMask: z.string().nullable(),
  contactMask: z.string(),
  phoneMask: z.string(),
  isHadPhone: z.boolean(),
  isHadPassWord: z.boolean(),
  isPayPassWord: z.boolean(),
  isHadEmail: z.boolean(),
  aliAccount: z.string().nullable(),
  wxAccount: z.string().nullable(),
  bankAccount: z.string().nullable(),
  isQuickShop: z.number().int(),
  isBooster: z.number().int(),
  isAccompanyer: z.number().int(),
  isOnline: z.boolean(),
  sellerLevel: z.number().int(),
  vipLevel: z.number().int(),
  securityScore: z.number(),
  unread: z.number().int(),
  createTime: time,
});

export const userInfo = endpoint({
  method: 'GET',
  path: '/api/user/userInfo',
  auth: 'login',
  summary: '当前登录用户',
  input: z.object({}),
  data: userInfoData,
  limit: 'read',
});

/** The result of a log-in: `token` is for the header; the credential itself is the HttpOnly cookie. */
const loggedIn = z.object({
  token: z.string(),
  csrfToken: z.string(),
  userId: z.string(),
  nickName: z.string(),
  actor: z.string(),
});

/** `client=app` requests a self-contained token and no cookies. */
const client = z.enum(['web', 'app'], { error: '客户端类型不正确' }).optional();

export const login = endpoint({
  method: 'POST',
  path: '/api/user/login',
  auth: 'public',
  summary: '手机号和密码登录',
  input: z.object({ username: phone, password, client }),
  data: loggedIn,
  limit: 'login',
});

export const loginBySmCode = endpoint({
  method: 'POST',
  path: '/api/user/loginBySmCode',
  auth: 'public',
  summary: '短信验证码登录',
  input: z.object({ phone, smsCode, client }),
  data: loggedIn,
  limit: 'login',
});

export const register = endpoint({
  method: 'POST',
  path: '/api/user/register',
  auth: 'public',
  summary: '注册',
  input: z.object({
    phone,
    smsCode,
    passWord: password,
    inviteCode: optionalTyped(typedCode, 16, '邀请码'),
    /** The user agreed to the published texts and declared to be 18; each consent is stored with its version. */
    agree: flag.optional(),
    client,
  }),
  data: loggedIn,
  limit: 'register',
});

export const forgetUserPassWord = endpoint({
  method: 'POST',
  path: '/api/user/forgetUserPassWord',
  auth: 'public',
  summary: '用短信验证码重置密码',
  input: z.object({ phone, smsCode, passWord: password }),
  data: nothing,
  limit: 'login',
});

/**
 * Ends the session on the server; the specified client only clears its cookies. Public, so that it also works for
 * restricted accounts, and reveals nothing to callers without a session.
 */
export const logout = endpoint({
  method: 'POST',
  path: '/api/user/logout',
  auth: 'public',
  summary: '退出登录',
  input: z.object({}),
  data: nothing,
});

export const qqLogin = endpoint({
  method: 'POST',
  path: '/api/user/qqLogin',
  auth: 'public',
  summary: 'QQ 登录（暂未开放）',
  input: z.object({}),
  data: nothing,
  limit: 'login',
});

/**
 * `kind` login: needs a step-up (purpose forget), sent with the call as `smsCode` or `payPassword`, or done before it.
 * `kind` pay: setting the first one needs an SMS code of purpose payPassword, changing it the old one, and resetting it
 * the code and the verified identity number.
 */
export const changeUserPassword = endpoint({
  method: 'POST',
  path: '/api/user/changeUserPassword',
  auth: 'login',
  summary: '修改登录密码或支付密码',
  input: z.object({
    kind: z.enum(['login', 'pay'], { error: '密码类型不正确' }).default('login'),
    oldPassWord: z.string().max(64).optional(),
    payPassword: z.string().max(64).optional(),
    smsCode: smsCode.optional(),
    idCard: optionalTyped(typedIdCard, 18, '身份证号'),
    passWord: password,
  }),
  data: nothing,
  limit: 'login',
});

export const changeUserUsualInfo = endpoint({
  method: 'POST',
  path: '/api/user/changeUserUsualInfo',
  auth: 'login',
  summary: '修改昵称、头像、联系方式、在线状态',
  input: z.object({
    nickName: text(24, { min: 1, label: '昵称' }).optional(),
    avatar: z
      .string()
      .max(80)
      .regex(/^[a-z0-9/._-]*$/i, '头像不正确')
      .optional(),
    isOnline: flag.optional(),
    /** A QQ number, a WeChat id or a phone, visible only to customer service; the empty string removes it. */
    contact: typed(
      typedAccountId,
      z
        .string()
        .refine((value) => value === '' || isQq(value) || isWechatId(value), '请填写正确的 QQ 号、微信号或手机号'),
    ).optional(),
  }),
  data: z.object({ nickName: z.string() }),
  limit: 'write',
});

/**
 * `smsCode` was sent to the old number (purpose changePhone) and may be absent after a step-up, `newSmsCode` to the new
 * one (purpose bind). Other sessions end, and withdrawals are paused for 24 h.
 */
export const changeBindPhone = endpoint({
  method: 'POST',
  path: '/api/user/changeBindPhone',
  auth: 'login',
  summary: '更换手机号',
  input: z.object({ smsCode: smsCode.optional(), phone, newSmsCode: smsCode }),
  data: z.object({ phoneMask: z.string() }),
  limit: 'login',
});

const debt = z.object({
  debtId: z.number().int(),
  amount: money,
  rest: money,
  reason: z.string(),
  orderSn: z.string().nullable(),
  createTime: time,
  settledTime: time.nullable(),
});

export const capitalManagement = endpoint({
  method: 'GET',
  path: '/api/user/capitalManagement',
  auth: 'login',
  summary: '余额、冻结、保证金与收支',
  input: z.object({}),
  data: z.object({
    coin: money,
    frozenCoin: money,
    depositCoin: money,
    income30: money,
    expense30: money,
    holds: z.array(
      z.object({
        amount: money,
        code: z.string(),
        reason: z.string(),
        ref: z.string(),
        orderSn: z.string().nullable(),
        releaseTime: time.nullable(),
        createTime: time,
        /**
         * Parts that are released early, by the seller's level; no time while a dispute or a claim has stopped them.
         */
        stages: z.array(z.object({ amount: money, time: time.nullable(), released: z.boolean() })),
      }),
    ),
    /** The caller's debts, open ones first; deducted from income as it arrives (platform rule 6.3). */
    debts: z.array(debt),
    /** The debts of other users to the caller. */
    owed: z.array(debt),
  }),
  limit: 'read',
});

/** Pays the caller's debts from the balance, oldest first, as far as it suffices. */
export const payDebts = endpoint({
  method: 'POST',
  path: '/api/user/payDebts',
  auth: 'login',
  summary: '用余额偿还欠款',
  input: z.object({}),
  data: z.object({ paid: money, rest: money }),
  idempotent: true,
  limit: 'write',
});

export const getUserInviteCode = endpoint({
  method: 'GET',
  path: '/api/user/getUserInviteCode',
  auth: 'login',
  summary: '邀请码与分享链接',
  input: z.object({}),
  data: z.object({ inviteCode: z.string(), shareUrl: z.string(), invited: z.number().int(), rewardTotal: money }),
  limit: 'read',
});
