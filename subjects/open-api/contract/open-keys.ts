import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { API_KEY_DAYS, API_MAX_DROPS, API_NETWORKS_MAX, API_OVERLAP_HOURS, API_SCOPES } from '../rules/api-keys.ts';
import { networkError } from '../rules/networks.ts';
import { int, json, nothing, paging, text, time } from '#contract/wire.ts';

const keyId = int({ min: 1, label: '密钥' });

/** A whole number out of a short list. */
const oneOf = (choices: readonly number[], label: string) =>
  int({ max: 1000, label }).refine((n) => choices.includes(n), `请选择${label}`);

const apiKey = z.object({
  keyId: z.number().int(),
  /** The public half, which requests contain. */
  publicId: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(API_SCOPES)),
  networks: z.array(z.string()),
  maxDropPercent: z.number().int(),
  status: z.enum(['active', 'expired', 'revoked']),
  createTime: time,
  expireTime: time,
  lastUseTime: time.nullable(),
  /** The network of the last use, masked. */
  lastNetwork: z.string().nullable(),
  /** The secret from before the last rotation is valid until then. */
  previousUntil: time.nullable(),
});
export type ApiKeyItem = z.output<typeof apiKey>;

/** The caller's keys, newest first; revoked and expired ones stay in the list for thirty days. */
export const apiKeyList = endpoint({
  method: 'GET',
  path: '/api/openKeys/list',
  auth: 'login',
  summary: '我的开放接口密钥',
  input: z.object({}),
  data: z.object({ list: z.array(apiKey), canCreate: z.boolean() }),
  limit: 'read',
});

/** Creates a key, after a step-up (purpose apiKey). `secret` is returned only once. */
export const apiKeyCreate = endpoint({
  method: 'POST',
  path: '/api/openKeys/create',
  auth: 'login',
  summary: '新建开放接口密钥',
  about: '先调用 POST /api/user/stepUp，purpose 为 apiKey。secret 只返回一次。',
  input: z.object({
    name: text(30, { min: 1, label: '名称' }),
    scopes: json(z.array(z.enum(API_SCOPES, { error: '权限不正确' })).min(1, '请至少选择一项权限'), '权限'),
    days: oneOf(API_KEY_DAYS, '有效期'),
    maxDropPercent: oneOf(API_MAX_DROPS, '降价上限'),
    networks: json(
      z
        .array(
          z.string().superRefine((one, ctx) => {
            const message = networkError(one);
            if (message !== undefined) ctx.addIssue({ code: 'custom', message });
          }),
        )
        .max(API_NETWORKS_MAX, `最多填写 ${API_NETWORKS_MAX} 个地址`),
      '允许的地址',
    ).default([]),
  }),
  data: z.object({ key: apiKey, secret: z.string() }),
  limit: 'write',
});

/** Gives a key a new secret, after a step-up; the old one stays valid for `overlapHours`. `secret` is returned only once. */
export const apiKeyRotate = endpoint({
  method: 'POST',
  path: '/api/openKeys/rotate',
  auth: 'login',
  summary: '更换密钥的签名密码',
  input: z.object({ keyId, overlapHours: oneOf(API_OVERLAP_HOURS, '旧密码保留时间') }),
  data: z.object({ key: apiKey, secret: z.string() }),
  limit: 'write',
});

/** Ends a key immediately. Needs no step-up: a user who notices a leak must not be kept waiting. */
export const apiKeyRevoke = endpoint({
  method: 'POST',
  path: '/api/openKeys/revoke',
  auth: 'login',
  summary: '停用密钥',
  input: z.object({ keyId }),
  data: nothing,
  limit: 'write',
});

/** The calls of a key in the last thirty days, newest first. */
export const apiKeyCalls = endpoint({
  method: 'GET',
  path: '/api/openKeys/calls',
  auth: 'login',
  summary: '密钥的调用记录',
  input: z.object({ keyId, cursor: paging.cursor, pageSize: paging.pageSize }),
  data: z.object({
    list: z.array(
      z.object({
        callId: z.number().int(),
        callTime: time,
        method: z.string(),
        path: z.string(),
        /** Description of the call. */
        summary: z.string(),
        code: z.number().int(),
        /** The text of the error; null when the call succeeded. */
        failure: z.string().nullable(),
        ms: z.number().int(),
        network: z.string(),
      }),
    ),
    next: z.string().nullable(),
  }),
  limit: 'read',
});
