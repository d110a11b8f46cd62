export interface Trade {
  no: string;
  id: string;
  total: number;
  state: 'NOTPAY' | 'SUCCESS' | 'CLOSED' | 'REFUND';
  paidAt: string;
  /** How it is paid: one number belongs to one product, and inside WeChat to one person. */
  kind: string;
  openid: string;
  /** When its last link for a phone's browser was made, in ms. */
  linkAt: number;
}

export interface Refund {
  no: string;
  trade: string;
  fen: number;
  status: 'SUCCESS' | 'PROCESSING' | 'CLOSED' | 'ABNORMAL';
  at: string;
}

interface Books {
  appid: string;
  mchid: string;
  trades: ReadonlyMap<string, Trade>;
  refunds: ReadonlyMap<string, Refund>;
}

/** The day's trade bill as WeChat Pay writes it. */
export function tradeBill(fake: Books, day: string): string {
  const cells = (row: readonly (string | number)[]): string => row.map((cell) => `\`${cell}`).join(',');
  const yuan = (fen: number): string => (fen / 100).toFixed(2);
  const head = [fake.appid, fake.mchid, '0', ''];
  const rows: string[] = [];
  for (const t of fake.trades.values()) {
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
  for (const r of fake.refunds.values()) {
    const t = fake.trades.get(r.trade);
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
