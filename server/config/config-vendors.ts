import { z } from 'zod';
import { externalUrl } from './config-url.ts';
import {
  type OfficialAccountConfig,
  officialAccountConfig,
  type WechatLoginConfig,
  wechatEnv,
  wechatLoginConfig,
} from './config-wechat.ts';

const text = z.string().min(1).optional();

/** Settings of the vendors, as docs/OPERATIONS.md lists them. Each vendor is a stand-in unless it is set. */
export const vendorEnv = {
  SMS: z.string().default('stand-in'),
  ALIYUN_SMS_BASE: z.url().default('https://dysmsapi.aliyuncs.com'),
  ALIYUN_SMS_KEY_ID: text,
  ALIYUN_SMS_KEY_SECRET: text,
  ALIYUN_SMS_SIGN: text,
  ALIYUN_SMS_SIGNS: text,
  ALIYUN_SMS_TEMPLATES: text,
  TENCENT_SMS_BASE: z.url().default('https://sms.tencentcloudapi.com'),
  TENCENT_SMS_SECRET_ID: text,
  TENCENT_SMS_SECRET_KEY: text,
  TENCENT_SMS_APP_ID: text,
  TENCENT_SMS_REGION: z.string().default('ap-guangzhou'),
  TENCENT_SMS_SIGN: text,
  TENCENT_SMS_SIGNS: text,
  TENCENT_SMS_TEMPLATES: text,
  MAIL: z.enum(['stand-in', 'off', 'smtp']).default('stand-in'),
  MAIL_HOST: text,
  MAIL_PORT: z.coerce.number().int().min(1).max(65_535).default(465),
  MAIL_TLS: z.enum(['implicit', 'starttls', 'none']).optional(),
  MAIL_USER: text,
  MAIL_PASSWORD: text,
  MAIL_FROM: text,
  REAL_NAME: z.enum(['stand-in', 'off', 'aliyun']).default('stand-in'),
  REAL_NAME_ELEMENTS: z.enum(['2', '3']).default('2'),
  ALIYUN_ID_BASE: z.url().default('https://cloudauth.aliyuncs.com'),
  ALIYUN_ID_KEY_ID: text,
  ALIYUN_ID_KEY_SECRET: text,
  ALIYUN_FACE_SCENE: text,
  ALIYUN_FACE_SCRIPT: text,
  LINK_PUSH: z.enum(['stand-in', 'off', 'baidu']).default('stand-in'),
  BAIDU_PUSH_BASE: z.url({ protocol: /^https?$/ }).default('http://data.zz.baidu.com'),
  ...wechatEnv,
};

const shape = z.object(vendorEnv);
type VendorEnv = z.output<typeof shape>;

/** Signature names and template ids of one SMS vendor. */
export interface SmsTexts {
  /** The default signature for brands without their own. */
  readonly sign: string;
  /** Signatures by the brand's code. */
  readonly signs: ReadonlyMap<string, string>;
  /** Template ids: 'code' and 'notice', and for one kind of message 'code.register', 'notice.order_paid'. */
  readonly templates: ReadonlyMap<string, string>;
}

export interface AliyunSmsConfig extends SmsTexts {
  readonly kind: 'aliyun';
  readonly base: string;
  readonly keyId: string;
  readonly keySecret: string;
}

export interface TencentSmsConfig extends SmsTexts {
  readonly kind: 'tencent';
  readonly base: string;
  readonly secretId: string;
  readonly secretKey: string;
  readonly appId: string;
  readonly region: string;
}

type RealSms = AliyunSmsConfig | TencentSmsConfig;

/** A demo's stand-in. Production does not start with one. */
interface StandIn {
  readonly kind: 'stand-in';
}

/** Explicitly switched off: pages that need the vendor show that it is off. */
interface Off {
  readonly kind: 'off';
}

/** `backup` takes over when the first vendor cannot be reached, is out of money or out of service. */
export type SmsConfig = StandIn | Off | (RealSms & { readonly backup?: RealSms });

export interface SmtpConfig {
  readonly kind: 'smtp';
  readonly host: string;
  readonly port: number;
  readonly tls: 'implicit' | 'starttls' | 'none';
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** An address; the brand's name is prepended. */
  readonly from: string;
}

export type MailConfig = StandIn | Off | SmtpConfig;

export interface AliyunIdConfig {
  readonly kind: 'aliyun';
  readonly base: string;
  readonly keyId: string;
  readonly keySecret: string;
  /** 2: name and ID number; 3: also the account's phone. */
  readonly elements: 2 | 3;
  /** The scene of checks by face in the vendor's console, and its script for browsers; undefined if they are not offered. */
  readonly face: { readonly scene: string; readonly script: string } | undefined;
}

export type RealNameConfig = StandIn | Off | AliyunIdConfig;

export interface BaiduPushConfig {
  readonly kind: 'baidu';
  /** Each brand has its own token, entered by staff. */
  readonly base: string;
}

export type LinkPushConfig = StandIn | Off | BaiduPushConfig;

export interface VendorsConfig {
  readonly sms: SmsConfig;
  readonly mail: MailConfig;
  readonly realName: RealNameConfig;
  readonly wechatLogin: WechatLoginConfig;
  readonly officialAccount: OfficialAccountConfig;
  readonly linkPush: LinkPushConfig;
}

/** The switch of each vendor: its environment variable, its Chinese name, and the values that are neither a stand-in nor off. */
export const VENDOR_SWITCHES: Readonly<
  Record<keyof VendorsConfig, { env: string; label: string; kinds: readonly string[] }>
> = {
  sms: { env: 'SMS', label: '短信', kinds: ['aliyun', 'tencent'] },
  mail: { env: 'MAIL', label: '邮件', kinds: ['smtp'] },
  realName: { env: 'REAL_NAME', label: '实名认证', kinds: ['aliyun'] },
  wechatLogin: { env: 'WECHAT_LOGIN', label: '微信登录', kinds: ['official-account'] },
  officialAccount: { env: 'OFFICIAL_ACCOUNT', label: '公众号消息', kinds: ['wechat'] },
  linkPush: { env: 'LINK_PUSH', label: '搜索引擎推送', kinds: ['baidu'] },
};

/** 'name=value,name=value' */
function pairs(name: string, value: string | undefined): (readonly [string, string])[] {
  return (value ?? '')
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [key = '', ...rest] = part.split('=');
      const right = rest.join('=').trim();
      if (key.trim() === '' || right === '') throw new Error(`设置有误：${name} 应为 名称=值，多个用逗号分隔`);
      return [key.trim(), right] as const;
    });
}

/** Throws for the first of `names` that is missing. */
function needed<K extends keyof VendorEnv>(e: VendorEnv, why: string, names: readonly K[]): Record<K, string> {
  const missing = names.filter((name) => e[name] === undefined);
  if (missing.length > 0) throw new Error(`设置有误：${why} 还需要 ${missing.join('、')}`);
  return e as unknown as Record<K, string>;
}

function smsTexts(e: VendorEnv, vendor: 'ALIYUN' | 'TENCENT'): SmsTexts {
  const { [`${vendor}_SMS_SIGN` as const]: sign = '' } = e;
  const signs = pairs(`${vendor}_SMS_SIGNS`, e[`${vendor}_SMS_SIGNS`]);
  for (const value of [sign, ...signs.map(([, name]) => name)])
    if (/[【】]/u.test(value)) throw new Error(`设置有误：${vendor}_SMS_SIGN 只写签名，不带【】`);
  const templates = new Map(pairs(`${vendor}_SMS_TEMPLATES`, e[`${vendor}_SMS_TEMPLATES`]));
  for (const key of templates.keys())
    if (!/^(code|notice)(\.\w+)?$/.test(key))
      throw new Error(
        `设置有误：${vendor}_SMS_TEMPLATES 中的 ${key} 应以 code 或 notice 开头，如 code=SMS_1,notice=SMS_2`,
      );
  if (!templates.has('code')) throw new Error(`设置有误：${vendor}_SMS_TEMPLATES 缺少验证码模板，如 code=SMS_1`);
  return { sign, signs: new Map(signs), templates };
}

function smsVendor(e: VendorEnv, kind: string, production: boolean): RealSms {
  const why = `SMS=${e.SMS}`;
  if (kind === 'aliyun') {
    const names = ['ALIYUN_SMS_KEY_ID', 'ALIYUN_SMS_KEY_SECRET', 'ALIYUN_SMS_SIGN', 'ALIYUN_SMS_TEMPLATES'] as const;
    const set = needed(e, why, names);
    return {
      kind,
      base: externalUrl('ALIYUN_SMS_BASE', e.ALIYUN_SMS_BASE, production),
      keyId: set.ALIYUN_SMS_KEY_ID,
      keySecret: set.ALIYUN_SMS_KEY_SECRET,
      ...smsTexts(e, 'ALIYUN'),
    };
  }
  if (kind !== 'tencent')
    throw new Error('设置有误：SMS 应为 aliyun、tencent（主备写作 aliyun,tencent）、off 或演示用的 stand-in');
  const set = needed(e, why, [
    'TENCENT_SMS_SECRET_ID',
    'TENCENT_SMS_SECRET_KEY',
    'TENCENT_SMS_APP_ID',
    'TENCENT_SMS_SIGN',
    'TENCENT_SMS_TEMPLATES',
  ]);
  return {
    kind,
    base: externalUrl('TENCENT_SMS_BASE', e.TENCENT_SMS_BASE, production),
    secretId: set.TENCENT_SMS_SECRET_ID,
    secretKey: set.TENCENT_SMS_SECRET_KEY,
    appId: set.TENCENT_SMS_APP_ID,
    region: e.TENCENT_SMS_REGION,
    ...smsTexts(e, 'TENCENT'),
  };
}

function smsConfig(e: VendorEnv, production: boolean): SmsConfig {
  if (e.SMS === 'stand-in' || e.SMS === 'off') return { kind: e.SMS };
  const [first = '', second, ...rest] = e.SMS.split(',').map((kind) => kind.trim());
  if (rest.length > 0 || first === second) throw new Error('设置有误：SMS 最多写两家不同的服务商，主在前，备在后');
  const main = smsVendor(e, first, production);
  return second === undefined ? main : { ...main, backup: smsVendor(e, second, production) };
}

function mailConfig(e: VendorEnv, production: boolean): MailConfig {
  if (e.MAIL !== 'smtp') return { kind: e.MAIL };
  const set = needed(e, 'MAIL=smtp', ['MAIL_HOST', 'MAIL_FROM']);
  const tls = e.MAIL_TLS ?? (e.MAIL_PORT === 465 ? 'implicit' : 'starttls');
  if (production && tls === 'none') throw new Error('设置有误：正式环境的 MAIL_TLS 不能是 none');
  if (!z.email().safeParse(set.MAIL_FROM).success)
    throw new Error('设置有误：MAIL_FROM 应为一个邮箱地址，如 no-reply@example.com');
  if ((e.MAIL_USER === undefined) !== (e.MAIL_PASSWORD === undefined))
    throw new Error('设置有误：MAIL_USER 与 MAIL_PASSWORD 须同时设置');
  return {
    kind: 'smtp',
    host: set.MAIL_HOST,
    port: e.MAIL_PORT,
    tls,
    user: e.MAIL_USER,
    password: e.MAIL_PASSWORD,
    from: set.MAIL_FROM,
  };
}

function faceConfig(e: VendorEnv, production: boolean): AliyunIdConfig['face'] {
  if (e.ALIYUN_FACE_SCENE === undefined && e.ALIYUN_FACE_SCRIPT === undefined) return undefined;
  const set = needed(e, '人脸核验', ['ALIYUN_FACE_SCENE', 'ALIYUN_FACE_SCRIPT']);
  return {
    scene: set.ALIYUN_FACE_SCENE,
    script: externalUrl('ALIYUN_FACE_SCRIPT', set.ALIYUN_FACE_SCRIPT, production),
  };
}

function realNameConfig(e: VendorEnv, production: boolean): RealNameConfig {
  if (e.REAL_NAME !== 'aliyun') return { kind: e.REAL_NAME };
  const set = needed(e, 'REAL_NAME=aliyun', ['ALIYUN_ID_KEY_ID', 'ALIYUN_ID_KEY_SECRET']);
  return {
    kind: 'aliyun',
    base: externalUrl('ALIYUN_ID_BASE', e.ALIYUN_ID_BASE, production),
    keyId: set.ALIYUN_ID_KEY_ID,
    keySecret: set.ALIYUN_ID_KEY_SECRET,
    elements: e.REAL_NAME_ELEMENTS === '3' ? 3 : 2,
    face: faceConfig(e, production),
  };
}

function linkPushConfig(e: VendorEnv, production: boolean): LinkPushConfig {
  if (e.LINK_PUSH !== 'baidu') return { kind: e.LINK_PUSH };
  // Baidu documents plain http for it.
  const base = externalUrl('BAIDU_PUSH_BASE', e.BAIDU_PUSH_BASE, production, { isPlainAllowed: true });
  return { kind: 'baidu', base };
}

/** Reads the vendors' settings. `report` receives a Chinese sentence for each incomplete or contradictory setting; that vendor counts as off. */
export function vendorsConfig(e: VendorEnv, production: boolean, report: (problem: string) => void): VendorsConfig {
  const attempt = <T>(read: () => T): T | Off => {
    try {
      return read();
    } catch (error) {
      report(error instanceof Error ? error.message : String(error));
      return { kind: 'off' };
    }
  };
  return {
    sms: attempt(() => smsConfig(e, production)),
    mail: attempt(() => mailConfig(e, production)),
    realName: attempt(() => realNameConfig(e, production)),
    wechatLogin: attempt(() => wechatLoginConfig(e, production)),
    officialAccount: attempt(() => officialAccountConfig(e, production)),
    linkPush: attempt(() => linkPushConfig(e, production)),
  };
}
