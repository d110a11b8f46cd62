import type { Fen } from '#contract/wire.ts';

/** What a channel tells after its signature held: amounts in fen, states of our own. */
export interface ChannelNotice {
  interSn: string;
  tradeNo: string;
  amountFen: Fen;
  state: 'paid' | 'closed' | 'waiting';
  /** The channel's account of ours that it names; must be ours. */
  merchant: string;
  raw: Record<string, unknown>;
}

/** A way for money to come in. Called by jobs and before or after a transaction, never inside one. */
export interface PayChannel {
  readonly name: string;
  /** What the QR shows. */
  create(payment: {
    interSn: string;
    payRand: string;
    amountFen: Fen;
    subject: string;
    expiresAt: Date;
    origin: string;
  }): Promise<{ qrText: string }>;
  /** Checks signature and freshness of a notification; undefined when it is not genuine. */
  verify(notice: {
    headers: Record<string, string | undefined>;
    body: Buffer;
    form: Record<string, string>;
  }): ChannelNotice | undefined;
  /** The bytes that acknowledge a notification, and those that ask for a repeat. */
  readonly answer: { accepted: string; refused: string; contentType: string };
  /** Only the sandbox: the notification that a press on its page sends. */
  simulate?(press: { interSn: string; amountFen: Fen; paid: boolean }): Record<string, string>;
  query(payment: { interSn: string }): Promise<ChannelNotice | undefined>;
  refund(refund: {
    interSn: string;
    refundNo: string;
    amountFen: Fen;
    totalFen: Fen;
    reason: string;
  }): Promise<'done' | 'pending' | 'failed'>;
  /** Pays out to a person; undefined where the channel cannot. */
  payout?(payout: {
    no: string;
    amountFen: Fen;
    account: string;
    name: string;
    remark: string;
  }): Promise<'done' | 'pending' | 'failed'>;
}
