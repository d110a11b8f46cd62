import { type Fen, parseYuan, yuanText } from '#contract/wire.ts';
import type { AlipayConfig } from '#server/config/config-pay.ts';
import { cutText } from '#server/kernel/cut-text.ts';
import { UnknownResult } from '#server/kernel/errors.ts';
import type {
  ChannelNotice,
  ChannelOutcome,
  NewPayment,
  PayChannel,
  CheckoutData,
  RefundRequest,
} from '#server/ports/pay.ts';
import { type GatewayResponse, gateway, pageAddress } from './alipay-gateway.ts';
import { genuineForm } from './alipay-sign.ts';
import { alipayPayoutCodes, alipayRefundCodes } from './alipay-codes.ts';
import { meaningOf, stateOfCode } from './vendor-codes.ts';
import { requestVendor, chinaText, type Environment } from '../vendor-request.ts';

const STATEMENT_BYTES = 64 * 1024 * 1024;
const STATEMENT_MS = 60_000;

const states: Readonly<Record<string, ChannelNotice['state']>> = {
  TRADE_SUCCESS: 'paid',
  TRADE_FINISHED: 'paid',
  TRADE_CLOSED: 'closed',
  WAIT_BUYER_PAY: 'waiting',
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Converts a trade from a query or a notification; undefined when a field is invalid. */
function noticeOf(fields: Readonly<Record<string, unknown>>, merchant: string): ChannelNotice | undefined {
  const state = states[text(fields.trade_status)];
  const amountFen = parseYuan(text(fields.total_amount));
  const [interSn, tradeNo] = [text(fields.out_trade_no), text(fields.trade_no)];
  if (state === undefined || amountFen === null || interSn === '' || tradeNo === '') return undefined;
  const raw = { trade_no: tradeNo, trade_status: fields.trade_status, total_amount: fields.total_amount };
  return { interSn, tradeNo, amountFen, state, merchant, raw: { ...raw, notify_id: fields.notify_id } };
}

/** A notification's content, if it is signed by Alipay and concerns our application and account. */
function verified(config: AlipayConfig, body: Buffer): ChannelNotice | undefined {
  const form = genuineForm(body, config.publicKey);
  if (form === undefined) return undefined;
  if (form.app_id !== config.appId || form.seller_id !== config.sellerId) return undefined;
  return noticeOf(form, form.seller_id);
}

async function lead(config: AlipayConfig, environment: Environment, p: NewPayment): Promise<CheckoutData> {
  const biz = {
    out_trade_no: p.interSn,
    total_amount: yuanText(p.amountFen),
    // Alipay rejects these three characters in a subject.
    subject: cutText(p.subject.replace(/[/=&]/g, ' '), 120),
    time_expire: chinaText(p.expiresAt),
  };
  const notify = { notify_url: config.notifyUrl };
  if (p.method === 'qr') {
    const { code, subCode, fields } = await gateway(config, environment, {
      method: 'alipay.trade.precreate',
      biz,
      extra: notify,
    });
    const qrText = text(fields.qr_code);
    if (code !== '10000' || qrText === '') throw new UnknownResult(`alipay.trade.precreate: ${code} ${subCode}`);
    return { qrText };
  }
  const phone = p.method === 'h5';
  const jumpUrl = pageAddress(config, environment, {
    method: phone ? 'alipay.trade.wap.pay' : 'alipay.trade.page.pay',
    biz: { ...biz, product_code: phone ? 'QUICK_WAP_WAY' : 'FAST_INSTANT_TRADE_PAY' },
    extra: { ...notify, return_url: p.returnUrl },
  });
  return { qrText: jumpUrl, jumpUrl };
}

/** The state of a trade. Until its QR code is scanned Alipay reports that it does not exist. */
async function find(
  config: AlipayConfig,
  environment: Environment,
  interSn: string,
): Promise<ChannelNotice | undefined> {
  const { code, subCode, fields } = await gateway(config, environment, {
    method: 'alipay.trade.query',
    biz: { out_trade_no: interSn },
  });
  if (subCode === 'ACQ.TRADE_NOT_EXIST') return undefined;
  const notice = code === '10000' ? noticeOf(fields, config.sellerId) : undefined;
  if (!notice) throw new UnknownResult(`alipay.trade.query: ${code} ${subCode}`);
  return notice;
}

async function refund(config: AlipayConfig, environment: Environment, request: RefundRequest): Promise<ChannelOutcome> {
  const { code, subCode, fields } = await gateway(config, environment, {
    method: 'alipay.trade.refund',
    biz: {
      out_trade_no: request.interSn,
      out_request_no: request.refundNo,
      refund_amount: yuanText(request.amountFen),
      refund_reason: cutText(request.reason, 80),
    },
  });
  // 'N' means that this call moved no money: an earlier one may have, which the query shows.
  if (code === '10000') return { state: fields.fund_change === 'Y' ? 'done' : 'pending' };
  return { state: stateOfCode(alipayRefundCodes, subCode), reason: subCode };
}

async function refundState(config: AlipayConfig, environment: Environment, interSn: string, refundNo: string) {
  const { code, subCode, fields } = await gateway(config, environment, {
    method: 'alipay.trade.fastpay.refund.query',
    biz: { out_trade_no: interSn, out_request_no: refundNo },
  });
  if (code === '10000' && fields.refund_status === 'REFUND_SUCCESS') return { state: 'done' } as const;
  if (code === '10000' || subCode === 'ACQ.TRADE_NOT_EXIST') return undefined;
  throw new UnknownResult(`alipay.trade.fastpay.refund.query: ${code} ${subCode}`);
}

function transferOutcome({ code, subCode, fields }: GatewayResponse): ChannelOutcome {
  if (code !== '10000') return { state: stateOfCode(alipayPayoutCodes, subCode), reason: subCode };
  const status = text(fields.status);
  if (status === 'SUCCESS') return { state: 'done' };
  const reason = text(fields.error_code) || status;
  return { state: status === 'FAIL' || status === 'REFUND' ? 'failed' : 'pending', reason };
}

/** Downloads the day's account statement, a ZIP of GBK tables. */
async function statement(config: AlipayConfig, environment: Environment, day: string): Promise<Buffer> {
  const { code, subCode, fields } = await gateway(config, environment, {
    method: 'alipay.data.dataservice.bill.downloadurl.query',
    biz: { bill_type: 'signcustomer', bill_date: day },
  });
  const url = text(fields.bill_download_url);
  if (code !== '10000' || url === '') throw new UnknownResult(`no statement of ${day}: ${code} ${subCode}`);
  const { status, body } = await requestVendor(environment, url, {}, { ms: STATEMENT_MS, bytes: STATEMENT_BYTES });
  if (status !== 200) throw new UnknownResult(`no statement of ${day}: HTTP ${status}`);
  return body;
}

const plain = (status: number, body: string) => ({ status, body, contentType: 'text/plain; charset=utf-8' });

/** Alipay by its v2 gateway with RSA2: QR, page and phone payments, refunds, and transfers to verified people. */
export function alipayChannel(config: AlipayConfig, environment: Environment): PayChannel {
  const transfer = { product_code: 'TRANS_ACCOUNT_NO_PWD', biz_scene: 'DIRECT_TRANSFER' };
  return {
    name: 'alipay',
    methods: ['qr', 'page', 'h5'],
    // Exactly these seven bytes: after any other response Alipay repeats the notification for a day.
    responses: { accepted: plain(200, 'success'), rejected: plain(400, 'fail') },
    create: (payment) => lead(config, environment, payment),
    verify: ({ body }) => verified(config, body),
    explain: (what, code) => meaningOf(what === 'refund' ? alipayRefundCodes : alipayPayoutCodes, code)?.text,
    query: ({ interSn }) => find(config, environment, interSn),
    async close({ interSn }) {
      const { code, subCode } = await gateway(config, environment, {
        method: 'alipay.trade.close',
        biz: { out_trade_no: interSn },
      });
      if (code === '10000') return 'closed';
      if (subCode === 'ACQ.TRADE_NOT_EXIST') return 'unseen';
      if (/STATUS/.test(subCode))
        return (await find(config, environment, interSn))?.state === 'paid' ? 'paid' : 'closed';
      throw new UnknownResult(`alipay.trade.close: ${code} ${subCode}`);
    },
    refund: (request) => refund(config, environment, request),
    refundState: ({ interSn, refundNo }) => refundState(config, environment, interSn, refundNo),
    payoutKinds: ['alipay'],
    async payout({ no, amountFen, account, name, remark }) {
      return transferOutcome(
        await gateway(config, environment, {
          method: 'alipay.fund.trans.uni.transfer',
          biz: {
            ...transfer,
            out_biz_no: no,
            trans_amount: yuanText(amountFen as Fen),
            order_title: remark,
            // With a log-in id Alipay compares the name, so money reaches only the verified person.
            payee_info: { identity: account, identity_type: 'ALIPAY_LOGON_ID', name },
            remark,
          },
        }),
      );
    },
    async payoutState({ no }) {
      const response = await gateway(config, environment, {
        method: 'alipay.fund.trans.common.query',
        biz: { ...transfer, out_biz_no: no },
      });
      if (/ORDER_NOT_EXIST/.test(response.subCode)) return undefined;
      if (response.code !== '10000') throw new UnknownResult(`alipay.fund.trans.common.query: ${response.subCode}`);
      return transferOutcome(response);
    },
    statement: (day) => statement(config, environment, day),
  };
}
