import type { VendorChannelName } from '#contract/rules/pay-channels.ts';
import { gunzipSync } from 'node:zlib';
import { decodeText } from '#server/import/encoding.ts';
import { binaryProblem, textProblem } from '#server/import/file-kind.ts';
import { ArchiveTooLarge, openArchive } from '#server/kernel/unzip.ts';
import { StatementFault, type StatementRow, statementRows } from './statement-rows.ts';

export { StatementFault };

/** Limit of what a packed file unpacks to. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 20;
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

const DOWNLOADED = '请直接上传从渠道下载的 CSV 或 ZIP 文件';

/** The texts of an archive. Throws StatementFault for a workbook, which is an archive too. */
function unpacked(file: Buffer): string[] {
  const archive = openArchive(file, { files: MAX_FILES, bytes: MAX_BYTES });
  if (archive.names.some((name) => /^xl\//i.test(name)))
    throw new StatementFault(`这是 Excel 工作簿，表格软件会改动长单号；${DOWNLOADED}`);
  return archive.names.map((name) => decodeText(archive.read(name)).text);
}

/** The texts of a file: a ZIP, gzip or plain file, in UTF-8, UTF-16 or GBK, which Alipay writes. */
function textsOf(file: Buffer): string[] {
  try {
    if (file.subarray(0, 2).toString('latin1') === 'PK') return unpacked(file);
    if (file[0] === 0x1f && file[1] === 0x8b)
      return [decodeText(gunzipSync(file, { maxOutputLength: MAX_BYTES })).text];
  } catch (error) {
    if (error instanceof StatementFault) throw error;
    const what = error instanceof ArchiveTooLarge ? '压缩文件过大' : '压缩文件无法读取';
    throw new StatementFault(`${what}，请重新下载账单`, { cause: error });
  }
  const { text } = decodeText(file);
  if ((binaryProblem(file, '') ?? textProblem(text)) !== undefined || text.includes('\0'))
    throw new StatementFault(`这个文件不是账单的文本；${DOWNLOADED}`);
  return [text];
}

/** Parses '1,234.50', '-0.6' or '0.60000' to fen without the sign; null when it is not an amount. Fees have up to five decimals and are rounded. */
function fenOf(cell: string): number | null {
  const text = cell
    .normalize('NFKC')
    .replace(/[,¥\s元]/g, '')
    .replace(/^[+-]/, '');
  if (!/^\d{1,11}(\.\d{1,5})?$/.test(text)) return null;
  const [yuan = '0', decimals = ''] = text.split('.');
  const digits = decimals.padEnd(5, '0');
  return Number(yuan) * 100 + Number(digits.slice(0, 2)) + (Number(digits.slice(2)) >= 500 ? 1 : 0);
}

/** Parses '2026-11-22 08:00:00' or '2026/11/22 8:00' in China's time zone. */
function timeOf(cell: string): Date | null {
  const match = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})[ T](\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(cell.trim());
  if (!match) return null;
  const [year = '', month = '', day = '', hour = '', minute = '', second = '00'] = match
    .slice(1)
    .map((part) => part?.padStart(2, '0'));
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}+08:00`);
  return Number.isNaN(at.getTime()) ? null : at;
}

type Reader = (row: StatementRow) => Omit<StatementLine, 'lineNo'>[];

function required<T>(value: T | null, what: string): T {
  if (value === null) throw new StatementFault(`账单中的${what}无法识别，请确认文件未被改动`);
  return value;
}

/** Alipay's account details (账务明细): one row per movement of the merchant's account. */
const readAlipayAccount: Reader = (row) => {
  const income = required(fenOf(row['收入金额(+元)'] || '0'), '收入金额');
  const outcome = required(fenOf(row['支出金额(-元)'] || '0'), '支出金额');
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
    amountFen: required(fenOf(row['订单金额(元)'] ?? ''), '订单金额'),
  };
  const fee = required(fenOf(row['服务费(元)'] || '0'), '服务费');
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

const tableOf = (names: readonly string[]) => tables.find(({ heading }) => names.includes(heading));

/**
 * Reads a channel's daily statement: Alipay's account or trade details (CSV in GBK, packed or not), WeChat Pay's trade bill. Throws
 * StatementFault with a message for the person who uploaded it.
 */
export function readStatement(file: Buffer): Statement {
  const lines: StatementLine[] = [];
  let channel: Statement['channel'] | undefined;
  for (const text of textsOf(file)) {
    const parsed = statementRows(text, (names) => tableOf(names) !== undefined);
    const table = parsed && tableOf(parsed.names);
    if (!table) continue;
    channel ??= table.channel;
    for (const row of parsed.rows)
      for (const line of table.read(row)) lines.push({ lineNo: lines.length + 1, ...line });
    if (lines.length > MAX_LINES) throw new StatementFault('账单行数过多');
    // An archive holds details and totals of the same day; the first table with details is the statement.
    break;
  }
  if (channel === undefined) throw new StatementFault('未找到账单表头，请上传支付宝账务/业务明细或微信交易账单');
  return { channel, lines };
}
