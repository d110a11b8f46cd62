/** Both real channels, each against its fake on loopback. */
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { alipayChannel } from '#server/adapters/pay/alipay.ts';
import type { Environment } from '#server/adapters/vendor-request.ts';
import { wechatChannel } from '#server/adapters/pay/wechat.ts';
import type { AlipayConfig, WechatPayConfig } from '#server/config/config-pay.ts';
import type { PayChannel } from '#server/ports/pay.ts';
import { FakeAlipay } from './alipay.ts';
import { FakeWechat } from './wechat.ts';

/** The scene that the fake grants, with what it wants reported. */
export const TRANSFER = { scene: '1010', report: new Map([['回收商品名称', '游戏账号']]) };

const ORIGIN = 'https://market.example';

export const outside: Environment = {
  fetch,
  now: () => new Date(),
  nonce: () => randomBytes(16).toString('hex'),
  limitMs: 1500,
};

export function alipayConfig(fake: FakeAlipay, gateway: string, privateKey: KeyObject): AlipayConfig {
  return {
    gateway,
    appId: fake.appId,
    sellerId: fake.sellerId,
    privateKey,
    publicKey: fake.own.publicKey,
    appCertSn: undefined,
    rootCertSn: undefined,
    notifyUrl: `${ORIGIN}/api/pay/notify/alipay`,
  };
}

export function wechatConfig(fake: FakeWechat, base: string, privateKey: KeyObject): WechatPayConfig {
  return {
    base,
    mchid: fake.mchid,
    appid: fake.appid,
    serial: fake.merchantSerial,
    privateKey,
    v3Key: fake.v3Key,
    publicKeys: new Map([...fake.own].map(([serial, pair]) => [serial, pair.publicKey])),
    notifyUrl: `${ORIGIN}/api/pay/notify/wechat`,
    transfer: undefined,
  };
}

/** Starts both fakes and the channels that speak to them; `transfers`: WeChat pays out to people too. */
export async function startChannels({ transfers = false } = {}): Promise<{
  alipay: FakeAlipay;
  wechat: FakeWechat;
  channels: Map<string, PayChannel>;
  close(): Promise<void>;
}> {
  const ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const alipay = new FakeAlipay(ours.publicKey);
  const wechat = new FakeWechat(ours.publicKey);
  const [gateway, base] = await Promise.all([alipay.listen(), wechat.listen()]);
  const channels = new Map([
    ['alipay', alipayChannel(alipayConfig(alipay, `${gateway}/gateway.do`, ours.privateKey), outside)],
    [
      'wechat',
      wechatChannel(
        { ...wechatConfig(wechat, base, ours.privateKey), transfer: transfers ? TRANSFER : undefined },
        outside,
      ),
    ],
  ]);
  return {
    alipay,
    wechat,
    channels,
    async close() {
      await Promise.all([alipay.close(), wechat.close()]);
    },
  };
}
