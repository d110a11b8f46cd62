/**
 * Alipay's v2 gateway on loopback: checks every signature exactly, keeps trades by their number with the vendor's own states, signs
 * what it answers, and sends the notifications that the vendor would. Knows nothing of the adapter but the protocol's rules.
 */
import { chinaClock } from '#contract/rules/time/china-time.ts';
import { generateKeyPairSync, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import iconv from 'iconv-lite';
import { zipOf } from './zip.ts';
import { type FakeReply, type FakeRequest, FakeServer, originOf } from './fake-server.ts';

type Params = Record<string, string>;
type Biz = Record<string, unknown>;

interface Trade {
  no: string;
  tradeNo: string;
  amount: string;
  status: 'UNSCANNED' | 'WAIT_BUYER_PAY' | 'TRADE_SUCCESS' | 'TRADE_FINISHED' | 'TRADE_CLOSED';
  expires: string;
  notifyUrl: string;
  refunds: Map<string, string>;
  paidAt: string;
}

interface Transfer {
  no: string;
  amount: string;
  identity: string;
  name: string;
  status: 'DEALING' | 'SUCCESS' | 'FAIL' | 'REFUND';
  /** When it came back; '' while it has not. */
  backAt: string;
  at: string;
}

const beijing = (at: Date): string => chinaClock(at).replace('T', ' ');
const fenOf = (yuan: string): number => Math.round(Number(yuan) * 100);
const yuanOf = (fen: number): string => (fen / 100).toFixed(2);

/** All fields except `sign` and empty ones, by name. */
const signText = (params: Params, without: string[]): string =>
  Object.entries(params)
    .filter(([k, v]) => v !== '' && !without.includes(k))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${k}=${v}`)
    .join('&');

export class FakeAlipay extends FakeServer {
  readonly appId = '2021000000000001';
  readonly sellerId = '2088000000000001';
  readonly own: { publicKey: KeyObject; privateKey: KeyObject };
  readonly #stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  readonly trades = new Map<string, Trade>();
  readonly transfers = new Map<string, Transfer>();
  /** Money of the merchant, in fen: what refunds and transfers are paid from. */
  balanceFen = 100_000_000;
  /** The real names behind log-in names; a log-in name that is not listed has any name. */
  readonly people = new Map<string, string>();
  /** How the next transfers begin. */
  /** The code with which the next call is rejected; '' for none. */
  refuseNext = '';
  transferBegins: Transfer['status'] = 'SUCCESS';
  readonly merchantKey: KeyObject;

  /** `merchantKey` is the public half of the merchant's key. */
  constructor(merchantKey: KeyObject, own?: { publicKey: KeyObject; privateKey: KeyObject }) {
    super();
    this.merchantKey = merchantKey;
    this.own = own ?? generateKeyPairSync('rsa', { modulusLength: 2048 });
  }

  protected nameOf({ url }: FakeRequest): string {
    return url.searchParams.get('method') ?? url.pathname;
  }

  protected respond(request: FakeRequest, bad: 'forged' | 'unsigned' | undefined): FakeReply {
    if (request.method === 'GET' && request.url.pathname.startsWith('/bill/'))
      return { status: 200, body: this.statementZip(request.url.pathname.slice(6)) };
    const query = Object.fromEntries(request.url.searchParams) as Params;
    const form = Object.fromEntries(new URLSearchParams(request.body.toString('utf8'))) as Params;
    const error = this.#checkSign(query, form);
    const method = query.method ?? '';
    const fields = error ?? this.#work(method, JSON.parse(form.biz_content ?? '{}') as Biz, query, request);
    const name = fields.code === '40002' ? 'error_response' : `${method.replaceAll('.', '_')}_response`;
    const inner = JSON.stringify(fields);
    const key = bad === 'forged' ? this.#stranger : this.own.privateKey;
    const tail = bad === 'unsigned' ? '' : `,"sign":"${sign('sha256', Buffer.from(inner), key).toString('base64')}"`;
    return { status: 200, headers: { 'content-type': 'text/html;charset=utf-8' }, body: `{"${name}":${inner}${tail}}` };
  }

  #checkSign(query: Params, form: Params): Biz | undefined {
    const reject = (sub: string): Biz => ({ code: '40002', msg: 'Invalid Arguments', sub_code: sub, sub_msg: sub });
    if (query.biz_content !== undefined || Object.keys(form).some((k) => k !== 'biz_content'))
      return reject('isv.invalid-parameter');
    if (query.app_id !== this.appId) return reject('isv.invalid-app-id');
    if (query.sign_type !== 'RSA2' || query.charset !== 'utf-8') return reject('isv.invalid-signature-type');
    const at = Date.parse(`${(query.timestamp ?? '').replace(' ', 'T')}+08:00`);
    if (!(Math.abs(at - this.now().getTime()) < 15 * 60_000)) return reject('isv.invalid-timestamp');
    const text = signText({ ...query, ...form }, ['sign']);
    if (!verify('sha256', Buffer.from(text), this.merchantKey, Buffer.from(query.sign ?? '', 'base64')))
      return reject('isv.invalid-signature');
    return undefined;
  }

  #work(method: string, biz: Biz, query: Params, request: FakeRequest): Biz {
    const ok = (fields: Biz): Biz => ({ code: '10000', msg: 'Success', ...fields });
    const no = (sub: string): Biz => ({ code: '40004', msg: 'Business Failed', sub_code: sub, sub_msg: sub });
    const trade = this.trades.get(String(biz.out_trade_no));
    if (this.refuseNext !== '') {
      const code = this.refuseNext;
      this.refuseNext = '';
      return no(code);
    }
    switch (method) {
      case 'alipay.trade.precreate':
        return this.#precreate(biz, query, ok, no);
      case 'alipay.trade.query':
        if (!trade || trade.status === 'UNSCANNED') return no('ACQ.TRADE_NOT_EXIST');
        return ok({
          out_trade_no: trade.no,
          trade_no: trade.tradeNo,
          total_amount: trade.amount,
          trade_status: trade.status,
        });
      case 'alipay.trade.close':
        if (!trade || trade.status === 'UNSCANNED') return no('ACQ.TRADE_NOT_EXIST');
        if (trade.status !== 'WAIT_BUYER_PAY') return no('ACQ.REASON_TRADE_STATUS_INVALID');
        trade.status = 'TRADE_CLOSED';
        return ok({ out_trade_no: trade.no, trade_no: trade.tradeNo });
      case 'alipay.trade.refund':
        return this.#refund(biz, trade, ok, no);
      case 'alipay.trade.fastpay.refund.query': {
        if (!trade) return no('ACQ.TRADE_NOT_EXIST');
        const done = trade.refunds.get(String(biz.out_request_no));
        return ok(done === undefined ? {} : { refund_status: 'REFUND_SUCCESS', refund_amount: done });
      }
      case 'alipay.fund.trans.uni.transfer':
        return this.#transfer(biz, ok, no);
      case 'alipay.fund.trans.common.query': {
        const t = this.transfers.get(String(biz.out_biz_no));
        return t ? ok({ out_biz_no: t.no, status: t.status, order_id: `O${t.no}` }) : no('ORDER_NOT_EXIST');
      }
      case 'alipay.data.dataservice.bill.downloadurl.query':
        return ok({ bill_download_url: `${originOf(request)}/bill/${String(biz.bill_date)}` });
      default:
        return { code: '40001', msg: 'Missing Method', sub_code: 'isv.missing-method' };
    }
  }

  #precreate(biz: Biz, query: Params, ok: (f: Biz) => Biz, no: (s: string) => Biz): Biz {
    const [tradeNo, amount, subject] = [biz.out_trade_no, biz.total_amount, biz.subject].map(String);
    if (!/^[A-Za-z0-9_]{1,64}$/.test(tradeNo ?? '') || !/^\d{1,9}\.\d\d$/.test(amount ?? ''))
      return no('ACQ.INVALID_PARAMETER');
    if (/[/=&]/.test(subject ?? '') || !query.notify_url?.startsWith('https://')) return no('ACQ.INVALID_PARAMETER');
    const existing = this.trades.get(tradeNo ?? '');
    if (existing && existing.amount !== amount) return no('ACQ.CONTEXT_INCONSISTENT');
    if (existing?.status === 'TRADE_SUCCESS') return no('ACQ.TRADE_HAS_SUCCESS');
    if (existing?.status === 'TRADE_CLOSED') return no('ACQ.TRADE_HAS_CLOSE');
    if (!existing)
      this.trades.set(tradeNo ?? '', {
        no: tradeNo ?? '',
        tradeNo: `2026${randomBytes(10).toString('hex')}`,
        amount: amount ?? '',
        status: 'UNSCANNED',
        expires: String(biz.time_expire),
        notifyUrl: query.notify_url ?? '',
        refunds: new Map(),
        paidAt: '',
      });
    return ok({ out_trade_no: tradeNo, qr_code: `https://qr.alipay.com/${tradeNo}` });
  }

  #refund(biz: Biz, trade: Trade | undefined, ok: (f: Biz) => Biz, no: (s: string) => Biz): Biz {
    if (!trade || trade.status === 'UNSCANNED') return no('ACQ.TRADE_NOT_EXIST');
    const [number, amount] = [String(biz.out_request_no), String(biz.refund_amount)];
    const existing = trade.refunds.get(number);
    if (existing !== undefined)
      return existing === amount
        ? ok({ out_trade_no: trade.no, fund_change: 'N' })
        : no('ACQ.DISCORDANT_REPEAT_REQUEST');
    if (trade.status === 'TRADE_FINISHED') return no('ACQ.TRADE_HAS_FINISHED');
    if (trade.paidAt === '') return no('ACQ.TRADE_STATUS_ERROR');
    const before = [...trade.refunds.values()].reduce((sum, v) => sum + fenOf(v), 0);
    if (before + fenOf(amount) > fenOf(trade.amount)) return no('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL');
    if (fenOf(amount) > this.balanceFen) return no('ACQ.SELLER_BALANCE_NOT_ENOUGH');
    this.balanceFen -= fenOf(amount);
    trade.refunds.set(number, amount);
    if (before + fenOf(amount) === fenOf(trade.amount)) trade.status = 'TRADE_CLOSED';
    return ok({ out_trade_no: trade.no, fund_change: 'Y', refund_fee: yuanOf(before + fenOf(amount)) });
  }

  #transfer(biz: Biz, ok: (f: Biz) => Biz, no: (s: string) => Biz): Biz {
    const [number, amount] = [String(biz.out_biz_no), String(biz.trans_amount)];
    const payee = biz.payee_info as { identity?: string; identity_type?: string; name?: string } | undefined;
    if (biz.product_code !== 'TRANS_ACCOUNT_NO_PWD' || biz.biz_scene !== 'DIRECT_TRANSFER')
      return no('INVALID_PARAMETER');
    if (!payee?.identity || (payee.identity_type === 'ALIPAY_LOGON_ID' && !payee.name)) return no('INVALID_PARAMETER');
    const existing = this.transfers.get(number);
    if (existing)
      return existing.amount === amount
        ? ok({ out_biz_no: number, status: existing.status })
        : no('BIZ_UNIQUE_EXCEPTION');
    const owner = this.people.get(payee.identity);
    if (owner !== undefined && owner !== payee.name) return no('PAYEE_USER_INFO_ERROR');
    if (fenOf(amount) > this.balanceFen) return no('PAYER_BALANCE_NOT_ENOUGH');
    const status = this.transferBegins;
    if (status !== 'FAIL') this.balanceFen -= fenOf(amount);
    this.transfers.set(number, {
      no: number,
      amount,
      identity: payee.identity,
      name: payee.name ?? '',
      status,
      at: beijing(this.now()),
      backAt: '',
    });
    return ok({ out_biz_no: number, status, order_id: `O${number}` });
  }

  /** A transfer that was under way ends. */
  endTransfer(no: string, status: 'SUCCESS' | 'FAIL' | 'REFUND'): void {
    const transfer = this.transfers.get(no);
    if (!transfer) throw new Error('no such transfer');
    if (status !== 'SUCCESS') this.balanceFen += fenOf(transfer.amount);
    transfer.status = status;
    if (status === 'REFUND') transfer.backAt = beijing(this.now());
  }

  /**
   * A browser opens Alipay's page by a signed address: from now on the trade exists. Returns its number and where the payer is sent
   * afterwards, or why nothing opens.
   */
  openPage(address: string, agent = ''): { no: string; back: string } | string {
    const params = Object.fromEntries(new URL(address).searchParams) as Params;
    if (/MicroMessenger/.test(agent)) return '请在浏览器中打开';
    const { biz_content: biz = '{}', ...query } = params;
    const error = this.#checkSign(query, { biz_content: biz });
    if (error) return String(error.sub_code);
    const fields = JSON.parse(biz) as Biz;
    const products: Params = {
      'alipay.trade.wap.pay': 'QUICK_WAP_WAY',
      'alipay.trade.page.pay': 'FAST_INSTANT_TRADE_PAY',
    };
    if (products[query.method ?? ''] !== fields.product_code) return 'ACQ.INVALID_PARAMETER';
    if (!(String(fields.time_expire) > beijing(this.now()))) return 'ACQ.TRADE_HAS_CLOSE';
    let problem = '';
    this.#precreate(
      fields,
      query,
      (f) => f,
      (sub) => ({ sub: (problem = sub) }),
    );
    if (problem !== '') return problem;
    const no = String(fields.out_trade_no);
    this.scan(no);
    return { no, back: query.return_url ?? '' };
  }

  /** Somebody scans the QR: from now on the trade exists. */
  scan(no: string): Trade {
    const trade = this.trades.get(no);
    if (!trade) throw new Error('no such trade');
    if (trade.status === 'UNSCANNED') trade.status = 'WAIT_BUYER_PAY';
    return trade;
  }

  /** Somebody scans and pays. */
  pay(no: string): Trade {
    const trade = this.scan(no);
    if (trade.status !== 'WAIT_BUYER_PAY') throw new Error(`cannot be paid: ${trade.status}`);
    trade.status = 'TRADE_SUCCESS';
    trade.paidAt = beijing(this.now());
    this.balanceFen += fenOf(trade.amount);
    return trade;
  }

  /** The signed form that tells of a trade; `fields` change it before it is signed. */
  notice(no: string, fields: Params = {}, key: KeyObject = this.own.privateKey): Params {
    const trade = this.trades.get(no);
    const form: Params = {
      app_id: this.appId,
      auth_app_id: this.appId,
      seller_id: this.sellerId,
      charset: 'utf-8',
      version: '1.0',
      notify_type: 'trade_status_sync',
      notify_time: beijing(this.now()),
      notify_id: randomBytes(16).toString('hex'),
      // Per cent and plus signs are ordinary in values.
      subject: '充值 50%off + 1',
      buyer_logon_id: 'a+b***@example.com',
      out_trade_no: no,
      trade_no: trade?.tradeNo ?? `2026${randomBytes(10).toString('hex')}`,
      total_amount: trade?.amount ?? '0.00',
      trade_status: trade?.status ?? 'TRADE_SUCCESS',
      ...fields,
    };
    return {
      ...form,
      sign_type: 'RSA2',
      sign: sign('sha256', Buffer.from(signText(form, [])), key).toString('base64'),
    };
  }

  /** The account statement of a day as the vendor packs it: a ZIP of GBK tables. */
  statementZip(day: string): Buffer {
    return zipOf([
      { name: `${this.sellerId}_${day}_账务明细.csv`, body: iconv.encode(this.statementText(day), 'gbk') },
    ]);
  }

  /** The statement's text. */
  statementText(day: string): string {
    const rows: string[][] = [];
    for (const t of this.trades.values()) {
      if (!t.paidAt.startsWith(day)) continue;
      rows.push([
        `${t.tradeNo}1`,
        t.tradeNo,
        t.no,
        '充值',
        t.paidAt,
        '买家',
        t.amount,
        '0.00',
        '0.00',
        '支付宝',
        '在线支付',
        '',
      ]);
      for (const [number, amount] of t.refunds)
        rows.push([
          `${t.tradeNo}${number}`,
          t.tradeNo,
          number,
          '退款',
          t.paidAt,
          '买家',
          '0.00',
          `-${amount}`,
          '0.00',
          '支付宝',
          '交易退款',
          '',
        ]);
    }
    for (const t of this.transfers.values()) {
      const line = (number: string, at: string, income: string, outcome: string, type: string) =>
        rows.push([number, `O${t.no}`, t.no, '提现', at, t.identity, income, outcome, '0.00', '支付宝', type, '']);
      const left = t.status === 'SUCCESS' || t.status === 'REFUND';
      if (left && t.at.startsWith(day)) line(`F${t.no}`, t.at, '0.00', `-${t.amount}`, '转账');
      if (t.status === 'REFUND' && t.backAt.startsWith(day)) line(`B${t.no}`, t.backAt, t.amount, '0.00', '转账退回');
    }
    return [
      '#支付宝账务明细查询',
      `#账号：[${this.sellerId}]`,
      `#起始日期：[${day} 00:00:00]   终止日期：[${day} 24:00:00]`,
      '#-----------------------------------------账务明细列表----------------------------------------',
      '账务流水号,业务流水号,商户订单号,商品名称,发生时间,对方账号,收入金额（+元）,支出金额（-元）,账户余额（元）,交易渠道,业务类型,备注',
      ...rows.map((row) => row.map((cell) => `${cell}\t`).join(',')),
      '#-----------------------------------------账务明细列表结束------------------------------------',
      `#导出时间：[${beijing(this.now())}]`,
      '',
    ].join('\r\n');
  }
}
