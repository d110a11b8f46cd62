import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { type PayoutKind, payoutKinds } from '#subjects/payments/rules/payout-methods.ts';
import { externalUrl } from './config-url.ts';

const secret = z.string().min(1).optional();

/** Settings of the payment channels, as docs/OPERATIONS.md lists them. */
export const payEnv = z.object({
  PAY_PROVIDERS: z.string().default('sandbox'),
  PAY_ORIGIN: z.url().optional(),
  PAY_PAGE_ORIGIN: z.url().optional(),
  ALIPAY_GATEWAY: z.url().default('https://openapi.alipay.com/gateway.do'),
  ALIPAY_APP_ID: secret,
  ALIPAY_SELLER_ID: secret,
  ALIPAY_PRIVATE_KEY: secret,
  ALIPAY_PUBLIC_KEY: secret,
  ALIPAY_APP_CERT_SN: secret,
  ALIPAY_ROOT_CERT_SN: secret,
  WECHAT_PAY_BASE: z.url().default('https://api.mch.weixin.qq.com'),
  WECHAT_PAY_MCHID: secret,
  WECHAT_PAY_APPID: secret,
  WECHAT_PAY_SERIAL: secret,
  WECHAT_PAY_PRIVATE_KEY: secret,
  WECHAT_PAY_V3_KEY: secret,
  WECHAT_PAY_PUBLIC_KEYS: secret,
  WECHAT_TRANSFER_SCENE: z
    .string()
    .regex(/^\d{4}$/, '应为微信支付分配的四位转账场景编号')
    .optional(),
  WECHAT_TRANSFER_REPORT: secret,
  PAYOUT_WAYS: z.string().optional(),
});

export interface AlipayConfig {
  readonly gateway: string;
  readonly appId: string;
  readonly sellerId: string;
  readonly privateKey: KeyObject;
  /** Alipay's public key, which verifies its responses and notifications. */
  readonly publicKey: KeyObject;
  readonly appCertSn: string | undefined;
  readonly rootCertSn: string | undefined;
  readonly notifyUrl: string;
}

export interface WechatPayConfig {
  readonly base: string;
  readonly mchid: string;
  readonly appid: string;
  /** Serial of our own merchant certificate. */
  readonly serial: string;
  readonly privateKey: KeyObject;
  readonly v3Key: string;
  /** WeChat Pay's keys by serial number or public-key id. Both kinds may be present while a merchant migrates. */
  readonly publicKeys: ReadonlyMap<string, KeyObject>;
  readonly notifyUrl: string;
  /** The scene for which transfers to people were granted, and the fields that WeChat requires for each; undefined = no transfers. */
  readonly transfer: { readonly scene: string; readonly report: ReadonlyMap<string, string> } | undefined;
}

export interface PayConfig {
  readonly providers: readonly string[];
  /**
   * Scheme and host of the cashier's page for payers on a phone; undefined = the site they are on. WeChat Pay opens only from hosts
   * that were registered with it, which a brand's own hosts are not.
   */
  readonly pageOrigin: string | undefined;
  readonly alipay: AlipayConfig | undefined;
  readonly wechat: WechatPayConfig | undefined;
  /** Kinds of account that withdrawals go to; undefined = the kinds that the channels support, or bank cards by list if none does. */
  readonly payoutWays: readonly PayoutKind[] | undefined;
}

/** PEM text itself, the path of a PEM file, or the bare Base64 that the vendors' tools print. */
function keyText(name: string, value: string, kind: 'PRIVATE' | 'PUBLIC'): string {
  if (value.includes('-----BEGIN')) return value.replaceAll('\\n', '\n');
  if (existsSync(value)) return readFileSync(value, 'utf8');
  if (!/^[A-Za-z0-9+/=\s]+$/.test(value)) throw new Error(`设置有误：${name} 既不是密钥，也不是可读的文件`);
  return `-----BEGIN ${kind} KEY-----\n${value}\n-----END ${kind} KEY-----`;
}

function key(name: string, value: string, kind: 'PRIVATE' | 'PUBLIC'): KeyObject {
  const text = keyText(name, value, kind);
  try {
    return kind === 'PRIVATE' ? createPrivateKey(text) : createPublicKey(text);
  } catch {
    throw new Error(`设置有误：${name} 不是可用的密钥`);
  }
}

/** 'serial=key,serial=key' */
function keysBySerial(name: string, value: string): ReadonlyMap<string, KeyObject> {
  return new Map(
    value.split(',').map((part) => {
      const at = part.indexOf('=');
      if (at < 1) throw new Error(`设置有误：${name} 应为 序列号=密钥，多个用逗号分隔`);
      return [part.slice(0, at).trim(), key(name, part.slice(at + 1).trim(), 'PUBLIC')] as const;
    }),
  );
}

/** '类型=内容,类型=内容' */
function reportOf(text: string): ReadonlyMap<string, string> {
  const lines = text.split(',').map((part) => part.split('=').map((word) => word.trim()));
  if (lines.some((words) => words.length !== 2 || words.some((word) => word === '' || word.length > 32)))
    throw new Error('设置有误：WECHAT_TRANSFER_REPORT 应为 类型=内容，多项用逗号分隔，每个词不超过 32 个字');
  return new Map(lines as [string, string][]);
}

function transferOf(e: z.output<typeof payEnv>): WechatPayConfig['transfer'] {
  const { WECHAT_TRANSFER_SCENE: scene, WECHAT_TRANSFER_REPORT: report } = e;
  if (scene === undefined && report === undefined) return undefined;
  if (scene === undefined || report === undefined)
    throw new Error('设置有误：WECHAT_TRANSFER_SCENE 与 WECHAT_TRANSFER_REPORT 须同时设置');
  return { scene, report: reportOf(report) };
}

/** The ways of PAYOUT_WAYS. Throws an Error with a Chinese message for one that does not exist or has no channel. */
function payoutMethodsOf(e: z.output<typeof payEnv>, providers: readonly string[]): readonly PayoutKind[] | undefined {
  if (e.PAYOUT_WAYS === undefined) return undefined;
  const ways = e.PAYOUT_WAYS.split(',').map((method) => method.trim());
  for (const method of ways) {
    if (!(payoutKinds as readonly string[]).includes(method))
      throw new Error('设置有误：PAYOUT_WAYS 只能写 alipay、wechat、bank，多个用逗号分隔');
    if (method !== 'bank' && !providers.includes('sandbox') && !providers.includes(method))
      throw new Error(`设置有误：PAYOUT_WAYS 有 ${method}，PAY_PROVIDERS 里却没有`);
  }
  if (ways.includes('wechat') && providers.includes('wechat') && e.WECHAT_TRANSFER_SCENE === undefined)
    throw new Error('设置有误：PAYOUT_WAYS 有 wechat 时必须设置 WECHAT_TRANSFER_SCENE 和 WECHAT_TRANSFER_REPORT');
  return ways as PayoutKind[];
}

/** Required settings of each channel. */
const CHANNEL_NEEDS = [
  ['alipay', ['PAY_ORIGIN', 'ALIPAY_APP_ID', 'ALIPAY_SELLER_ID', 'ALIPAY_PRIVATE_KEY', 'ALIPAY_PUBLIC_KEY']],
  [
    'wechat',
    [
      'PAY_ORIGIN',
      'WECHAT_PAY_MCHID',
      'WECHAT_PAY_APPID',
      'WECHAT_PAY_SERIAL',
      'WECHAT_PAY_PRIVATE_KEY',
      'WECHAT_PAY_V3_KEY',
      'WECHAT_PAY_PUBLIC_KEYS',
    ],
  ],
] as const;

/** Reads the settings of the enabled channels. Throws an Error with a Chinese message for a missing or contradicting setting. */
export function payConfig(e: z.output<typeof payEnv>, production: boolean): PayConfig {
  const providers = e.PAY_PROVIDERS.split(',')
    .map((p) => p.trim())
    .filter(Boolean);
  // Otherwise a payment in play money could be paid out through the real channel.
  if (production && providers.includes('sandbox') && providers.length > 1)
    throw new Error('设置有误：正式环境的 PAY_PROVIDERS 不能同时有 sandbox 和真实渠道');
  const missing = CHANNEL_NEEDS.filter(([channel]) => providers.includes(channel)).flatMap(([channel, names]) => {
    const absent = names.filter((name) => e[name] === undefined);
    return absent.length > 0 ? [`设置有误：PAY_PROVIDERS 有 ${channel} 时还需要 ${absent.join('、')}`] : [];
  });
  if (missing.length > 0) throw new Error(missing.join('\n'));
  const required = (name: keyof typeof e): string => e[name] ?? '';
  const notify = (channel: string): string => {
    const origin = externalUrl('PAY_ORIGIN', required('PAY_ORIGIN'), production);
    if (!origin.startsWith('https:')) throw new Error('设置有误：PAY_ORIGIN 必须是 https 地址，支付渠道不通知其他地址');
    return `${origin}/api/pay/notify/${channel}`;
  };
  const alipay = (): AlipayConfig => ({
    gateway: externalUrl('ALIPAY_GATEWAY', e.ALIPAY_GATEWAY, production),
    appId: required('ALIPAY_APP_ID'),
    sellerId: required('ALIPAY_SELLER_ID'),
    privateKey: key('ALIPAY_PRIVATE_KEY', required('ALIPAY_PRIVATE_KEY'), 'PRIVATE'),
    publicKey: key('ALIPAY_PUBLIC_KEY', required('ALIPAY_PUBLIC_KEY'), 'PUBLIC'),
    appCertSn: e.ALIPAY_APP_CERT_SN,
    rootCertSn: e.ALIPAY_ROOT_CERT_SN,
    notifyUrl: notify('alipay'),
  });
  const wechat = (): WechatPayConfig => {
    const v3Key = required('WECHAT_PAY_V3_KEY');
    if (Buffer.byteLength(v3Key) !== 32) throw new Error('设置有误：WECHAT_PAY_V3_KEY 应为 32 个字符');
    return {
      base: externalUrl('WECHAT_PAY_BASE', e.WECHAT_PAY_BASE, production),
      mchid: required('WECHAT_PAY_MCHID'),
      appid: required('WECHAT_PAY_APPID'),
      serial: required('WECHAT_PAY_SERIAL'),
      privateKey: key('WECHAT_PAY_PRIVATE_KEY', required('WECHAT_PAY_PRIVATE_KEY'), 'PRIVATE'),
      v3Key,
      publicKeys: keysBySerial('WECHAT_PAY_PUBLIC_KEYS', required('WECHAT_PAY_PUBLIC_KEYS')),
      notifyUrl: notify('wechat'),
      transfer: transferOf(e),
    };
  };
  return {
    providers,
    pageOrigin:
      e.PAY_PAGE_ORIGIN === undefined ? undefined : externalUrl('PAY_PAGE_ORIGIN', e.PAY_PAGE_ORIGIN, production),
    alipay: providers.includes('alipay') ? alipay() : undefined,
    wechat: providers.includes('wechat') ? wechat() : undefined,
    payoutWays: payoutMethodsOf(e, providers),
  };
}
