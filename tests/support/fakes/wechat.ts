/**
 * WeChat Pay's API v3 on loopback: checks Authorization over the exact path and body, signs every answer that succeeds (204
 * included) with either kind of key, keeps trades, refunds and transfers by their numbers, and seals notifications.
 */
import { chinaClock } from '#contract/rules/time/china-time.ts';
import {
  createCipheriv,
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { isIP } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type FakeReply, type FakeRequest, FakeServer, originOf } from './fake-server.ts';
import { type Refund, type Trade, tradeBill } from './wechat-bill.ts';
import { WechatTransfers } from './wechat-transfers.ts';

type Body = Record<string, unknown>;

const beijing = (at: Date): string => chinaClock(at).replace('T', ' ');

export class FakeWechat extends FakeServer {
  readonly mchid = '1900000001';
  readonly appid = 'wx1';
  readonly v3Key = '0123456789abcdef0123456789abcdef';
  readonly merchantSerial = '5157F09EFDC096DE15EBE81A47057A7232F1B8E1';
  readonly merchantKey: KeyObject;
  /** The vendor's keys by serial; answers use the first. */
  readonly own = new Map<string, { publicKey: KeyObject; privateKey: KeyObject }>();
  readonly #stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  readonly #nonces = new Set<string>();
  readonly trades = new Map<string, Trade>();
  readonly refunds = new Map<string, Refund>();
  /** Transfers to people. */
  readonly transfers = new WechatTransfers(this);
  /** Hosts that were registered for payments from a phone's browser. */
  readonly h5Hosts = new Set(['localhost', 'market.example', 'pay.example']);
  /** People of this service account; only they can pay inside WeChat. */
  readonly openids = new Set(['o1']);
  refundBegins: Refund['status'] = 'SUCCESS';
  /** Seconds that the vendor's clock is off when it signs. */
  skewSeconds = 0;
  /** How many of the next responses carry a probe in place of their signature. */
  probes = 0;

  constructor(
    merchantKey: KeyObject,
    own?: { publicKey: KeyObject; privateKey: KeyObject },
    serial = 'PUB_KEY_ID_0119000000012024010200000000000001',
  ) {
    super();
    this.merchantKey = merchantKey;
    this.own.set(serial, own ?? generateKeyPairSync('rsa', { modulusLength: 2048 }));
  }

  protected nameOf({ method, url }: FakeRequest): string {
    return `${method} ${url.pathname}`;
  }

  protected respond(request: FakeRequest, bad: 'forged' | 'unsigned' | undefined): FakeReply {
    const error = this.#checkAuthorization(request);
    if (error) return error;
    const { pathname } = request.url;
    if (pathname.startsWith('/file/')) return { status: 200, body: gzipSync(this.statementText(pathname.slice(6))) };
    const reply = this.#work(request);
    if (reply.status >= 300 || bad === 'unsigned') return reply;
    return {
      ...reply,
      headers: {
        ...reply.headers,
        ...this.signHeaders(reply.body.toString(), bad === 'forged' ? { key: this.#stranger } : {}),
        ...(this.probes > 0 && this.#probe()),
      },
    };
  }

  #probe(): Record<string, string> {
    this.probes -= 1;
    return { 'wechatpay-signature': `WECHATPAY/SIGNTEST/${randomBytes(200).toString('base64')}` };
  }

  /** The headers that sign a body. */
  signHeaders(body: string, how: { key?: KeyObject; at?: number; serial?: string } = {}): Record<string, string> {
    const [serial, pair] = [...this.own].find(([s]) => how.serial === undefined || s === how.serial) ?? [];
    if (serial === undefined || !pair) throw new Error('no such key');
    const timestamp = String(how.at ?? Math.floor(this.now().getTime() / 1000) + this.skewSeconds);
    const nonce = randomBytes(16).toString('hex');
    const signature = sign('sha256', Buffer.from(`${timestamp}\n${nonce}\n${body}\n`), how.key ?? pair.privateKey);
    return {
      'content-type': 'application/json',
      'wechatpay-timestamp': timestamp,
      'wechatpay-nonce': nonce,
      'wechatpay-serial': serial,
      'wechatpay-signature': signature.toString('base64'),
      'wechatpay-signature-type': 'WECHATPAY2-SHA256-RSA2048',
    };
  }

  #checkAuthorization(request: FakeRequest): FakeReply | undefined {
    const reject = (status: number, code: string): FakeReply => ({
      status,
      body: JSON.stringify({ code, message: code }),
    });
    const { authorization = '', accept, 'user-agent': agent } = request.headers;
    if (accept !== 'application/json' || !agent) return reject(400, 'PARAM_ERROR');
    const fields = Object.fromEntries(
      [...authorization.matchAll(/(\w+)="([^"]*)"/g)].map(([, k, v]) => [k, v]),
    ) as Record<string, string>;
    if (!authorization.startsWith('WECHATPAY2-SHA256-RSA2048 ') || fields.mchid !== this.mchid)
      return reject(401, 'SIGN_ERROR');
    if (fields.serial_no !== this.merchantSerial) return reject(401, 'SIGN_ERROR');
    const at = Number(fields.timestamp) * 1000;
    if (!(Math.abs(at - this.now().getTime()) <= 300_000)) return reject(401, 'INVALID_REQUEST_TIMESTAMP');
    if (this.#nonces.has(fields.nonce_str ?? '')) return reject(401, 'SIGN_ERROR');
    this.#nonces.add(fields.nonce_str ?? '');
    const text = `${request.method}\n${request.target}\n${fields.timestamp}\n${fields.nonce_str}\n${request.body.toString('utf8')}\n`;
    const holds = verify('sha256', Buffer.from(text), this.merchantKey, Buffer.from(fields.signature ?? '', 'base64'));
    return holds ? undefined : reject(401, 'SIGN_ERROR');
  }

  #work(request: FakeRequest): FakeReply {
    const { method, url } = request;
    const body = request.body.length > 0 ? (JSON.parse(request.body.toString('utf8')) as Body) : {};
    const ok = (fields: Body, status = 200): FakeReply => ({ status, body: JSON.stringify(fields) });
    const no = (status: number, code: string): FakeReply => ok({ code, message: code }, status);
    const last = url.pathname.split('/').at(-1) ?? '';
    const pay = /^\/v3\/pay\/transactions\/(native|jsapi|h5)$/.exec(url.pathname)?.[1];
    if (pay !== undefined) return this.#create(pay, body, ok, no);
    if (url.pathname.endsWith('/close')) {
      const trade = this.trades.get(url.pathname.split('/').at(-2) ?? '');
      if (!trade) return no(404, 'ORDER_NOT_EXIST');
      if (trade.state === 'SUCCESS' || trade.state === 'REFUND') return no(400, 'ORDERPAID');
      trade.state = 'CLOSED';
      return { status: 204, body: '' };
    }
    if (url.pathname.startsWith('/v3/pay/transactions/out-trade-no/')) {
      const trade = this.trades.get(last);
      if (url.searchParams.get('mchid') !== this.mchid) return no(400, 'PARAM_ERROR');
      return trade ? ok(this.transaction(trade)) : no(404, 'ORDER_NOT_EXIST');
    }
    if (url.pathname === '/v3/refund/domestic/refunds' && method === 'POST') return this.#refund(body, ok, no);
    if (url.pathname.startsWith('/v3/refund/domestic/refunds/')) {
      const refund = this.refunds.get(last);
      return refund ? ok({ out_refund_no: refund.no, status: refund.status }) : no(404, 'RESOURCE_NOT_EXISTS');
    }
    if (url.pathname === '/v3/bill/tradebill') {
      const day = url.searchParams.get('bill_date') ?? '';
      const hash = createHash('sha1').update(this.statementText(day)).digest('hex');
      return ok({ hash_type: 'SHA1', hash_value: hash, download_url: `${originOf(request)}/file/${day}` });
    }
    if (url.pathname.startsWith('/v3/fund-app/mch-transfer/transfer-bills'))
      return this.transfers.respond(request, body, { ok, no });
    return no(404, 'NOT_FOUND');
  }

  #create(kind: string, body: Body, ok: (f: Body) => FakeReply, no: (s: number, c: string) => FakeReply): FakeReply {
    const number = String(body.out_trade_no);
    const { total, currency } = body.amount as { total?: unknown; currency?: unknown };
    if (!/^[\w\-|*]{6,32}$/.test(number) || typeof total !== 'number' || currency !== 'CNY')
      return no(400, 'PARAM_ERROR');
    if (body.mchid !== this.mchid || body.appid !== this.appid) return no(400, 'PARAM_ERROR');
    const notifyUrl = new URL(String(body.notify_url));
    if (notifyUrl.protocol !== 'https:' || notifyUrl.search !== '') return no(400, 'PARAM_ERROR');
    const openid = String((body.payer as { openid?: string } | undefined)?.openid ?? '');
    if (kind === 'jsapi' && !this.openids.has(openid)) return no(400, 'PARAM_ERROR');
    const scene = body.scene_info as { payer_client_ip?: string; h5_info?: { type?: string } } | undefined;
    if (kind === 'h5' && (isIP(scene?.payer_client_ip ?? '') === 0 || scene?.h5_info?.type !== 'Wap'))
      return no(400, 'PARAM_ERROR');
    if (!(Date.parse(String(body.time_expire)) > this.now().getTime())) return no(400, 'PARAM_ERROR');
    const existing = this.trades.get(number);
    if (existing?.state === 'SUCCESS') return no(400, 'ORDERPAID');
    if (existing?.state === 'CLOSED') return no(400, 'ORDER_CLOSED');
    if (existing && (existing.total !== total || existing.kind !== kind || existing.openid !== openid))
      return no(403, 'OUT_TRADE_NO_USED');
    const trade =
      existing ??
      ({
        no: number,
        id: `4200${randomBytes(12).toString('hex')}`,
        total,
        state: 'NOTPAY',
        paidAt: '',
        kind,
        openid,
        linkAt: 0,
      } satisfies Trade);
    trade.linkAt = this.now().getTime();
    this.trades.set(number, trade);
    if (kind === 'jsapi') return ok({ prepay_id: `wx${number}` });
    return kind === 'h5'
      ? ok({ h5_url: `https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx${number}&package=1` })
      : ok({ code_url: `weixin://wxpay/bizpayurl?pr=${number}` });
  }

  #refund(body: Body, ok: (f: Body) => FakeReply, no: (s: number, c: string) => FakeReply): FakeReply {
    const trade = this.trades.get(String(body.out_trade_no));
    const { refund: fen, total } = body.amount as { refund: number; total: number };
    const number = String(body.out_refund_no);
    const existing = this.refunds.get(number);
    if (existing)
      return existing.fen === fen ? ok({ out_refund_no: number, status: existing.status }) : no(400, 'PARAM_ERROR');
    if (!trade || (trade.state !== 'SUCCESS' && trade.state !== 'REFUND')) return no(404, 'RESOURCE_NOT_EXISTS');
    const before = [...this.refunds.values()].filter((r) => r.trade === trade.no).reduce((sum, r) => sum + r.fen, 0);
    if (total !== trade.total || before + fen > trade.total) return no(400, 'PARAM_ERROR');
    trade.state = 'REFUND';
    this.refunds.set(number, { no: number, trade: trade.no, fen, status: this.refundBegins, at: beijing(this.now()) });
    return ok({ out_refund_no: number, status: this.refundBegins });
  }

  /**
   * A phone's browser opens a payment's link: WeChat's page looks at where it comes from, at its age, and at the browser. Answers where
   * WeChat sends the payer afterwards, or why it opens nothing.
   */
  openH5(link: string, from: { referer: string | undefined; agent: string }): { no: string; back: string } | string {
    const url = new URL(link);
    const no = (url.searchParams.get('prepay_id') ?? '').replace(/^wx/, '');
    const trade = this.trades.get(no);
    if (url.host !== 'wx.tenpay.com' || trade?.kind !== 'h5') return '支付链接不正确';
    if (/MicroMessenger/.test(from.agent)) return '请在微信外打开订单，进行支付';
    const referer = from.referer === undefined || from.referer === '' ? undefined : new URL(from.referer).hostname;
    if (referer === undefined || !this.h5Hosts.has(referer)) return '商家参数格式有误，请联系商家解决';
    if (this.now().getTime() - trade.linkAt > 300_000) return '支付链接已失效';
    const back = url.searchParams.get('redirect_url') ?? from.referer ?? '';
    return this.h5Hosts.has(new URL(back).hostname) ? { no, back } : '商家参数格式有误，请联系商家解决';
  }

  /** WeChat's own dialog: checks the signed fields, and that the payment is this person's. Returns what the page receives. */
  dialog(fields: Record<string, string>, who: { openid: string; pays: boolean }): string {
    const { appId, timeStamp, nonceStr, package: packed = '', signType, paySign = '' } = fields;
    const end = (what: string): string => `get_brand_wcpay_request:${what}`;
    const text = `${appId}\n${timeStamp}\n${nonceStr}\n${packed}\n`;
    const holds = verify('sha256', Buffer.from(text), this.merchantKey, Buffer.from(paySign, 'base64'));
    const trade = this.trades.get(packed.replace('prepay_id=wx', ''));
    if (!holds || appId !== this.appid || signType !== 'RSA' || trade?.kind !== 'jsapi') return end('fail');
    if (trade.openid !== who.openid || trade.state !== 'NOTPAY') return end('fail');
    if (!who.pays) return end('cancel');
    this.pay(trade.no);
    return end('ok');
  }

  /** Somebody scans and pays. */
  pay(no: string): Trade {
    const trade = this.trades.get(no);
    if (trade?.state !== 'NOTPAY') throw new Error(`cannot be paid: ${trade?.state}`);
    trade.state = 'SUCCESS';
    trade.paidAt = beijing(this.now());
    return trade;
  }

  /** A trade as answers and notifications tell it. */
  transaction(trade: Trade): Body {
    return {
      mchid: this.mchid,
      appid: this.appid,
      out_trade_no: trade.no,
      trade_state: trade.state,
      ...(trade.paidAt === '' ? {} : { transaction_id: trade.id }),
      amount: { total: trade.total, payer_total: trade.total, currency: 'CNY' },
    };
  }

  /** A signed, sealed notification; `fields` change what is sealed, `how` the seal. */
  notice(
    resource: Body,
    how: { key?: KeyObject; at?: number; serial?: string; v3?: string; event?: string } = {},
  ): { body: string; headers: Record<string, string> } {
    const nonce = randomBytes(6).toString('hex');
    const cipher = createCipheriv('aes-256-gcm', how.v3 ?? this.v3Key, nonce).setAAD(Buffer.from('transaction'));
    const ciphertext = Buffer.concat([cipher.update(JSON.stringify(resource)), cipher.final(), cipher.getAuthTag()]);
    const body = JSON.stringify({
      id: randomBytes(16).toString('hex'),
      event_type: how.event ?? 'TRANSACTION.SUCCESS',
      resource_type: 'encrypt-resource',
      resource: {
        original_type: 'transaction',
        algorithm: 'AEAD_AES_256_GCM',
        ciphertext: ciphertext.toString('base64'),
        nonce,
        associated_data: 'transaction',
      },
    });
    return { body, headers: this.signHeaders(body, how) };
  }

  /** The day's trade bill. */
  statementText(day: string): string {
    return tradeBill(this, day);
  }
}
