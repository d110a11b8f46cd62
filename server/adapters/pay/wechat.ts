import { chinaClock } from '#contract/rules/time/china-time.ts';
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { fen } from '#contract/wire.ts';
import type { WechatPayConfig } from '#server/config/config-pay.ts';
import { cutText } from '#server/kernel/cut-text.ts';
import { UnknownResult } from '#server/kernel/errors.ts';
import type {
  ChannelHint,
  ChannelNotice,
  ChannelOutcome,
  NewPayment,
  PayChannel,
  CheckoutData,
  RefundRequest,
} from '#server/ports/pay.ts';
import type { Environment } from '../vendor-request.ts';
import { signedRequest, wechat, type WechatResponse } from './wechat-client.ts';
import { meaningOf, stateOfCode } from './vendor-codes.ts';
import { wechatPayoutCodes, wechatRefundCodes } from './wechat-codes.ts';
import { isSigned, decryptResource, signatureHeaders, signLines } from './wechat-sign.ts';
import { transfer, transferState } from './wechat-transfer.ts';

const STATEMENT = { ms: 60_000, bytes: 64 * 1024 * 1024 };

const states: Readonly<Record<string, ChannelNotice['state']>> = {
  SUCCESS: 'paid',
  REFUND: 'paid',
  CLOSED: 'closed',
  REVOKED: 'closed',
  PAYERROR: 'closed',
  NOTPAY: 'waiting',
  USERPAYING: 'waiting',
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

type Fields = Readonly<Record<string, unknown>>;

/** Converts a transaction from a query or a notification; undefined when it is not ours or a field is invalid. */
function noticeOf(config: WechatPayConfig, t: Fields): ChannelNotice | undefined {
  if (t.mchid !== config.mchid || t.appid !== config.appid) return undefined;
  const state = states[text(t.trade_state)];
  const { total, currency } = (t.amount ?? {}) as { total?: unknown; currency?: unknown };
  const interSn = text(t.out_trade_no);
  // A payment that was not attempted yet has no transaction id.
  const tradeNo = text(t.transaction_id) || (state === 'paid' ? '' : `none-${interSn}`);
  if (state === undefined || interSn === '' || tradeNo === '') return undefined;
  if (currency !== undefined && currency !== 'CNY') return undefined;
  if (typeof total !== 'number' || !Number.isSafeInteger(total) || total <= 0) return undefined;
  const raw = { transaction_id: tradeNo, trade_state: t.trade_state, total };
  return { interSn, tradeNo, amountFen: fen(total), state, merchant: config.mchid, raw };
}

/** Verifies the signature of a notification over its raw bytes, then decrypts it. */
function verified(
  config: WechatPayConfig,
  now: Date,
  notice: { headers: Record<string, string | undefined>; body: Buffer },
): ChannelNotice | ChannelHint | undefined {
  if (
    !isSigned(
      signatureHeaders((name) => notice.headers[name]),
      notice.body,
      config.publicKeys,
      now,
    )
  )
    return undefined;
  try {
    const { event_type: event, resource } = JSON.parse(notice.body.toString('utf8')) as {
      event_type?: string;
      resource?: Fields;
    };
    const plain = decryptResource(config.v3Key, resource ?? {});
    if (plain === undefined) return undefined;
    const inner = JSON.parse(plain) as Fields;
    if (event?.startsWith('REFUND.') === true)
      return inner.mchid === config.mchid && text(inner.out_refund_no) !== ''
        ? { refundNo: text(inner.out_refund_no) }
        : undefined;
    if (event?.startsWith('MCHTRANSFER.') === true)
      return inner.mch_id === config.mchid && text(inner.out_bill_no) !== ''
        ? { payoutNo: text(inner.out_bill_no) }
        : undefined;
    return event?.startsWith('TRANSACTION.') === true ? noticeOf(config, inner) : undefined;
  } catch {
    return undefined;
  }
}

/** '2026-11-22T08:00:00+08:00' */
const rfc3339 = (at: Date): string => `${chinaClock(at)}+08:00`;

const methodPaths = { qr: 'native', jsapi: 'jsapi', h5: 'h5', page: 'native' } as const;

/** The signed fields for WeChat's JSAPI call. */
function jsapiFields(config: WechatPayConfig, environment: Environment, prepayId: string): Record<string, string> {
  const timeStamp = String(Math.floor(environment.now().getTime() / 1000));
  const nonceStr = environment.nonce();
  const packed = `prepay_id=${prepayId}`;
  const paySign = signLines([config.appid, timeStamp, nonceStr, packed], config.privateKey);
  return { appId: config.appid, timeStamp, nonceStr, package: packed, signType: 'RSA', paySign };
}

async function lead(config: WechatPayConfig, environment: Environment, p: NewPayment): Promise<CheckoutData> {
  const path = `/v3/pay/transactions/${methodPaths[p.method]}`;
  const { code, fields } = await wechat(config, environment, {
    method: 'POST',
    path,
    body: {
      appid: config.appid,
      mchid: config.mchid,
      description: cutText(p.subject, 60),
      out_trade_no: p.interSn,
      time_expire: rfc3339(p.expiresAt),
      notify_url: config.notifyUrl,
      amount: { total: p.amountFen, currency: 'CNY' },
      ...(p.method === 'jsapi' ? { payer: { openid: p.openid ?? '' } } : {}),
      ...(p.method === 'h5'
        ? { scene_info: { payer_client_ip: p.payerIp ?? '127.0.0.1', h5_info: { type: 'Wap' } } }
        : {}),
    },
  });
  if (code !== '') throw new UnknownResult(`POST ${path}: ${code}`);
  if (p.method === 'jsapi') {
    const prepayId = text(fields.prepay_id);
    if (prepayId === '') throw new UnknownResult(`POST ${path}: no prepay_id`);
    return { qrText: '', jsapi: jsapiFields(config, environment, prepayId) };
  }
  const url = text(p.method === 'h5' ? fields.h5_url : fields.code_url);
  if (url === '') throw new UnknownResult(`POST ${path}: no address`);
  if (p.method !== 'h5') return { qrText: url };
  // Without it WeChat returns the payer to the opening page after five seconds.
  const jumpUrl = `${url}${url.includes('?') ? '&' : '?'}redirect_url=${encodeURIComponent(p.returnUrl)}`;
  return { qrText: jumpUrl, jumpUrl };
}

const isUnknown = (response: WechatResponse): boolean =>
  response.status === 404 || /ORDER_NOT_EXIST|RESOURCE_NOT_EXISTS|NOT_FOUND/.test(response.code);

async function find(
  config: WechatPayConfig,
  environment: Environment,
  interSn: string,
): Promise<ChannelNotice | undefined> {
  const path = `/v3/pay/transactions/out-trade-no/${interSn}?mchid=${config.mchid}`;
  const response = await wechat(config, environment, { method: 'GET', path });
  if (isUnknown(response)) return undefined;
  const notice = response.code === '' ? noticeOf(config, response.fields) : undefined;
  if (!notice) throw new UnknownResult(`transaction: ${response.code}`);
  return notice;
}

function refundOutcome({ code, fields }: WechatResponse): ChannelOutcome {
  if (code !== '') return { state: stateOfCode(wechatRefundCodes, code), reason: code };
  const status = text(fields.status);
  if (status === 'SUCCESS') return { state: 'done' };
  // ABNORMAL: our money has left and the bank rejected it. It may still reach the buyer, so finance closes the case (refund-close.ts).
  return { state: stateOfCode(wechatRefundCodes, status), reason: status };
}

async function refund(
  config: WechatPayConfig,
  environment: Environment,
  request: RefundRequest,
): Promise<ChannelOutcome> {
  return refundOutcome(
    await wechat(config, environment, {
      method: 'POST',
      path: '/v3/refund/domestic/refunds',
      body: {
        out_trade_no: request.interSn,
        out_refund_no: request.refundNo,
        reason: cutText(request.reason, 26),
        notify_url: config.notifyUrl,
        amount: { refund: request.amountFen, total: request.totalFen, currency: 'CNY' },
      },
    }),
  );
}

/** Downloads the day's trade bill: a signed request for its URL, then the gzipped table, checked against the hash in the signed response. */
async function statement(config: WechatPayConfig, environment: Environment, day: string): Promise<Buffer> {
  const path = `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL&tar_type=GZIP`;
  const { code, fields } = await wechat(config, environment, { method: 'GET', path });
  const url = text(fields.download_url);
  if (code !== '' || url === '') throw new UnknownResult(`no statement of ${day}: ${code}`);
  const { status, body } = await signedRequest(config, environment, { method: 'GET', url }, STATEMENT);
  if (status !== 200) throw new UnknownResult(`no statement of ${day}: HTTP ${status}`);
  const table = body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body, { maxOutputLength: STATEMENT.bytes }) : body;
  if (createHash('sha1').update(table).digest('hex') !== text(fields.hash_value).toLowerCase())
    throw new UnknownResult(`the statement of ${day} does not have the hash that was signed`);
  return table;
}

/** WeChat Pay API v3: QR, inside WeChat, from a phone's browser; refunds; transfers that the payee accepts. */
export function wechatChannel(config: WechatPayConfig, environment: Environment): PayChannel {
  const failureBody = JSON.stringify({ code: 'FAIL', message: '失败' });
  return {
    name: 'wechat',
    methods: ['qr', 'h5', 'jsapi'],
    payerAppId: config.appid,
    responses: {
      accepted: { status: 204, body: '', contentType: 'application/json' },
      rejected: { status: 400, body: failureBody, contentType: 'application/json' },
    },
    create: (payment) => lead(config, environment, payment),
    explain: (what, code) => meaningOf(what === 'refund' ? wechatRefundCodes : wechatPayoutCodes, code)?.text,
    verify: (notice) => verified(config, environment.now(), notice),
    query: ({ interSn }) => find(config, environment, interSn),
    async close({ interSn }) {
      const path = `/v3/pay/transactions/out-trade-no/${interSn}/close`;
      const response = await wechat(config, environment, { method: 'POST', path, body: { mchid: config.mchid } });
      if (response.code === '' || response.code === 'ORDER_CLOSED' || isUnknown(response)) return 'closed';
      if (response.code === 'ORDERPAID') return 'paid';
      throw new UnknownResult(`close: ${response.code}`);
    },
    refund: (request) => refund(config, environment, request),
    async refundState({ refundNo }) {
      const path = `/v3/refund/domestic/refunds/${refundNo}`;
      const response = await wechat(config, environment, { method: 'GET', path });
      return isUnknown(response) ? undefined : refundOutcome(response);
    },
    payoutKinds: config.transfer === undefined ? [] : ['wechat'],
    payout: (request) => transfer(config, environment, request),
    payoutState: ({ no }) => transferState(config, environment, no),
    acceptFields: (token) => ({ mchId: config.mchid, appId: config.appid, package: token }),
    statement: (day) => statement(config, environment, day),
  };
}
