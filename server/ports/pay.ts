import type { PayMethod } from '#subjects/payments/rules/payer-browser.ts';
import type { Fen } from '#contract/wire.ts';

/** A channel's verified report about a payment: amount in fen, state in our own terms. */
export interface ChannelNotice {
  interSn: string;
  tradeNo: string;
  amountFen: Fen;
  state: 'paid' | 'closed' | 'waiting';
  /** The merchant account in the report; must be ours. */
  merchant: string;
  raw: Record<string, unknown>;
}

/** A verified notification about a refund or a payout: its job queries the channel. */
export type ChannelHint = { refundNo: string } | { payoutNo: string };

/**
 * The outcome of a transfer that a channel was asked to make. 'failed' is used only if it is certain that no money moved or will
 * move; an unclear outcome is thrown as UnknownResult and queried again under the same number.
 */
export interface ChannelOutcome {
  state: 'done' | 'pending' | 'failed';
  /** Why it failed or is pending, as the channel's own code. */
  reason?: string | undefined;
  /** The payee must accept the money first. `token` opens the channel's dialog for them; a mere query may not return it. */
  accept?: { token: string | undefined } | undefined;
}

export interface NewPayment {
  interSn: string;
  payRand: string;
  amountFen: Fen;
  subject: string;
  expiresAt: Date;
  /** Scheme and host as the payer's browser sees them. */
  origin: string;
  method: PayMethod;
  /** Where the channel sends the payer afterwards, with scheme and host. */
  returnUrl: string;
  payerIp?: string | undefined;
  /** The payer's id at our WeChat account; only for 'jsapi'. */
  openid?: string | undefined;
}

/** Data for the payer's page: the text of the QR code, the URL of a page, or the fields for WeChat's JSAPI. */
export interface CheckoutData {
  qrText: string;
  jumpUrl?: string | undefined;
  jsapi?: Readonly<Record<string, string>> | undefined;
}

export interface RefundRequest {
  interSn: string;
  refundNo: string;
  amountFen: Fen;
  totalFen: Fen;
  reason: string;
}

export interface PayoutRequest {
  no: string;
  amountFen: Fen;
  account: string;
  name: string;
  remark: string;
}

interface RawNotice {
  headers: Record<string, string | undefined>;
  body: Buffer;
  /** The fields of a form body in UTF-8; empty for any other body. */
  form: Record<string, string>;
}

interface NoticeResponse {
  status: number;
  body: string;
  contentType: string;
}

/**
 * A payment channel. Called by jobs and before or after a transaction, never inside one. A call whose outcome is unknown throws
 * UnknownResult.
 */
export interface PayChannel {
  readonly name: string;
  readonly methods: readonly PayMethod[];
  /** The WeChat account at which a payer inside WeChat must be known; only for a channel with 'jsapi'. */
  readonly payerAppId?: string;
  create(payment: NewPayment): Promise<CheckoutData>;
  /** Checks signature and age of a notification; undefined when it is not genuine. */
  verify(notice: RawNotice): ChannelNotice | ChannelHint | undefined;
  /** Explains an error code of a refund or a payout to finance; undefined for an unknown one. */
  explain?(what: 'refund' | 'payout', code: string): string | undefined;
  /** The response that acknowledges a notification, and the one that requests a repetition. */
  readonly responses: { accepted: NoticeResponse; rejected: NoticeResponse };
  /** Only the sandbox: the notification that a button on its page sends. */
  simulate?(payment: { interSn: string; amountFen: Fen; paid: boolean }): Record<string, string>;
  /** The state of a payment; undefined when the channel does not know it. */
  query(payment: { interSn: string }): Promise<ChannelNotice | undefined>;
  /**
   * Closes a payment so that it can no longer be paid. 'paid' when it already was paid. 'unseen' when the channel does not know the
   * payment yet and would still accept it, such as an Alipay code that was never scanned; it ends only by its own expiry.
   */
  close(payment: { interSn: string }): Promise<'closed' | 'paid' | 'unseen'>;
  /** Sends money back to its source. The same number is refunded once. */
  refund(refund: RefundRequest): Promise<ChannelOutcome>;
  /** The state of a refund; undefined when the channel does not know its number. */
  refundState(refund: { interSn: string; refundNo: string }): Promise<ChannelOutcome | undefined>;
  /** Kinds of account that this channel pays out to. */
  readonly payoutKinds: readonly string[];
  /** Pays out to a person. The same number is paid once. Throws if the channel does not support payouts. */
  payout(payout: PayoutRequest): Promise<ChannelOutcome>;
  payoutState(payout: { no: string }): Promise<ChannelOutcome | undefined>;
  /** The fields by which a page asks the payee to accept a payout, from its outcome's token; only if payees accept. */
  acceptFields?(token: string): Readonly<Record<string, string>>;
  /** Downloads the statement of a day ('2026-11-20'); undefined for a channel without downloadable statements. */
  statement?(day: string): Promise<Buffer>;
}
