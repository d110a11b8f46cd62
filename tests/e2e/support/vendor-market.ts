/** A separate market that pays by the real channels' adapters, with their vendors played on loopback by fakes that check what they check. */
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { FakeAlipay } from '../../support/fakes/alipay.ts';
import { FakeWechat } from '../../support/fakes/wechat.ts';
import { FakeWeixin } from '../../support/fakes/weixin.ts';

const script = async <T>(name: string): Promise<T> =>
  (await import(new URL(`../../../scripts/lib/${name}.mjs`, import.meta.url).href)) as T;
const { prepareDemoFolder } = await script<{ prepareDemoFolder: (dataDir: string) => Promise<void> }>(
  'browsers/demo-folder',
);
const { drawPort } = await script<{ drawPort: () => Promise<number> }>('port');

const READY_LIMIT_MS = 240_000;
const DATA_DIR = `${process.env.E2E_DATA_DIR ?? '/tmp/youshi-e2e'}-vendors`;
const FORM = 'application/x-www-form-urlencoded; charset=utf-8';

const pem = (key: KeyObject): string =>
  key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }) as string;

export class VendorMarket {
  /** Where it answers, once it is started. */
  base = '';
  readonly alipay: FakeAlipay;
  readonly wechat: FakeWechat;
  readonly weixin: FakeWeixin;
  /** The address that Alipay's pages are at. */
  gateway = '';
  readonly #ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
  #server: ChildProcess | undefined;
  #isClosing = false;

  constructor() {
    this.alipay = new FakeAlipay(this.#ours.publicKey);
    this.wechat = new FakeWechat(this.#ours.publicKey);
    this.weixin = new FakeWeixin(this.wechat.appid);
  }

  /** Starts the fakes and the server, whose pages and program the other market's start has built. */
  async start(): Promise<void> {
    const [gateway, base, apiBase] = await Promise.all([
      this.alipay.listen(),
      this.wechat.listen(),
      this.weixin.listen(),
    ]);
    this.gateway = gateway;
    const [serial, pair] = [...this.wechat.own][0] ?? [];
    if (!pair) throw new Error('the fake has no key');
    rmSync(DATA_DIR, { recursive: true, force: true });
    mkdirSync(DATA_DIR, { recursive: true, mode: 0o755 });
    await prepareDemoFolder(DATA_DIR);
    const port = await drawPort();
    this.base = `http://localhost:${port}`;
    const output: string[] = [];
    const { DATABASE_URL: _, ...env } = process.env;
    const server = spawn(process.execPath, ['build/main.js'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...env,
        NODE_ENV: 'production',
        DEMO: '1',
        PORT: String(port),
        DATA_DIR,
        LOG_LEVEL: 'warn',
        PAY_PROVIDERS: 'alipay,wechat',
        PAY_ORIGIN: 'https://market.example',
        ALIPAY_GATEWAY: `${gateway}/gateway.do`,
        ALIPAY_APP_ID: this.alipay.appId,
        ALIPAY_SELLER_ID: this.alipay.sellerId,
        ALIPAY_PRIVATE_KEY: pem(this.#ours.privateKey),
        ALIPAY_PUBLIC_KEY: pem(this.alipay.own.publicKey),
        WECHAT_PAY_BASE: base,
        WECHAT_PAY_MCHID: this.wechat.mchid,
        WECHAT_PAY_APPID: this.wechat.appid,
        WECHAT_PAY_SERIAL: this.wechat.merchantSerial,
        WECHAT_PAY_PRIVATE_KEY: pem(this.#ours.privateKey),
        WECHAT_PAY_V3_KEY: this.wechat.v3Key,
        WECHAT_PAY_PUBLIC_KEYS: `${serial}=${pem(pair.publicKey)}`,
        WECHAT_API_BASE: apiBase,
        WECHAT_APP_ID: this.weixin.appId,
        WECHAT_APP_SECRET: this.weixin.secret,
      },
    });
    this.#server = server;
    server.once('exit', (code, signal) => {
      if (!this.#isClosing)
        process.stderr.write(`the market with vendors ended (${code ?? signal}): ${output.join('').slice(-2000)}\n`);
    });
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (text: Buffer) => output.push(text.toString()));
    const limit = Date.now() + READY_LIMIT_MS;
    while (Date.now() < limit && server.exitCode === null) {
      const isReady = await fetch(`${this.base}/readyz`).then(
        (r) => r.ok,
        () => false,
      );
      if (isReady) return;
      await sleep(200);
    }
    throw new Error(`the market with vendors did not start: ${output.join('').slice(-2000)}`);
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#isClosing = true;
    if (server && server.exitCode === null) {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await gone;
    }
    await Promise.all([this.alipay.close(), this.wechat.close(), this.weixin.close()]);
    rmSync(DATA_DIR, { recursive: true, force: true });
  }

  /** Somebody pays what they were led to, and the vendor tells the market. Returns the HTTP status of its acknowledgement. */
  async paid(channel: 'alipay' | 'wechat', no: string): Promise<number> {
    if (channel === 'alipay') {
      this.alipay.pay(no);
      const body = new URLSearchParams(this.alipay.notice(no)).toString();
      return await this.#notify(channel, body, { 'content-type': FORM });
    }
    if (this.wechat.trades.get(no)?.state === 'NOTPAY') this.wechat.pay(no);
    const trade = this.wechat.trades.get(no);
    if (!trade) throw new Error('no such trade');
    const { body, headers } = this.wechat.notice(this.wechat.transaction(trade));
    return await this.#notify(channel, body, headers);
  }

  async #notify(channel: string, body: string, headers: Record<string, string>): Promise<number> {
    const response = await fetch(`${this.base}/api/pay/notify/${channel}`, { method: 'POST', body, headers });
    return response.status;
  }
}
