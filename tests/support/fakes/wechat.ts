/**
 * WeChat Pay's API v3 on loopback: checks Authorization over the exact path and body, signs every answer that succeeds (204
 * included) with either kind of key, keeps trades, refunds and transfers by their numbers, and seals notifications.
 */
import {
  constants,
  createCipheriv,
  createHash,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type FakeReply, type FakeRequest, FakeServer } from './fake-server.ts';

type Body = Record<string, unknown>;

interface Trade {
  no: string;
  id: string;
  total: number;
  state: 'NOTPAY' | 'SUCCESS' | 'CLOSED' | 'REFUND';
  paidAt: string;
}

interface Refund {
  no: string;
  trade: string;
  fen: number;
  status: 'SUCCESS' | 'PROCESSING' | 'CLOSED' | 'ABNORMAL';
  at: string;
}

interface Bill {
  no: string;
  fen: number;
  openid: string;
  name: string;
  state: string;
}

const beijing = (at: Date): string =>
  new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

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
  readonly bills = new Map<string, Bill>();
  refundBegins: Refund['status'] = 'SUCCESS';
  /** Seconds that the vendor's clock is off when it signs. */
  skewSeconds = 0;

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
      },
    };
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
      return ok({ hash_type: 'SHA1', hash_value: hash, download_url: `http://${request.headers.host}/file/${day}` });
    }
    if (url.pathname.startsWith('/v3/fund-app/mch-transfer/transfer-bills')) return this.#bill(request, body, ok, no);
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
    if (kind === 'jsapi' && !(body.payer as { openid?: string } | undefined)?.openid) return no(400, 'PARAM_ERROR');
    if (kind === 'h5' && !(body.scene_info as Body | undefined)?.payer_client_ip) return no(400, 'PARAM_ERROR');
    const existing = this.trades.get(number);
    if (existing?.state === 'SUCCESS') return no(400, 'ORDERPAID');
    if (existing?.state === 'CLOSED') return no(400, 'ORDER_CLOSED');
    if (existing && existing.total !== total) return no(403, 'OUT_TRADE_NO_USED');
    if (!existing)
      this.trades.set(number, {
        no: number,
        id: `4200${randomBytes(12).toString('hex')}`,
        total,
        state: 'NOTPAY',
        paidAt: '',
      });
    if (kind === 'jsapi') return ok({ prepay_id: `wx${number}` });
    return kind === 'h5'
      ? ok({ h5_url: `https://wx.tenpay.com/${number}` })
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

  #bill(
    request: FakeRequest,
    body: Body,
    ok: (f: Body) => FakeReply,
    no: (s: number, c: string) => FakeReply,
  ): FakeReply {
    if (request.method === 'GET') {
      const bill = this.bills.get(request.url.pathname.split('/').at(-1) ?? '');
      return bill ? ok({ out_bill_no: bill.no, state: bill.state }) : no(404, 'NOT_FOUND');
    }
    const pair = this.own.get(String(request.headers['wechatpay-serial']));
    const number = String(body.out_bill_no);
    if (!pair || !/^[A-Za-z0-9]{1,32}$/.test(number)) return no(400, 'PARAM_ERROR');
    const name = privateDecrypt(
      { key: pair.privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' },
      Buffer.from(String(body.user_name), 'base64'),
    ).toString('utf8');
    if (!this.bills.has(number))
      this.bills.set(number, {
        no: number,
        fen: Number(body.transfer_amount),
        openid: String(body.openid),
        name,
        state: 'WAIT_USER_CONFIRM',
      });
    return ok({ out_bill_no: number, state: this.bills.get(number)?.state });
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
    const cells = (row: readonly (string | number)[]): string => row.map((cell) => `\`${cell}`).join(',');
    const yuan = (fen: number): string => (fen / 100).toFixed(2);
    const head = [this.appid, this.mchid, '0', ''];
    const rows: string[] = [];
    for (const t of this.trades.values()) {
      if (!t.paidAt.startsWith(day)) continue;
      const fee = Math.round(t.total * 0.006) / 100;
      rows.push(
        cells([
          t.paidAt,
          ...head,
          t.id,
          t.no,
          'o1',
          'NATIVE',
          'SUCCESS',
          'OTHERS',
          'CNY',
          yuan(t.total),
          '0.00',
          '0',
          '0',
          '0.00',
          '0.00',
          '',
          '',
          '充值',
          '',
          fee.toFixed(5),
          '0.60%',
          yuan(t.total),
          '0.00',
          '',
        ]),
      );
    }
    for (const r of this.refunds.values()) {
      const t = this.trades.get(r.trade);
      if (!r.at.startsWith(day) || !t) continue;
      rows.push(
        cells([
          r.at,
          ...head,
          t.id,
          t.no,
          'o1',
          'NATIVE',
          'REFUND',
          'OTHERS',
          'CNY',
          '0.00',
          '0.00',
          `50${r.no}`,
          r.no,
          yuan(r.fen),
          '0.00',
          'ORIGINAL',
          r.status,
          '充值',
          '',
          '0.00000',
          '0.60%',
          '0.00',
          yuan(r.fen),
          '',
        ]),
      );
    }
    const title =
      '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注';
    const total = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额';
    return `\uFEFF${[title, ...rows, total, cells([rows.length, '0.00', '0.00', '0.00', '0.00000', '0.00', '0.00'])].join('\r\n')}\r\n`;
  }
}
