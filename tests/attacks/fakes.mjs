/**
 * The fakes of both channels as a separate process, for a market under attack. Writes the vendors' private keys, which the kit
 * signs its notifications with, beside the settings that the market is started with: `channels.json` in the folder given.
 * Needs Node 24, which strips the types of what it imports.
 */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeAlipay } from '../support/fakes/alipay.ts';
import { FakeWechat } from '../support/fakes/wechat.ts';

const [folder = '.'] = process.argv.slice(2);
const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = (name, key) => {
  const file = join(folder, name);
  writeFileSync(file, key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }), { mode: 0o644 });
  return file;
};

const [ours, alipayKeys, wechatKeys] = [pair(), pair(), pair()];
const alipay = new FakeAlipay(ours.publicKey, alipayKeys);
// The kit names this serial.
const wechat = new FakeWechat(ours.publicKey, wechatKeys, 'TEST');
const [gateway, base] = await Promise.all([alipay.listen(), wechat.listen()]);
const ourKey = pem('merchant.pem', ours.privateKey);

writeFileSync(
  join(folder, 'channels.json'),
  JSON.stringify({
    server: {
      PAY_PROVIDERS: 'alipay,wechat,sandbox',
      PAY_ORIGIN: 'https://market.example',
      ALIPAY_GATEWAY: `${gateway}/gateway.do`,
      ALIPAY_APP_ID: alipay.appId,
      ALIPAY_SELLER_ID: alipay.sellerId,
      ALIPAY_PRIVATE_KEY: ourKey,
      ALIPAY_PUBLIC_KEY: pem('alipay-public.pem', alipayKeys.publicKey),
      WECHAT_PAY_BASE: base,
      WECHAT_PAY_MCHID: wechat.mchid,
      WECHAT_PAY_APPID: wechat.appid,
      WECHAT_PAY_SERIAL: wechat.merchantSerial,
      WECHAT_PAY_PRIVATE_KEY: ourKey,
      WECHAT_PAY_V3_KEY: wechat.v3Key,
      WECHAT_PAY_PUBLIC_KEYS: `TEST=${pem('wechat-public.pem', wechatKeys.publicKey)}`,
    },
    kit: {
      CHANNELS: '1',
      ALIPAY_TEST_KEY: pem('alipay.pem', alipayKeys.privateKey),
      WECHAT_TEST_KEY: pem('wechat.pem', wechatKeys.privateKey),
    },
  }),
);
console.log('ready');
