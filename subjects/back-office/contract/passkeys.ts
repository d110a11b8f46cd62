import { z } from 'zod';
import { staffFactorCode } from './staff.ts';
import { endpoint, staffRead, staffWrite } from '#contract/endpoint.ts';
import { int, json, nothing, text, time } from '#contract/wire.ts';

/** Passkeys of staff (WebAuthn, decision 537). Options and responses are those of the browser's API, as JSON. */

const base64url = z.string().regex(/^[\w-]{1,4000}$/);
const credential = { id: base64url, rawId: base64url, type: z.literal('public-key') };
const attachment = z.enum(['platform', 'cross-platform']).optional();

/** A new credential, as returned by `navigator.credentials.create`. */
const registration = json(
  z.object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: z.array(z.string().max(20)).max(10).optional(),
    }),
    authenticatorAttachment: attachment,
    clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
  }),
  '通行密钥',
);
/** A signature, as returned by `navigator.credentials.get`. */
const assertion = json(
  z.object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: base64url.optional(),
    }),
    authenticatorAttachment: attachment,
    clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
  }),
  '通行密钥',
);

/** The options as JSON text: the browser's API defines their form. */
const options = z.object({ options: z.string() });

/** The caller's own passkeys. */
export const passkeyList = staffRead('/api/backstage/passkey/list', '我的通行密钥', {
  input: z.object({}),
  data: z.object({
    list: z.array(
      z.object({
        passkeyId: z.number().int(),
        name: z.string(),
        /** Stored by a password manager or account, so it survives the loss of the device. */
        isSynced: z.boolean(),
        createTime: time,
        lastTime: time.nullable(),
      }),
    ),
    /** The caller may release money, so this market accepts no code instead. */
    isRequired: z.boolean(),
  }),
});

/** Options for a new passkey, or for proving one again. */
export const passkeyOptions = staffWrite('/api/backstage/passkey/options', '通行密钥的参数', {
  input: z.object({ purpose: z.enum(['register', 'stepUp'], { error: '操作不正确' }) }),
  data: options,
  limit: 'login',
});

/** Registers a passkey: the first one with a code of the authenticator app, further ones after a step-up. */
export const passkeyRegister = staffWrite('/api/backstage/passkey/register', '登记通行密钥', {
  input: z.object({
    name: text(20, { min: 1, label: '名称' }),
    code: staffFactorCode.optional(),
    response: registration,
  }),
  data: z.object({ passkeyId: z.number().int() }),
  limit: 'login',
});

export const passkeyRemove = staffWrite('/api/backstage/passkey/remove', '移除通行密钥', {
  input: z.object({ passkeyId: int({ min: 1, label: '通行密钥' }) }),
  data: nothing,
});

/** The second factor again, by a passkey. */
export const passkeyStepUp = staffWrite('/api/backstage/passkey/stepUp', '用通行密钥再次验证', {
  input: z.object({ response: assertion }),
  data: z.object({ validUntil: time }),
  limit: 'login',
});

/** Options for logging in; they identify no one. Only on the back office's own host. */
export const passkeyLoginOptions = endpoint({
  method: 'POST',
  path: '/api/backstage/passkey/loginOptions',
  auth: 'public',
  summary: '用通行密钥登录的参数',
  input: z.object({}),
  data: options,
  limit: 'login',
});

/** Logs in with a passkey, which combines possession with a PIN or fingerprint. Only on the back office's own host. */
export const passkeyLogin = endpoint({
  method: 'POST',
  path: '/api/backstage/passkey/login',
  auth: 'public',
  summary: '用通行密钥登录',
  input: z.object({ response: assertion }),
  data: z.object({
    token: z.string(),
    csrfToken: z.string(),
    staffId: z.number().int(),
    name: z.string(),
    role: z.string(),
  }),
  limit: 'login',
});

/**
 * Removes all passkeys of a colleague who has lost them: one person requests it, a second one approves or rejects it. `done` = the
 * passkeys are removed and the colleague is logged out.
 */
export const recoverPasskeys = staffWrite('/api/backstage/staff/recoverPasskeys', '找回通行密钥', {
  input: z.object({
    staffId: int({ min: 1, label: '员工' }),
    act: z.enum(['confirm', 'reject'], { error: '操作不正确' }),
    reason: text(200, { min: 2, label: '原因' }),
  }),
  data: z.object({ state: z.enum(['waiting', 'done', 'rejected']) }),
});
