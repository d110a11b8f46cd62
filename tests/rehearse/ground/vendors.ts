/** Every vendor of the market as its fake, and the settings by which an operator would name the real ones. */
import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { FakeAlipay } from '#tests/support/fakes/alipay.ts';
import { FakeAliyun } from '#tests/support/fakes/aliyun.ts';
import { FakeWechat } from '#tests/support/fakes/wechat.ts';
import { FakeWeixin } from '#tests/support/fakes/weixin.ts';

/** The hosts of the vendors; each is a name of this machine. */
export const HOSTS = {
  alipay: 'openapi.alipay.rehearsal',
  wechatPay: 'mch.weixin.rehearsal',
  weixin: 'api.weixin.rehearsal',
  sms: 'sms.aliyun.rehearsal',
  realName: 'id.aliyun.rehearsal',
  mail: 'smtp.mail.rehearsal',
} as const;

const MAIL_LOGIN = { user: 'no-reply@shi.rehearsal', password: 'mail-rehearsal-2026' };

export interface Mail {
  to: string;
  text: string;
}

export interface Vendors {
  readonly alipay: FakeAlipay;
  readonly wechat: FakeWechat;
  readonly weixin: FakeWeixin;
  readonly aliyun: FakeAliyun;
  /** Received mails, oldest first. */
  readonly mails: readonly Mail[];
  /** The vendors' own addresses on loopback, by the host that leads to each. */
  readonly ports: ReadonlyMap<string, number>;
  /** The settings of the market for them; `front` is the port of the TLS before them. */
  settings(front: number): Record<string, string>;
  close(): Promise<void>;
}

/** The text of a mail without its transfer encoding. */
function textOf(raw: string): string {
  const [head = '', ...body] = raw.split('\r\n\r\n');
  const text = body.join('\r\n\r\n');
  if (/base64/i.test(head)) return Buffer.from(text, 'base64').toString('utf8');
  if (!/quoted-printable/i.test(head)) return text;
  const bytes = text.replaceAll('=\r\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`);
  return decodeURIComponent(bytes.replaceAll(/%(?![0-9A-F]{2})/g, '%25'));
}

function mailServer(tls: { key: string; cert: string }, mails: Mail[]): SMTPServer {
  return new SMTPServer({
    secure: true,
    ...tls,
    onAuth: ({ username, password }, _session, done) =>
      username === MAIL_LOGIN.user && password === MAIL_LOGIN.password
        ? done(null, { user: username })
        : done(new Error('no such log-in')),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const text = textOf(Buffer.concat(chunks).toString('utf8'));
        for (const { address } of session.envelope.rcptTo) mails.push({ to: address, text });
        done();
      });
    },
  });
}

/** Phones write down the codes they receive in the file that the journeys read them from. */
function phonesOf(aliyun: FakeAliyun, room: string): void {
  const push = aliyun.sent.push.bind(aliyun.sent);
  aliyun.sent.push = (...messages) => {
    for (const { phone, params } of messages)
      appendFileSync(join(room, 'sms.jsonl'), `${JSON.stringify({ phone, code: params.code })}\n`);
    return push(...messages);
  };
}

/** Starts every vendor on loopback. `sites` are the hosts that were registered at WeChat Pay. */
export async function startVendors(options: {
  room: string;
  tls: { key: string; cert: string };
  sites: readonly string[];
  mailPort: number;
}): Promise<Vendors> {
  const { room, tls, sites, mailPort } = options;
  const ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const alipay = new FakeAlipay(ours.publicKey);
  const wechat = new FakeWechat(ours.publicKey);
  const weixin = new FakeWeixin(wechat.appid);
  const aliyun = new FakeAliyun();
  const mails: Mail[] = [];
  const smtp = mailServer(tls, mails);
  for (const site of sites) wechat.h5Hosts.add(site);
  phonesOf(aliyun, room);
  const portOf = async (fake: FakeAlipay | FakeWechat | FakeWeixin | FakeAliyun): Promise<number> =>
    Number(new URL(await fake.listen()).port);
  const aliyunPort = await portOf(aliyun);
  const ports = new Map<string, number>([
    [HOSTS.alipay, await portOf(alipay)],
    [HOSTS.wechatPay, await portOf(wechat)],
    [HOSTS.weixin, await portOf(weixin)],
    [HOSTS.sms, aliyunPort],
    [HOSTS.realName, aliyunPort],
  ]);
  await new Promise<void>((resolve) => void smtp.listen(mailPort, '127.0.0.1', resolve));
  const privateKey = ours.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const publicPem = (key: FakeAlipay['own']): string =>
    key.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const [[serial, wechatKey] = ['', alipay.own] as const] = wechat.own;
  return {
    alipay,
    wechat,
    weixin,
    aliyun,
    mails,
    ports,
    settings: (front) => ({
      SMS: 'aliyun',
      ALIYUN_SMS_BASE: `https://${HOSTS.sms}:${front}`,
      ALIYUN_SMS_KEY_ID: aliyun.keyId,
      ALIYUN_SMS_KEY_SECRET: aliyun.keySecret,
      ALIYUN_SMS_SIGN: '游市',
      ALIYUN_SMS_TEMPLATES: 'code=SMS_CODE,code.register=SMS_REGISTER,notice=SMS_NOTICE',
      MAIL: 'smtp',
      MAIL_HOST: HOSTS.mail,
      MAIL_PORT: String((smtp.server.address() as AddressInfo).port),
      MAIL_TLS: 'implicit',
      MAIL_USER: MAIL_LOGIN.user,
      MAIL_PASSWORD: MAIL_LOGIN.password,
      MAIL_FROM: MAIL_LOGIN.user,
      REAL_NAME: 'aliyun',
      ALIYUN_ID_BASE: `https://${HOSTS.realName}:${front}`,
      ALIYUN_ID_KEY_ID: aliyun.keyId,
      ALIYUN_ID_KEY_SECRET: aliyun.keySecret,
      WECHAT_LOGIN: 'official-account',
      WECHAT_APP_ID: weixin.appId,
      WECHAT_APP_SECRET: weixin.secret,
      WECHAT_API_BASE: `https://${HOSTS.weixin}:${front}`,
      OFFICIAL_ACCOUNT: 'wechat',
      LINK_PUSH: 'off',
      WECHAT_OA_TITLE: '市集游戏',
      WECHAT_OA_FOLLOW_URL: 'https://weixin.qq.com/r/rehearsal',
      WECHAT_OA_TOKEN: weixin.pushToken,
      WECHAT_OA_AES_KEY: weixin.aesKey,
      WECHAT_OA_TEMPLATE: weixin.templateId,
      PAY_PROVIDERS: 'alipay,wechat',
      ALIPAY_GATEWAY: `https://${HOSTS.alipay}:${front}/gateway.do`,
      ALIPAY_APP_ID: alipay.appId,
      ALIPAY_SELLER_ID: alipay.sellerId,
      ALIPAY_PRIVATE_KEY: privateKey,
      ALIPAY_PUBLIC_KEY: publicPem(alipay.own),
      WECHAT_PAY_BASE: `https://${HOSTS.wechatPay}:${front}`,
      WECHAT_PAY_MCHID: wechat.mchid,
      WECHAT_PAY_APPID: wechat.appid,
      WECHAT_PAY_SERIAL: wechat.merchantSerial,
      WECHAT_PAY_PRIVATE_KEY: privateKey,
      WECHAT_PAY_V3_KEY: wechat.v3Key,
      WECHAT_PAY_PUBLIC_KEYS: `${serial}=${publicPem(wechatKey)}`,
    }),
    async close() {
      await Promise.all([alipay.close(), wechat.close(), weixin.close(), aliyun.close()]);
      await new Promise<void>((resolve) => smtp.close(resolve));
    },
  };
}
