import type { Field } from '#subjects/games/contract/games.ts';
import { choosable } from '#subjects/games/rules/attrs.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { offerLimits } from '#subjects/goods/rules/offer-limits.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { ListedField } from '#server/import/matching.ts';
import { headingNames, normalHeading } from '#server/import/heading-names.ts';
import type { Game } from '#subjects/games/server/service.ts';

/** A part of a listing that a column of a file can be. */
export interface Target {
  key: string;
  label: string;
  required: boolean;
  help: string;
  options: string[] | null;
  /** Headings that it is recognised by, besides its label. */
  headings: readonly string[];
  /** A cell of the example in the template. */
  example: string;
}

const YES_NO = ['是', '否'];
/** The name of an attribute in `problems` and `mapping`: the same as the field of the publishing form. */
export const detailKey = (field: Pick<Field, 'key'>): string => `details.${field.key}`;

/** The fields that the publishing form of a game and type asks now. */
export const fieldsFor = (game: Game, typeId: number): ListedField[] =>
  game.fields
    .filter((f) => !f.retired && f.goodsTypes.includes(typeId))
    .map((f) => choosable(f, undefined)) as ListedField[];

const target = (key: string, label: string, more: Partial<Target> = {}): Target => ({
  key,
  label,
  required: false,
  help: '',
  options: null,
  headings: [],
  example: '',
  ...more,
});

/** Names for the seller's code in shop and stock software. */
const CODES =
  '商品编码,商家编码,货品编码,宝贝编码,产品编码,产品编号,编码,编号,商品id,商品货号,sku,sku编码,sku id,code,item code,product id,item no,no.'.split(
    ',',
  );

const PRICES = [
  '售价',
  '销售价',
  '销售价格',
  '单价',
  '一口价',
  '价格(元)',
  '商品价格',
  '出售价',
  '现价',
  'price',
  'unit price',
];
const STOCKS = [
  '数量',
  '库存数量',
  '可售库存',
  '可用库存',
  '剩余库存',
  '库存量',
  '商品数量',
  '件数',
  'stock',
  'quantity',
  'qty',
  'inventory',
];

const CODE = target('code', '商家编号', {
  help: '您自己的编号；同一编号不会重复发布，以后按它改价改库存',
  headings: ['编号', '商品编号', '货号', ...CODES],
  example: 'A-001',
});

function rangeHelp(field: ListedField): string {
  const bounds = [field.min, field.max].map((n) => (n === undefined ? '' : String(n)));
  return field.min === undefined && field.max === undefined
    ? '整数'
    : `整数，${bounds.join(' 到 ')}${field.unit ?? ''}`;
}

/** How an attribute is written in a cell. */
function fieldTarget(field: ListedField): Target {
  const labels = field.options?.map((o) => o.label) ?? [];
  const several = field.kind === 'multi' || field.kind === 'item_count';
  const help: Readonly<Record<ListedField['kind'], string>> = {
    single: '',
    bool: '',
    range: rangeHelp(field),
    multi: '多个用顿号分开',
    item_count: '写成“名称×数量”，多个用顿号分开',
    text: '',
  };
  const example: Readonly<Record<ListedField['kind'], string>> = {
    single: labels[0] ?? '',
    bool: '是',
    range: String(field.min ?? 1),
    multi: labels.slice(0, 2).join('、'),
    item_count: `${labels[0] ?? ''}×1`,
    text: '',
  };
  return target(detailKey(field), field.label, {
    required: field.required === true,
    help: help[field.kind],
    options: field.kind === 'bool' ? YES_NO : field.kind === 'single' && !several ? labels : null,
    headings: [...(field.aliases ?? []), field.key],
    example: field.required === true ? example[field.kind] : '',
  });
}

function placeExample(game: Game): string {
  const area = game.areas[0];
  const server = area?.servers[0];
  return [area?.name, server?.name].filter(Boolean).join('/');
}

/** A game with more regions than this offers no list of them; the seller types the region, which is faster than a search in such a list. */
const PLACES_MAX = 1200;

/** The regions of a game as written in cells; null when there are too many. */
function placesOf(game: Game): string[] | null {
  const places = game.areas.flatMap(({ name, servers }) =>
    servers.length === 0 ? [name] : servers.map((server) => `${name}/${server.name}`),
  );
  return places.length > PLACES_MAX ? null : places;
}

/** The targets of a game and type, in the order of the publishing form. */
export function publishTargets(game: Game, typeId: number): Target[] {
  const isAccount = accountTypes.includes(typeId);
  const { priceMinFen, priceMaxFen, titleMin, titleMax, descriptionMax, stockMax } = offerLimits;
  const region = target('place', '区服', {
    required: true,
    help: '大区/服务器，按平台的名称',
    headings: ['大区/服务器', '大区服务器', '大区', '服务器', '所在区服', '区服信息'],
    options: placesOf(game),
    example: placeExample(game),
  });
  const account = [
    target('accountNo', '账号标识', {
      required: true,
      help: '游戏账号，只用来防止重复发布，发布后不保留',
      headings: ['账号', '帐号', '游戏账号', '账号id'],
      example: 'example-001',
    }),
    target('ensureOpen', '支持包赔', { options: YES_NO, headings: ['包赔'], example: '是' }),
    target('passwordChanged', '已修改密码', { options: YES_NO, help: '只有旧密码被人看过时才需要' }),
  ];
  return [
    CODE,
    target('game', '游戏', {
      help: '只用来核对：写了别的游戏的行会被拒绝',
      headings: ['游戏名称', '游戏名'],
      example: game.name,
    }),
    ...(game.areas.length > 0 ? [region] : []),
    target('bigTitle', '标题', {
      required: true,
      help: `${titleMin} 到 ${titleMax} 个字`,
      headings: ['商品标题', '宝贝标题', '名称', '商品名称', '商品名', '宝贝名称', 'title', 'name'],
      example: '示例：请整行删除或改成您的商品',
    }),
    target('price', '价格', {
      required: true,
      help: `元，${yuanLabel(priceMinFen)} 到 ${yuanLabel(priceMaxFen)}`,
      headings: PRICES,
      example: '88.00',
    }),
    ...(isAccount
      ? []
      : [target('stock', '库存', { help: `1 到 ${stockMax} 的整数，空着为 1`, headings: STOCKS, example: '10' })]),
    ...fieldsFor(game, typeId).map(fieldTarget),
    ...(isAccount ? account : []),
    target('pictures', '图片', {
      help: `文件名或网址，多张用逗号分开，最多 ${offerLimits.pictures} 张`,
      headings: ['商品图片', '主图', '图片地址', '图片链接', '图片网址', '图片文件', '图片名', 'images', 'pictures'],
    }),
    target('bargainOpen', '接受议价', { options: YES_NO, headings: ['议价', '可议价'], example: '否' }),
    target('attrs', '属性', { help: '多个属性写在一格：段位:王者;皮肤:320', headings: ['商品属性', '参数'] }),
    target('description', '描述', { help: `最多 ${descriptionMax} 个字`, headings: ['商品描述', '详情', '备注'] }),
  ];
}

/** The targets of a file that changes existing listings. */
export const STOCK_TARGETS: readonly Target[] = [
  {
    ...CODE,
    label: '编号',
    required: true,
    help: '商家编号，或平台的商品编号',
    headings: ['商家编号', '商品编号', '货号', ...CODES],
  },
  target('price', '价格', {
    help: '元；空着不变',
    headings: [...PRICES, '新价格'],
    example: '88.00',
  }),
  target('stock', '库存', { help: '空着不变；账号没有库存', headings: [...STOCKS, '新库存'], example: '10' }),
  target('act', '上下架', { options: ['上架', '下架'], help: '空着不变', headings: ['状态'] }),
];

/** Every heading by which a target is recognised. */
export const headingsOf = ({ label, headings }: Target): string[] => [label, ...headings];

/** The column of each target that its heading names, by number from 0; a column serves one target. */
export function guessMapping(columns: readonly string[], targets: readonly Target[]): Record<string, number> {
  const names = columns.map(headingNames);
  const used = new Set<number>();
  const mapping: Record<string, number> = {};
  const take = (key: string, wanted: readonly string[], spelling: 0 | 1): void => {
    if (mapping[key] !== undefined) return;
    const keys = new Set(wanted.map(normalHeading));
    const at = names.findIndex(
      (of, i) => !used.has(i) && (spelling === 0 ? of.slice(0, 1) : of.slice(1)).some((name) => keys.has(name)),
    );
    if (at < 0) return;
    used.add(at);
    mapping[key] = at;
  };
  // oxlint-disable-next-line forms/no-chinese-match -- the headings of the targets, not a message
  const isNew = (name: string): boolean => name.startsWith('新');
  // A file that has a price and a new price states the new one in the second.
  for (const spelling of [0, 1] as const)
    for (const { key, headings } of targets) take(key, headings.filter(isNew), spelling);
  // A target's main name takes precedence over its aliases, and a heading as written over one without its unit.
  for (const spelling of [0, 1] as const) {
    for (const { key, label } of targets) take(key, [label], spelling);
    for (const { key, headings } of targets) take(key, headings, spelling);
  }
  return mapping;
}
