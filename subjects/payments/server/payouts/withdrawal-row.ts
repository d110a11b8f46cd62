/** A whole row of `withdrawal`; amounts in fen, `status` a WithdrawalStatus. */
export interface WithdrawalRow {
  id: number;
  sn: string;
  dist_id: number;
  user_id: number;
  payout_account_id: number;
  amount_fen: number;
  fee_fen: number;
  status: number;
  approved_by: number | null;
  channel: string | null;
  channel_no: string | null;
  note: string | null;
  second_by: number | null;
  created_at: Date;
  decided_at: Date | null;
  paid_at: Date | null;
  sent_at: Date | null;
  leased_until: Date | null;
  channel_reason: string | null;
  bounced_at: Date | null;
  /** The list that finance exported it in; null = none, or a channel pays. */
  list_id: number | null;
  accept_token: string | null;
}
