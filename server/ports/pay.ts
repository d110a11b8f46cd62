import type { Fen } from '#contract/wire.ts';

/** What a channel tells of a payment after its signature held: amount in fen, states of our own. */
export interface ChannelNotice {
  interSn: string;
  tradeNo: string;
  amountFen: Fen;
  state: 'paid' | 'closed' | 'waiting';
  /** The channel's account of ours that it names; must be ours. */
  merchant: string;
  raw: Record<string, unknown>;
}

/** A genuine notification about something else than a payment: its job asks the channel itself. */
export interface ChannelHint {
  refundNo: string;
}

/**
 * What became of money that we asked a channel to move. 'failed' is said only where it is certain that nothing moved and nothing
 * will; whatever is unclear is thrown as UnknownResult and asked again under the same number.
 */
export interface ChannelOutcome {
  state: 'done' | 'pending' | 'failed';
  /** Why it failed or waits, as the channel's own code. */
  reason?: string | undefined;
}

/** How the payer is led to the channel: a QR to scan, its page on a computer, its app from a phone, inside WeChat. */
export type PayMethod = 'qr' | 'page' | 'h5' | 'jsapi';

export interface NewPayment {
  interSn: string;
  payRand: string;
  amountFen: Fen;
  subject: string;
  expiresAt: Date;
  /** Scheme and host as the payer's browser sees them. */
  origin: string;
  method: PayMethod;
  returnUrl?: string | undefined;
  payerIp?: string | undefined;
  /** The payer's id at our WeChat account; only for 'jsapi'. */
  openid?: string | undefined;
}

/** What leads the payer on: text of the QR, or the address of a page, or the fields that WeChat's own page call wants. */
export interface PayLead {
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
  form: Record<string, string>;
}

interface NoticeResponse {
  status: number;
  body: string;
  contentType: string;
}

/**
 * A way for money to come in and out. Called by jobs and before or after a transaction, never inside one. Every call that does not
 * know its own outcome throws UnknownResult.
 */
export interface PayChannel {
  readonly name: string;
  readonly methods: readonly PayMethod[];
  create(payment: NewPayment): Promise<PayLead>;
  /** Checks signature and freshness of a notification; undefined when it is not genuine. */
  verify(notice: RawNotice): ChannelNotice | ChannelHint | undefined;
  /** The answer that acknowledges a notification, and the one that asks for a repeat. */
  readonly responses: { accepted: NoticeResponse; rejected: NoticeResponse };
  /** Only the sandbox: the notification that a press on its page sends. */
  simulate?(press: { interSn: string; amountFen: Fen; paid: boolean }): Record<string, string>;
  /** Where a payment stands; undefined when the channel has never heard of it. */
  query(payment: { interSn: string }): Promise<ChannelNotice | undefined>;
  /** Closes a payment so that it cannot be paid any more; 'paid' when it has been. */
  close(payment: { interSn: string }): Promise<'closed' | 'paid'>;
  /** Sends money back to its source. The same number is refunded once. */
  refund(refund: RefundRequest): Promise<ChannelOutcome>;
  /** Where a refund stands; undefined when the channel has never heard of its number. */
  refundState(refund: { interSn: string; refundNo: string }): Promise<ChannelOutcome | undefined>;
  /** Kinds of account that this channel pays out to. */
  readonly payoutKinds: readonly string[];
  /** Pays out to a person. The same number is paid once. Throws where the channel cannot. */
  payout(payout: PayoutRequest): Promise<ChannelOutcome>;
  payoutState(payout: { no: string }): Promise<ChannelOutcome | undefined>;
  /** The file of a day's trade ('2026-11-20') as the channel offers it; undefined where there is none to fetch. */
  statement?(day: string): Promise<Buffer>;
}
