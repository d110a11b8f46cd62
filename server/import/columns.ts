import { headingNames, normalHeading } from './heading-names.ts';

/** Columns of a stock list. Only game, price and either title or attributes are required. */
export type ColumnKey =
  | 'key'
  | 'game'
  | 'place'
  | 'type'
  | 'title'
  | 'price'
  | 'stock'
  | 'account'
  | 'source'
  | 'secondRealname'
  | 'antiAddiction'
  | 'guarantee'
  | 'attrs'
  | 'description'
  | 'pictures'
  | 'reason'
  /** Problems with a row's cells; only in the form written by `stockListOf`. */
  | 'fault';

/** Column headings that sellers use; the first is the one in our own files. */
const HEADINGS: Readonly<Record<ColumnKey, readonly string[]>> = {
  key: ['商家编号', '编号', '商品编号', '货号', '序号'],
  game: ['游戏', '游戏名称', '游戏名'],
  place: ['区服', '大区', '区服信息', '服务器', '所在区服'],
  type: ['商品类型', '类型', '分类'],
  title: ['标题', '商品标题', '名称'],
  price: ['价格', '售价', '单价', '一口价'],
  stock: ['库存', '数量'],
  account: ['账号标识', '账号', '帐号', '账号id', '游戏账号'],
  source: ['账号来源', '来源'],
  secondRealname: ['可二次实名', '二次实名'],
  antiAddiction: ['防沉迷'],
  guarantee: ['支持包赔', '包赔'],
  attrs: ['属性', '商品属性', '参数'],
  description: ['描述', '商品描述', '详情', '备注'],
  pictures: ['图片', '图片链接'],
  reason: ['拒绝原因'],
  fault: ['读取问题'],
};

const REQUIRED: readonly ColumnKey[] = ['game', 'price'];

/** Chinese name of a column, for messages. */
export const headingOf = (key: ColumnKey): string => HEADINGS[key][0] ?? key;

export interface Header {
  /** Headings as in the file, for the list of rejected rows. */
  names: string[];
  at: ReadonlyMap<ColumnKey, number>;
}

/** All headings that are recognised. */
export const stockHeadings: readonly string[] = Object.values(HEADINGS).flat();

const KNOWN = (Object.entries(HEADINGS) as [ColumnKey, readonly string[]][]).map(
  ([key, names]) => [key, new Set(names.map(normalHeading))] as const,
);

/** Finds the columns of a list by its heading. Returns an error message when it is not a stock list. */
export function readHeader(cells: readonly string[]): Header | { error: string } {
  const at = new Map<ColumnKey, number>();
  const take = (column: number, name: string): void => {
    const key = KNOWN.find(([, names]) => names.has(name))?.[0];
    if (key !== undefined && !at.has(key) && ![...at.values()].includes(column)) at.set(key, column);
  };
  // Exact headings come first: '价格(元)' is the price only if no column is named '价格'.
  for (const [i, cell] of cells.entries()) take(i, normalHeading(cell));
  for (const [i, cell] of cells.entries()) for (const name of headingNames(cell)) take(i, name);
  const missing = REQUIRED.filter((key) => !at.has(key));
  if (!at.has('title') && !at.has('attrs')) missing.push('title');
  if (missing.length > 0) return { error: `没有找到完整的表头，缺少：${missing.map(headingOf).join('、')}` };
  return { names: [...cells], at };
}
