import type { VendorChannelName } from '#contract/rules/pay-channels.ts';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import { unzip } from './zip.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_LINES = 200_000;

/** One line of a statement: a movement of money at the channel. Amounts in fen, always positive. */
export interface StatementLine {
  lineNo: number;
  /** 'back' is a transfer that the payee's side returned. */
  kind: 'pay' | 'refund' | 'transfer' | 'back' | 'fee';
  /** The channel's own number. */
  tradeNo: string;
  /** Our number of the movement; '' where the channel gives none. */
  number: string;
  /** Of a refund: the number of its payment, where the channel gives it. */
  originSn: string | null;
  amountFen: number;
  at: Date;
}

export interface Statement {
  channel: VendorChannelName;
  lines: StatementLine[];
}

/** A file that cannot be read as a statement. The message is shown to the person who uploaded it. */
export class StatementFault extends Error {
  override name = 'StatementFault';
}

/** The texts of a file: a ZIP, gzip or plain file, in UTF-8 or else in GBK, which Alipay writes. */
function textsOf(file: Buffer): string[] {
  const decode = (body: Buffer): string => {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(body);
    } catch {
      return iconv.decode(body, 'gb18030');
    }
  };
  try {
    if (file.subarray(0, 2).toString('latin1') === 'PK') return unzip(file, MAX_BYTES).map(decode);
    if (file[0] === 0x1f && file[1] === 0x8b) return [decode(gunzipSync(file, { maxOutputLength: MAX_BYTES }))];
  } catch (error) {
    throw new StatementFault('压缩文件无法读取，请重新下载账单', { cause: error });
  }
  return [decode(file)];
}

/** Parses '1,234.50', '-0.6' or '0.60000' to fen without the sign; null when it is not an amount. Fees have up to five decimals and are rounded. */
function fenOf(cell: string): number | null {
  const text = cell.replace(/[,¥\s]/g, '').replace(/^[+-]/, '');
  if (!/^\d{1,11}(\.\d{1,5})?$/.test(text)) return null;
  const [yuan = '0', decimals = ''] = text.split('.');
  const digits = decimals.padEnd(5, '0');
  return Number(yuan) * 100 + Number(digits.slice(0, 2)) + (Number(digits.slice(2)) >= 500 ? 1 : 0);
}

/** Parses '2026-11-22 08:00:00' in China's time zone. */
function timeOf(cell: string): Date | null {
  const text = cell.trim().replaceAll('/', '-');
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?$/.test(text)) return null;
  const at = new Date(`${text.replace(' ', 'T')}+08:00`);
  return Number.isNaN(at.getTime()) ? null : at;
}

type Row = Readonly<Record<string, string>>;
type Reader = (row: Row) => Omit<StatementLine, 'lineNo'>[];

function required<T>(value: T | null, what: string): T {
  if (value === null) throw new StatementFault(`账单中的${what}无法识别，请确认文件未被改动`);
  return value;
}

/** Alipay's account details (账务明细): one row per movement of the merchant's account. */
const readAlipayAccount: Reader = (row) => {
  const income = required(fenOf(row['收入金额（+元）'] || '0'), '收入金额');
  const outcome = required(fenOf(row['支出金额（-元）'] || '0'), '支出金额');
  const type = row['业务类型'] ?? '';
  const isTransfer = /转账|代发|企业付款/.test(type);
  // Income with a transfer's type and number, or named a return, is a transfer of ours that came back.
  const isBack = income > 0 && isTransfer && (/退/.test(type) || (row['商户订单号'] ?? '') !== '');
  const kind = isBack
    ? 'back'
    : /退款/.test(type)
      ? 'refund'
      : /收费|服务费|手续费/.test(type)
        ? 'fee'
        : income > 0
          ? 'pay'
          : isTransfer
            ? 'transfer'
            : null;
  // Withdrawals and top-ups of the merchant account by finance do not concern users.
  if (kind === null || income + outcome === 0) return [];
  return [
    {
      kind,
      tradeNo: row['业务流水号'] || row['账务流水号'] || '',
      number: row['商户订单号'] ?? '',
      originSn: null,
      amountFen: income + outcome,
      at: required(timeOf(row['发生时间'] ?? ''), '发生时间'),
    },
  ];
};

/** Alipay's trade details (业务明细): payments and refunds with the fee of each. */
const readAlipayTrade: Reader = (row) => {
  const isRefund = /退款/.test(row['业务类型'] ?? '');
  const base = {
    tradeNo: row['支付宝交易号'] ?? '',
    at: required(timeOf(row['完成时间'] || row['创建时间'] || ''), '完成时间'),
  };
  const order = row['商户订单号'] ?? '';
  const line = {
    ...base,
    kind: isRefund ? ('refund' as const) : ('pay' as const),
    number: isRefund ? (row['退款批次号/请求号'] ?? '') : order,
    originSn: isRefund ? order : null,
    amountFen: required(fenOf(row['订单金额（元）'] ?? ''), '订单金额'),
  };
  const fee = required(fenOf(row['服务费（元）'] || '0'), '服务费');
  return fee > 0 && !isRefund
    ? [line, { ...base, kind: 'fee', number: order, originSn: null, amountFen: fee }]
    : [line];
};

/** WeChat Pay's trade bill (交易账单, ALL): payments and refunds with the fee of each. */
const readWechat: Reader = (row) => {
  const state = row['交易状态'] ?? '';
  if (state === 'REVOKED') return [];
  const isRefund = state === 'REFUND';
  const order = row['商户订单号'] ?? '';
  const at = required(timeOf(row['交易时间'] ?? ''), '交易时间');
  const amount = isRefund ? row['申请退款金额'] || row['退款金额'] : row['订单金额'] || row['应结订单金额'];
  const line = {
    kind: isRefund ? ('refund' as const) : ('pay' as const),
    tradeNo: (isRefund ? row['微信退款单号'] : row['微信订单号']) ?? '',
    number: isRefund ? (row['商户退款单号'] ?? '') : order,
    originSn: isRefund ? order : null,
    amountFen: required(fenOf(amount ?? ''), '订单金额'),
    at,
  };
  const fee = required(fenOf(row['手续费'] || '0'), '手续费');
  return fee > 0 && !isRefund
    ? [line, { kind: 'fee', tradeNo: line.tradeNo, number: order, originSn: null, amountFen: fee, at }]
    : [line];
};

/** Each kind of table with a heading that only it has. */
const tables: readonly { heading: string; channel: Statement['channel']; read: Reader }[] = [
  { heading: '账务流水号', channel: 'alipay', read: readAlipayAccount },
  { heading: '支付宝交易号', channel: 'alipay', read: readAlipayTrade },
  { heading: '微信订单号', channel: 'wechat', read: readWechat },
];

const clean = (cell: string): string => cell.replace(/^`/, '').trim();

/** The rows of the table in a text, keyed by heading; notes before it, totals after it and empty lines are left out. */
function rowsOf(text: string): { table: (typeof tables)[number]; rows: Row[] } | undefined {
  const cells = parse(text, {
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    bom: true,
  }) as string[][];
  const head = cells.findIndex((row) => tables.some((t) => row.some((cell) => clean(cell) === t.heading)));
  const names = cells[head]?.map(clean) ?? [];
  const table = tables.find((t) => names.includes(t.heading));
  if (!table) return undefined;
  const rows: Row[] = [];
  for (const row of cells.slice(head + 1)) {
    // oxlint-disable-next-line forms/no-chinese-match -- the channel's own file format
    if (row[0]?.startsWith('#') || clean(row[0] ?? '').startsWith('总')) break;
    if (row.length < names.length - 1) continue;
    rows.push(Object.fromEntries(names.map((name, i) => [name, clean(row[i] ?? '')])));
  }
  return { table, rows };
}

/**
 * Reads a channel's daily statement: Alipay's account or trade details (CSV in GBK, packed or not), WeChat Pay's trade bill. Throws
 * StatementFault with a message for the person who uploaded it.
 */
export function readStatement(file: Buffer): Statement {
  const lines: StatementLine[] = [];
  let channel: Statement['channel'] | undefined;
  for (const text of textsOf(file)) {
    let parsed: ReturnType<typeof rowsOf>;
    try {
      parsed = rowsOf(text);
    } catch (error) {
      throw new StatementFault('账单格式不正确，请直接上传从渠道下载的文件', { cause: error });
    }
    if (!parsed) continue;
    channel ??= parsed.table.channel;
    for (const row of parsed.rows)
      for (const line of parsed.table.read(row)) lines.push({ lineNo: lines.length + 1, ...line });
    if (lines.length > MAX_LINES) throw new StatementFault('账单行数过多');
    // An archive holds details and totals of the same day; the first table with details is the statement.
    break;
  }
  if (channel === undefined) throw new StatementFault('未找到账单表头，请上传支付宝账务/业务明细或微信交易账单');
  return { channel, lines };
}
