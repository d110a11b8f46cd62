import { chinaDay } from '#contract/rules/time/china-time.ts';
import type { VendorChannelName } from '../rules/pay-channels.ts';
import { gunzipSync } from 'node:zlib';
import { decodeText } from '#server/import/files/encoding.ts';
import { hasLost, restorations } from '#server/import/files/garbled.ts';
import { binaryProblem, textProblem } from '#server/import/files/file-kind.ts';
import { ArchiveEncrypted, ArchiveTooLarge, openArchive } from '#server/kernel/unzip.ts';
import { hasHeading, StatementFault, type StatementRow, statementRows } from './statement-rows.ts';

export { StatementFault };

/** Limit of the unpacked size of a compressed file. */
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
  /** Our number of the movement; '' when the channel gives none. */
  number: string;
  /** For a refund: the number of its payment, if the channel gives it. */
  originSn: string | null;
  amountFen: number;
  at: Date;
}

export interface Statement {
  channel: VendorChannelName;
  lines: StatementLine[];
}

const DOWNLOADED = '请直接上传从渠道下载的 CSV 或 ZIP 文件';
const workbookText = (kind: string): string => `这是${kind}，表格软件会改动长单号；${DOWNLOADED}`;

/** How an old workbook begins: its container, or a web page or XML that is saved under its name. */
const OLD_WORKBOOK = /^(?:\u00d0\u00cf\u0011\u00e0|\s*<)/;

/** The texts of an archive. Throws StatementFault for a workbook, which is an archive too. */
function unpacked(file: Buffer): string[] {
  const archive = openArchive(file, { files: MAX_FILES, bytes: MAX_BYTES });
  if (archive.names.some((name) => /^xl\//i.test(name))) throw new StatementFault(workbookText(' Excel 工作簿'));
  if (archive.names.some((name) => /^content\.xml$/i.test(name))) throw new StatementFault(workbookText(' ODS 表格'));
  if (archive.names.some((name) => /\.(?:zip|rar|7z|gz)$/i.test(name)))
    throw new StatementFault('压缩包里还有压缩包：请先解压，再上传里面的 CSV 文件');
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
    if (error instanceof ArchiveEncrypted)
      throw new StatementFault('压缩文件有密码：请先解压，再上传里面的 CSV 文件', { cause: error });
    const what = error instanceof ArchiveTooLarge ? '压缩文件过大' : '压缩文件无法读取';
    throw new StatementFault(`${what}，请重新下载账单`, { cause: error });
  }
  const { text } = decodeText(file);
  if (OTHERS.some(([pattern]) => pattern.test(text.slice(0, HEAD_CHARS)))) return [text];
  if (
    OLD_WORKBOOK.test(
      file
        .subarray(0, 64)
        .toString('latin1')
        .replace(/^\u00ef\u00bb\u00bf/, ''),
    )
  )
    throw new StatementFault(workbookText('旧版 Excel 或网页格式的表格'));
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
  if (Number.isNaN(at.getTime())) return null;
  // Date rolls a day that does not exist over into the next month.
  return Number(chinaDay(at).slice(8)) === Number(day) ? at : null;
}

type Reader = (row: StatementRow) => Omit<StatementLine, 'lineNo'>[];

/** The first of these columns that the row has, else ''. */
const cellOf = ({ cells }: StatementRow, ...names: readonly string[]): string =>
  names.map((name) => cells[name]).find((cell) => cell !== undefined && cell !== '') ?? '';

function fault({ line }: StatementRow, what: string, cell: string): StatementFault {
  return new StatementFault(
    `账单第 ${line} 行的${what}“${cell.slice(0, 30)}”无法识别，请确认文件未被改动，或重新从渠道下载`,
  );
}

function amountOf(row: StatementRow, what: string, cell: string): number {
  const fen = fenOf(cell);
  if (fen === null) throw fault(row, what, cell);
  return fen;
}

function momentOf(row: StatementRow, what: string, cell: string): Date {
  const at = timeOf(cell);
  if (at === null) throw fault(row, what, cell);
  return at;
}

/** Alipay's account details (账务明细): one row per movement of the merchant's account. */
const readAlipayAccount: Reader = (row) => {
  const incomeCell = cellOf(row, '收入金额', '收入');
  if (incomeCell.startsWith('-')) throw fault(row, '收入金额', incomeCell);
  const income = amountOf(row, '收入金额', incomeCell || '0');
  const outcome = amountOf(row, '支出金额', cellOf(row, '支出金额', '支出') || '0');
  const type = cellOf(row, '业务类型', '账务类型');
  const order = cellOf(row, '商户订单号');
  const isTransfer = /转账|代发|企业付款/.test(type);
  // Income with a transfer's type and number, or named a return, is a transfer of ours that came back.
  const isBack = income > 0 && isTransfer && (/退/.test(type) || order !== '');
  // The channel's own fee that it gave back with a refund is booked by neither side, as in the other statements.
  if (/^退费|(?:收费|服务费|手续费)退[回还]/.test(type) && income > 0) return [];
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
      tradeNo: cellOf(row, '业务流水号', '支付宝交易号', '账务流水号', '支付宝流水号'),
      number: order,
      originSn: null,
      amountFen: income + outcome,
      at: momentOf(row, '发生时间', cellOf(row, '发生时间', '入账时间')),
    },
  ];
};

/** Alipay's trade details (业务明细): payments and refunds with the fee of each. */
const readAlipayTrade: Reader = (row) => {
  const isRefund = /退款/.test(cellOf(row, '业务类型'));
  const base = {
    tradeNo: cellOf(row, '支付宝交易号'),
    at: momentOf(row, '完成时间', cellOf(row, '完成时间', '创建时间')),
  };
  const order = cellOf(row, '商户订单号');
  const amount = cellOf(row, '订单金额');
  if (!isRefund && amount.startsWith('-')) throw fault(row, '订单金额', amount);
  const line = {
    ...base,
    kind: isRefund ? ('refund' as const) : ('pay' as const),
    number: isRefund ? cellOf(row, '退款批次号/请求号') : order,
    originSn: isRefund ? order : null,
    amountFen: amountOf(row, '订单金额', amount),
  };
  const fee = amountOf(row, '服务费', cellOf(row, '服务费') || '0');
  return fee > 0 && !isRefund
    ? [line, { ...base, kind: 'fee', number: order, originSn: null, amountFen: fee }]
    : [line];
};

/** Refunds that WeChat ended without moving money. */
const NOT_REFUNDED = /^(?:FAIL|CLOSED|REFUNDCLOSE)$/;

/** WeChat Pay's trade bill (交易账单, ALL): payments and refunds with the fee of each. */
const readWechat: Reader = (row) => {
  const state = cellOf(row, '交易状态');
  const currency = cellOf(row, '货币种类', '货币类型');
  if (!/^(?:CNY|RMB|人民币)?$/i.test(currency)) throw fault(row, '货币种类', currency);
  if (state === 'REVOKED') return [];
  const isRefund = state === 'REFUND';
  if (!isRefund && state !== 'SUCCESS') throw fault(row, '交易状态', state);
  if (isRefund && NOT_REFUNDED.test(cellOf(row, '退款状态'))) return [];
  const order = cellOf(row, '商户订单号');
  const at = momentOf(row, '交易时间', cellOf(row, '交易时间'));
  const amount = isRefund ? cellOf(row, '申请退款金额', '退款金额') : cellOf(row, '订单金额', '应结订单金额', '总金额');
  const line = {
    kind: isRefund ? ('refund' as const) : ('pay' as const),
    tradeNo: isRefund ? cellOf(row, '微信退款单号') : cellOf(row, '微信订单号'),
    number: isRefund ? cellOf(row, '商户退款单号') : order,
    originSn: isRefund ? order : null,
    amountFen: amountOf(row, '订单金额', amount),
    at,
  };
  const fee = amountOf(row, '手续费', cellOf(row, '手续费') || '0');
  return fee > 0 && !isRefund
    ? [line, { kind: 'fee', tradeNo: line.tradeNo, number: order, originSn: null, amountFen: fee, at }]
    : [line];
};

interface TableKind {
  name: string;
  /** Headings found only in this kind. */
  own: readonly string[];
  /** Columns without which amounts or numbers would be lost; each under any of its names. */
  needs: readonly (readonly string[])[];
  channel: Statement['channel'];
  read: Reader;
}

const ACCOUNT_NEEDS = [
  ['商户订单号'],
  ['收入金额', '收入'],
  ['支出金额', '支出'],
  ['业务类型', '账务类型'],
  ['发生时间', '入账时间'],
];

const tables: readonly TableKind[] = [
  { name: '账务明细', own: ['账务流水号'], needs: ACCOUNT_NEEDS, channel: 'alipay', read: readAlipayAccount },
  {
    name: '账务明细',
    own: ['支付宝流水号', '账务类型'],
    needs: ACCOUNT_NEEDS,
    channel: 'alipay',
    read: readAlipayAccount,
  },
  {
    name: '业务明细',
    own: ['支付宝交易号'],
    needs: [['商户订单号'], ['业务类型'], ['完成时间', '创建时间'], ['订单金额'], ['退款批次号/请求号']],
    channel: 'alipay',
    read: readAlipayTrade,
  },
  {
    name: '交易账单',
    own: ['微信订单号'],
    needs: [
      ['商户订单号'],
      ['交易时间'],
      ['交易状态'],
      ['订单金额', '应结订单金额', '总金额'],
      ['商户退款单号'],
      ['申请退款金额', '退款金额'],
    ],
    channel: 'wechat',
    read: readWechat,
  },
];

function tableOf(names: readonly string[]): TableKind | undefined {
  return tables.find(({ own }) => own.every((name) => names.includes(name)));
}

/** A column that only WeChat's bill of refunds has, and one that only its bill of payments lacks. */
const OF_REFUNDS = '退款申请时间';
const REFUND_NUMBER = '商户退款单号';

/** Throws StatementFault where a column is missing that the table's reader needs. */
function checkColumns({ name, needs, channel }: TableKind, names: readonly string[]): void {
  const isOfRefunds = names.includes(OF_REFUNDS);
  if (channel === 'wechat' && (isOfRefunds || !names.includes(REFUND_NUMBER)))
    throw new StatementFault(
      `这份交易账单只有${isOfRefunds ? '退款' : '成功的支付'}，对账需要全部：请在商户平台的“交易账单”里选“所有订单”下载`,
    );
  const missing = needs.find((of) => !of.some((column) => names.includes(column)));
  if (missing)
    throw new StatementFault(`${name}里没有“${missing[0] ?? ''}”这一列，请在下载时选择全部字段，或重新从渠道下载`);
}

const HEAD_CHARS = 4000;
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [
    /NO_STATEMENT_EXIST|NO_BILL_EXIST|No Bill Exist|账单文件不存在/i,
    '渠道回答这一天没有账单：当天没有交易，或账单还没有生成（次日 10 点后再下载）',
  ],
  [/^﻿?\s*$/, '文件是空的，请重新下载账单'],
  [/收\/支[,\t]/, '这是个人的收支账单，不是商户账单；请在支付宝商家中心或微信支付商户平台下载'],
  [/资金流水单号/, '这是微信的资金账单，对账需要交易账单：请在商户平台的“交易账单”里选“所有订单”下载'],
  [/交易订单总笔数|业务汇总/, '这是汇总账单，没有每一笔；请下载账务明细或业务明细'],
];

/** Totals that Alipay states at the end of its details, and the rows that each counts. */
const COUNTS: readonly (readonly [RegExp, string, (row: StatementRow) => boolean])[] = [
  [/#支出合计[:：]\s*(\d+)笔/, '支出', (row) => (fenOf(cellOf(row, '支出金额', '支出')) ?? 0) > 0],
  [/#收入合计[:：]\s*(\d+)笔/, '收入', (row) => (fenOf(cellOf(row, '收入金额', '收入')) ?? 0) > 0],
  [/#交易合计[:：]\s*(\d+)笔/, '交易', (row) => !/退款/.test(cellOf(row, '业务类型'))],
  [/#退款合计[:：]\s*(\d+)笔/, '退款', (row) => /退款/.test(cellOf(row, '业务类型'))],
];

/** Refuses details of which the statement itself counts more than there are. */
function checkCounts(text: string, rows: readonly StatementRow[]): void {
  for (const [pattern, name, isCounted] of COUNTS) {
    const stated = Number(pattern.exec(text)?.[1] ?? 0);
    const found = stated === 0 ? 0 : rows.filter(isCounted).length;
    if (stated > found)
      throw new StatementFault(
        `账单的${name}合计是 ${stated} 笔，明细只有 ${found} 笔，文件可能不完整；请直接上传从渠道下载的文件，不要用表格软件打开后另存`,
      );
  }
}

const isStatement = (text: string): boolean => hasHeading(text, (names) => tableOf(names) !== undefined);

/** A text that was saved in a wrong encoding, put right where nothing was lost; else the text as it is. */
function unscrambled(text: string): string {
  if (isStatement(text)) return text;
  return [...restorations(text)].find((one) => !one.isLossy && isStatement(one.text))?.text ?? text;
}

const isScrambled = (text: string): boolean =>
  hasLost(text) || [...restorations(text)].some((one) => isStatement(one.text));

/**
 * Reads a channel's daily statement: Alipay's account or trade details (CSV in GBK, packed or not), WeChat Pay's trade bill. Throws
 * StatementFault with a message for the person who uploaded it. Several files of one kind in an archive are parts of one statement.
 */
export function readStatement(file: Buffer): Statement {
  const lines: StatementLine[] = [];
  let kind: TableKind | undefined;
  const texts = [...new Set(textsOf(file))].map(unscrambled);
  for (const text of texts) {
    const parsed = statementRows(text, (names) => tableOf(names) !== undefined);
    const table = parsed && tableOf(parsed.names);
    if (!table) continue;
    if (kind && kind.name !== table.name)
      throw new StatementFault(`压缩包里有${kind.name}和${table.name}两种账单，请解压后只上传一种`);
    kind = table;
    checkColumns(table, parsed.names);
    checkCounts(text, parsed.rows);
    for (const row of parsed.rows)
      for (const line of table.read(row)) lines.push({ lineNo: lines.length + 1, ...line });
    if (lines.length > MAX_LINES) throw new StatementFault('账单行数过多');
  }
  if (kind) return { channel: kind.channel, lines };
  const other = OTHERS.find(([pattern]) => texts.some((text) => pattern.test(text)));
  if (!other && texts.some((text) => isScrambled(text))) throw new StatementFault(`账单的文字是乱码；${DOWNLOADED}`);
  throw new StatementFault(other?.[1] ?? '未找到账单表头，请上传支付宝账务/业务明细或微信交易账单');
}
