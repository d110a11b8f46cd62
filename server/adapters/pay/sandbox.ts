import { createHmac, randomBytes } from 'node:crypto';
import { parseYuan, yuanText } from '#contract/wire.ts';
import { sameText } from '#server/kernel/secrets/crypto.ts';
import type { ChannelNotice, PayChannel } from '#server/ports/pay.ts';

const MERCHANT = 'sandbox-merchant';
const MAX_SKEW_MS = 5 * 60_000;

type Form = Record<string, string>;

function signature(key: Buffer, form: Form): string {
  const base = Object.keys(form)
    .filter((k) => k !== 'sign' && form[k] !== '')
    .sort()
    .map((k) => `${k}=${form[k]}`)
    .join('&');
  return createHmac('sha256', key).update(base).digest('hex');
}

/**
 * The channel of the demo market. Its page has two buttons, which send the same kind of notification as a real channel: a signed form
 * with merchant, our number, its own trade number, amount and state, which may arrive twice, late or out of order.
 */
export function sandboxChannel(options: { key: Buffer }): PayChannel {
  return {
    name: 'sandbox',
    methods: ['qr', 'h5'],
    responses: {
      accepted: { status: 200, body: 'success', contentType: 'text/plain; charset=utf-8' },
      rejected: { status: 400, body: 'fail', contentType: 'text/plain; charset=utf-8' },
    },
    create({ payRand, origin, method, returnUrl }) {
      const qrText = `${origin}/pay/sandbox/${payRand}`;
      const back = new URL(returnUrl, origin);
      const jumpUrl = `${qrText}?back=${encodeURIComponent(`${back.pathname}${back.search}`)}`;
      return Promise.resolve(method === 'qr' ? { qrText } : { qrText, jumpUrl });
    },
    verify({ form }): ChannelNotice | undefined {
      const {
        sign,
        merchant,
        out_trade_no: interSn,
        trade_no: tradeNo,
        total_amount: total,
        trade_status: status,
        timestamp,
      } = form;
      if (sign === undefined || !sameText(sign, signature(options.key, form))) return undefined;
      const amountFen = parseYuan(total ?? '');
      if (merchant !== MERCHANT || !interSn || !tradeNo || amountFen === null) return undefined;
      if (Math.abs(Date.now() - Number(timestamp)) > MAX_SKEW_MS) return undefined;
      const state =
        status === 'TRADE_SUCCESS' || status === 'TRADE_FINISHED'
          ? 'paid'
          : status === 'TRADE_CLOSED'
            ? 'closed'
            : 'waiting';
      return {
        interSn,
        tradeNo,
        amountFen,
        state,
        merchant,
        raw: { merchant, out_trade_no: interSn, trade_no: tradeNo, total_amount: total, trade_status: status },
      };
    },
    simulate: (payment) => sandboxNotice(options.key, payment),
    query: () => Promise.resolve(undefined),
    close: () => Promise.resolve('closed'),
    refund: () => Promise.resolve({ state: 'done' }),
    refundState: () => Promise.resolve({ state: 'done' }),
    payoutKinds: ['alipay', 'wechat', 'bank'],
    payout: () => Promise.resolve({ state: 'done' }),
    payoutState: () => Promise.resolve({ state: 'done' }),
  };
}

/** The notification that a button on the sandbox's page sends. Amount in fen. */
export function sandboxNotice(
  key: Buffer,
  notice: { interSn: string; tradeNo?: string; amountFen: number; paid: boolean; at?: number },
): Form {
  const form: Form = {
    merchant: MERCHANT,
    out_trade_no: notice.interSn,
    trade_no: notice.tradeNo ?? `SB${randomBytes(10).toString('hex')}`,
    total_amount: yuanText(notice.amountFen),
    trade_status: notice.paid ? 'TRADE_SUCCESS' : 'TRADE_CLOSED',
    timestamp: String(notice.at ?? Date.now()),
  };
  return { ...form, sign: signature(key, form) };
}
