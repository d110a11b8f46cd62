import { z } from 'zod';
import { externalUrl } from './config-url.ts';

/** Settings of WeChat: log-in and the official account's messages. */
export const wechatEnv = {
  WECHAT_LOGIN: z.enum(['stand-in', 'off', 'official-account']).optional(),
  OFFICIAL_ACCOUNT: z.enum(['stand-in', 'off', 'wechat']).optional(),
  WECHAT_OA_TITLE: z.string().min(1).optional(),
  WECHAT_OA_FOLLOW_URL: z.url().optional(),
  WECHAT_OA_TOKEN: z
    .string()
    .regex(/^[A-Za-z0-9]{3,32}$/)
    .optional(),
  WECHAT_OA_AES_KEY: z
    .string()
    .regex(/^[A-Za-z0-9]{43}$/)
    .optional(),
  WECHAT_OA_MESSAGES: z.enum(['template', 'subscribe']).default('template'),
  WECHAT_OA_TEMPLATE: z.string().min(1).optional(),
  WECHAT_OA_FIELDS: z.string().default('title=thing1,body=thing2,time=time3'),
  WECHAT_APP_ID: z.string().min(1).optional(),
  WECHAT_APP_SECRET: z.string().min(1).optional(),
  WECHAT_API_BASE: z.url().default('https://api.weixin.qq.com'),
};

const shape = z.object(wechatEnv);
type WechatEnv = z.output<typeof shape>;

export type WechatLoginConfig =
  | { readonly kind: 'stand-in' }
  | { readonly kind: 'off' }
  | { readonly kind: 'official-account'; readonly appId: string; readonly secret: string; readonly apiBase: string };

/** The service account that sends notices to its followers. */
export interface WechatAccountConfig {
  readonly kind: 'wechat';
  readonly apiBase: string;
  readonly appId: string;
  readonly secret: string;
  /** Its name as WeChat shows it. */
  readonly title: string;
  /** Content of its general QR code. */
  readonly followUrl: string;
  /** The token and key that its pushes are signed and encrypted with. */
  readonly token: string;
  readonly aesKey: string | undefined;
  readonly messages: 'template' | 'subscribe';
  readonly templateId: string;
  /** The template's field for title, body and time. */
  readonly fields: ReadonlyMap<string, string>;
}

export type OfficialAccountConfig = { readonly kind: 'stand-in' } | { readonly kind: 'off' } | WechatAccountConfig;

/**
 * Log-in by WeChat; the service account's id and secret alone switch it on. Throws an Error with a Chinese message when one of them is
 * missing.
 */
export function wechatLoginConfig(e: WechatEnv, production: boolean): WechatLoginConfig {
  const { WECHAT_APP_ID: appId, WECHAT_APP_SECRET: secret, WECHAT_API_BASE: apiBase } = e;
  if ((appId === undefined) !== (secret === undefined))
    throw new Error('设置有误：WECHAT_APP_ID 与 WECHAT_APP_SECRET 须同时设置');
  const kind = e.WECHAT_LOGIN ?? (appId === undefined ? 'stand-in' : 'official-account');
  if (kind !== 'official-account') return { kind };
  if (appId === undefined || secret === undefined)
    throw new Error('设置有误：WECHAT_LOGIN=official-account 还需要 WECHAT_APP_ID、WECHAT_APP_SECRET');
  return { kind, appId, secret, apiBase: externalUrl('WECHAT_API_BASE', apiBase, production) };
}

/** 'title=thing1,body=thing2,time=time3' */
function fieldsOf(text: string): ReadonlyMap<string, string> {
  const fields = new Map(text.split(',').map((part) => part.trim().split('=') as [string, string]));
  for (const [name, field] of fields)
    if (!/^(title|body|time)$/.test(name) || !/^[a-z_]+\d{1,2}$/.test(field ?? ''))
      throw new Error('设置有误：WECHAT_OA_FIELDS 应为 title=thing1,body=thing2,time=time3 的样子');
  return fields;
}

/** The official account that sends messages. Throws an Error with a Chinese message for a missing setting. */
export function officialAccountConfig(e: WechatEnv, production: boolean): OfficialAccountConfig {
  const kind = e.OFFICIAL_ACCOUNT ?? 'stand-in';
  if (kind !== 'wechat') return { kind };
  const names = [
    'WECHAT_APP_ID',
    'WECHAT_APP_SECRET',
    'WECHAT_OA_TITLE',
    'WECHAT_OA_FOLLOW_URL',
    'WECHAT_OA_TOKEN',
    'WECHAT_OA_TEMPLATE',
  ] as const;
  const missing = names.filter((name) => e[name] === undefined);
  if (missing.length > 0) throw new Error(`设置有误：OFFICIAL_ACCOUNT=wechat 还需要 ${missing.join('、')}`);
  return {
    kind,
    apiBase: externalUrl('WECHAT_API_BASE', e.WECHAT_API_BASE, production),
    appId: e.WECHAT_APP_ID ?? '',
    secret: e.WECHAT_APP_SECRET ?? '',
    title: e.WECHAT_OA_TITLE ?? '',
    followUrl: e.WECHAT_OA_FOLLOW_URL ?? '',
    token: e.WECHAT_OA_TOKEN ?? '',
    aesKey: e.WECHAT_OA_AES_KEY,
    messages: e.WECHAT_OA_MESSAGES,
    templateId: e.WECHAT_OA_TEMPLATE ?? '',
    fields: fieldsOf(e.WECHAT_OA_FIELDS),
  };
}
