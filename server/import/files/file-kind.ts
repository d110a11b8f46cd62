/** Recognises unsupported files by their bytes and explains how to convert them. */
import type { Archive } from '#server/kernel/unzip.ts';

const startsWith = (body: Buffer, ...bytes: number[]): boolean => bytes.every((byte, i) => body[i] === byte);

/** Compound files name their streams in UTF-16. */
const hasStream = (body: Buffer, name: string): boolean => body.includes(Buffer.from(name, 'utf16le'));

const AS_XLSX = '请用 Excel 或 WPS 打开，选“另存为”→“Excel 工作簿（*.xlsx）”，再上传';

/** Old Office files and encrypted workbooks, which share one container. */
function compoundProblem(body: Buffer, name: string): string {
  if (hasStream(body, 'EncryptedPackage') || hasStream(body, 'EncryptionInfo'))
    return '这是加密的工作簿，需要密码才能打开：请在 Excel 或 WPS 里打开它，在“文件”→“信息”→“保护工作簿”里清除密码，保存后再上传';
  if (hasStream(body, 'WordDocument')) return `这是 Word 文档，不是表格；${AS_XLSX}`;
  if (hasStream(body, 'PowerPoint Document')) return `这是 PowerPoint 文件，不是表格；${AS_XLSX}`;
  if (/\.ett?$/i.test(name)) return `这是 WPS 表格的旧格式（.et），不支持；${AS_XLSX}`;
  return `这是旧版 Excel 格式（.xls）或加密的文件，不支持；${AS_XLSX}`;
}

const ZIPPED: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)xl\/workbook\.bin$/i, `这是二进制工作簿（.xlsb），不支持；${AS_XLSX}`],
  [
    /(?:^|\/)index\/(?:document|calculationengine)|(?:^|\/)index\.zip$/i,
    '这是 Numbers 表格，不支持；请在 Numbers 里选“文件”→“导出为”→“Excel…”（或 CSV），再上传',
  ],
  [/^word\//i, `这是 Word 文档（.docx），不是表格；${AS_XLSX}`],
  [/^ppt\//i, `这是演示文稿（.pptx），不是表格；${AS_XLSX}`],
  [
    /^content\.xml$/i,
    '这是 ODS（OpenDocument）格式，不支持；请在 LibreOffice 或 WPS 里另存为“Excel 工作簿（*.xlsx）”，再上传',
  ],
  [/\.(?:xlsx|xls|csv|txt|et)$/i, '这是压缩包：请先解压，再上传里面的表格'],
];

/** Why an archive is not a supported workbook. Also covers encrypted archives and those that cannot be opened. */
export function archiveProblem(names: Archive['names']): string {
  for (const [pattern, text] of ZIPPED) if (names.some((name) => pattern.test(name))) return text;
  return '这是压缩包，不是表格：请上传 XLSX 或 CSV 文件';
}

const BINARY: readonly (readonly [readonly number[], string])[] = [
  [[0x25, 0x50, 0x44, 0x46], '这是 PDF 文件，不是表格；请上传原来的表格，或用 WPS 的“PDF 转 Excel”转换后上传'],
  [[0x89, 0x50, 0x4e, 0x47], '这是图片，不是表格，请上传 CSV 或 XLSX'],
  [[0xff, 0xd8, 0xff], '这是图片，不是表格，请上传 CSV 或 XLSX'],
  [[0x47, 0x49, 0x46, 0x38], '这是图片，不是表格，请上传 CSV 或 XLSX'],
  [[0x52, 0x49, 0x46, 0x46], '这是图片，不是表格，请上传 CSV 或 XLSX'],
  [[0x52, 0x61, 0x72, 0x21], '这是 RAR 压缩包，不是表格：请先解压，再上传里面的表格'],
  [[0x37, 0x7a, 0xbc, 0xaf], '这是 7z 压缩包，不是表格：请先解压，再上传里面的表格'],
  [[0x49, 0x49, 0x2a, 0x00], '这是图片，不是表格，请上传 CSV 或 XLSX'],
  [[0x4d, 0x4d, 0x00, 0x2a], '这是图片，不是表格，请上传 CSV 或 XLSX'],
  [[0x1f, 0x8b], '这是压缩包（.gz），不是表格：请先解压，再上传里面的表格'],
  // Excel 2 to 4 wrote its records without a container, and so do small writers of later versions.
  [[0x09, 0x00, 0x04, 0x00], `这是旧版 Excel 格式（.xls），不支持；${AS_XLSX}`],
  [[0x09, 0x02, 0x06, 0x00], `这是旧版 Excel 格式（.xls），不支持；${AS_XLSX}`],
  [[0x09, 0x08, 0x08, 0x00], `这是旧版 Excel 格式（.xls），不支持；${AS_XLSX}`],
  [[0x09, 0x08, 0x10, 0x00], `这是旧版 Excel 格式（.xls），不支持；${AS_XLSX}`],
  [[0x09, 0x04, 0x06, 0x00], `这是旧版 Excel 格式（.xls），不支持；${AS_XLSX}`],
];

const PAGE = '这是网页，里面没有表格，可能是登录页或出错页：请回到原来的系统登录后重新导出，再上传';
const HTML_TABLE = /<(?:table|tr|td)\b/i;
const HTML = /<(?:!doctype\s+html|html|head|meta|body|style|script|title|link|div|table|tr|td)\b/i;
const WEB = `这是网页格式的 xls（内容是 HTML），不支持；${AS_XLSX}`;

const TEXTS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:[\w-]+:[^\n]{0,500}\n(?:[^\n]{0,500}\n){0,11}?)?mime-version:/i,
    `这是网页格式的 xls（MHTML），不支持；${AS_XLSX}`,
  ],
  [
    /^[\s\S]{0,2000}?(?:progid="Excel\.Sheet"|urn:schemas-microsoft-com:office:spreadsheet)/,
    `这是 XML 表格 2003 格式，不支持；${AS_XLSX}`,
  ],
  [
    /^(?:<\?xml[^>]*>\s*)?<office:document/,
    '这是 ODS 的单文件格式（.fods），不支持；请在 LibreOffice 里另存为“Excel 工作簿（*.xlsx）”，再上传',
  ],
  [/^\{\\rtf/, `这是 RTF 文档，不是表格；${AS_XLSX}`],
  [/^ID;P/, `这是 SYLK 格式（.slk），不支持；${AS_XLSX}`],
  [/^TABLE\r?\n0,1\r?\n/, `这是 DIF 格式，不支持；${AS_XLSX}`],
  [
    /^\{\s*"url"\s*:\s*"https:\/\/docs\.google/,
    '这是 Google 表格的快捷方式，里面没有内容；请在 Google 表格里选“文件”→“下载”→“Microsoft Excel (.xlsx)”，再上传',
  ],
  [
    /^(?:(?:--|#)[^\n]{0,500}\n|\/\*[^*]{0,500}\*\/;?|\s)*(?:insert\s+into|replace\s+into|create\s+table|drop\s+table|set\s+names|use\s+`?\w+`?\s*;)/i,
    '这是数据库的 SQL 文件，不是表格；请在数据库工具里把查询结果导出为 CSV 或 XLSX，再上传',
  ],
  [/^version https:\/\/git-lfs/, '这是 Git LFS 的指针文件，里面没有内容；请下载原来的文件，再上传'],
  [/^[[{][\s\S]*[\]}]\s*$/, `这是 JSON 文件，不是表格，请上传 CSV 或 XLSX`],
];

const HEAD_CHARS = 4000;

/** Why a text is not a separated table; undefined if it may be one. */
export function textProblem(text: string): string | undefined {
  const head = text.slice(0, HEAD_CHARS).trimStart();
  const isJson = /^[[{]/.test(head);
  const found = TEXTS.find(([pattern]) => pattern.test(isJson ? text.trim() : head))?.[1];
  if (found !== undefined) return found;
  if (!head.startsWith('<')) return undefined;
  if (HTML.test(head)) return HTML_TABLE.test(text) ? WEB : PAGE;
  return head.startsWith('<?xml') ? `这是 XML 文件，不支持；${AS_XLSX}` : undefined;
}

/** The first bytes written by corporate encryption software. */
const LOCKED = /E-SafeNet|^%TSD-Header-###%|^\x62\x14\x23\x65/;
const LOCKED_BYTES = 1024;

const EXPORT = '请导出为 CSV 或 XLSX，再上传';

/** First bytes of dBase and FoxPro tables. */
const DBF: readonly number[] = [0x03, 0x30, 0x31, 0x83, 0x8b, 0xf5];

/** Formats that begin with a name, some behind a few bytes. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/^....ftyp(?:heic|heix|hevc|mif1|msf1|avif)/s, '这是图片，不是表格，请上传 CSV 或 XLSX'],
  [/^....ftyp/s, '这是视频或音频，不是表格，请上传 CSV 或 XLSX'],
  [/^BM.{4}\0\0\0\0/s, '这是图片，不是表格，请上传 CSV 或 XLSX'],
  [/^SQLite format 3\0/, `这是数据库文件，不是表格；${EXPORT}`],
  [/^\0\x01\0\0Standard (?:ACE|Jet) DB/, `这是 Access 数据库，不是表格；${EXPORT}`],
  [/^PAR1/, `这是 Parquet 文件，不支持；${EXPORT}`],
  [/^\x4c\0\0\0\x01\x14\x02\0/, '这是快捷方式，里面没有内容；请找到它指向的表格，再上传'],
  [/^MZ[\x80-\xff].\0/s, '这是程序，不是表格，请上传 CSV 或 XLSX'],
  [/^\0\0[\x02\x1a]\0/, `这是 Lotus 1-2-3 的旧格式，不支持；${AS_XLSX}`],
];
const NAMED_BYTES = 64;

const OLE = [0xd0, 0xcf, 0x11, 0xe0] as const;

/** Why a file that is neither archive nor text is not a table; undefined if it may be text. `name` is its file name. */
export function binaryProblem(body: Buffer, name: string): string | undefined {
  if (startsWith(body, ...OLE)) return compoundProblem(body, name);
  if (LOCKED.test(body.subarray(0, LOCKED_BYTES).toString('latin1')))
    return '这个文件被单位的加密软件加密了，离开那台电脑就无法打开：请先在加密软件里解密，再上传';
  if (/\.dbf$/i.test(name) && DBF.includes(body[0] ?? 0)) return `这是数据库表（.dbf），不支持；${AS_XLSX}`;
  if (/\.gnumeric$/i.test(name)) return `这是 Gnumeric 的格式（.gnumeric），不支持；${AS_XLSX}`;
  if (/^(?:.*[\\/])?~\$/.test(name) && body.length < 2048)
    return '这是 Excel 打开表格时的临时文件（文件名以“~$”开头），里面没有内容；请关闭 Excel，上传没有“~$”的那个文件';
  const head = body.subarray(0, NAMED_BYTES).toString('latin1');
  return (
    NAMED.find(([pattern]) => pattern.test(head))?.[1] ?? BINARY.find(([bytes]) => startsWith(body, ...bytes))?.[1]
  );
}

/** Whether a file is a ZIP archive, as XLSX is. */
export const isArchive = (body: Buffer): boolean => startsWith(body, 0x50, 0x4b) && (body[2] ?? 9) < 9;

/** Removes blanks or a BOM that a web server put before an archive. */
export function withoutPrefix(body: Buffer): Buffer {
  const found = /^[\s\u00ef\u00bb\u00bf]{1,64}(?=PK\u0003\u0004)/.exec(body.subarray(0, 80).toString('latin1'));
  return found ? body.subarray(found[0].length) : body;
}
