import type { Field } from '#subjects/games/contract/games.ts';
import type { Data, Input } from '#contract/endpoint.ts';
import type { getGoodsUpperConf, releaseGoods, selfGoods } from '#subjects/goods/contract/goods.ts';
import { typedAmount } from '#contract/rules/texts/typed.ts';
import { amountError, isPrice } from '#contract/rules/amounts.ts';
import { checkAttrs } from '#subjects/games/rules/attrs.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { isService } from '#subjects/orders/rules/order-types.ts';
import { ratioText, unitPriceText, unitsPerYuan } from '#subjects/quick-coin/rules/coin.ts';
import { offerLimits } from '../../rules/offer-limits.ts';
import { oneLineText, plainLines } from '../../rules/listing-states.ts';
import type { Area } from '#subjects/games/web/parts/games/catalogue.ts';
import { fenOf, grouped } from '#web/lib/format/format.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';

export type SellForm = Data<typeof getGoodsUpperConf>;
type OwnGoods = Data<typeof selfGoods>;

/** An uploaded picture, or one that the listing already has. */
export interface SellPicture {
  key: string;
  url: string;
}

/** The form as entered: values are converted only when sent, so that no input is lost. */
export interface Typed {
  areaId: string;
  serverId: string;
  accountNo: string;
  details: Record<string, unknown>;
  pictures: readonly SellPicture[];
  bigTitle: string;
  description: string;
  price: string;
  stock: string;
  bargainOpen: boolean;
  ensureOpen: boolean;
}

export const emptyTyped: Typed = {
  areaId: '',
  serverId: '',
  accountNo: '',
  details: {},
  pictures: [],
  bigTitle: '',
  description: '',
  price: '',
  stock: '1',
  bargainOpen: false,
  ensureOpen: true,
};

/** An existing listing as form values. Its account number is not stored in readable form and is therefore empty. */
export function typedOf(goods: OwnGoods): Typed {
  return {
    areaId: goods.areaId === null ? '' : String(goods.areaId),
    serverId: goods.serverId === null ? '' : String(goods.serverId),
    accountNo: '',
    details: goods.details,
    pictures: goods.pictures,
    bigTitle: goods.bigTitle,
    description: goods.description,
    price: goods.price.replace(/\.00$/, ''),
    stock: String(goods.stock),
    bargainOpen: goods.bargainOpen,
    ensureOpen: goods.ensureOpen,
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPicture = (value: unknown): value is SellPicture =>
  isRecord(value) && typeof value.key === 'string' && typeof value.url === 'string' && value.url.startsWith('/');

/** A saved draft merged over the initial values; parts that no longer fit are ignored. */
export function typedFromDraft(body: Record<string, unknown>, base: Typed): Typed {
  const textOr = (key: keyof Typed, fallback: string): string => {
    const value = body[key];
    return typeof value === 'string' ? value : fallback;
  };
  return {
    areaId: textOr('areaId', base.areaId),
    serverId: textOr('serverId', base.serverId),
    accountNo: '',
    details: isRecord(body.details) ? body.details : base.details,
    pictures: Array.isArray(body.pictures) ? body.pictures.filter(isPicture) : base.pictures,
    bigTitle: textOr('bigTitle', base.bigTitle),
    description: textOr('description', base.description),
    price: textOr('price', base.price),
    stock: textOr('stock', base.stock),
    bargainOpen: typeof body.bargainOpen === 'boolean' ? body.bargainOpen : base.bargainOpen,
    ensureOpen: typeof body.ensureOpen === 'boolean' ? body.ensureOpen : base.ensureOpen,
  };
}

/** Returns the part of the form that a draft saves, which never includes the game account's number. */
export function draftOfTyped(typed: Typed): Record<string, unknown> {
  const { accountNo: _, ...draft } = typed;
  return draft;
}

/** Errors by field: 'areaId', 'serverId', 'attr:<key>', 'accountNo', 'pictures', 'bigTitle', 'description', 'price', 'stock'. */
export type SellErrors = FormErrors;

interface FormContext {
  form: SellForm;
  areas: readonly Area[];
  /** An edit may leave the account's number unchanged. */
  hasAccount: boolean;
}

function regionErrors(typed: Typed, areas: readonly Area[]): Record<string, string> {
  if (areas.length === 0) return {};
  const area = areas.find((a) => String(a.specialId) === typed.areaId);
  if (!area) return { areaId: '请选择大区' };
  const servers = area.secondOptions;
  const exists = servers.some((s) => String(s.twoSpecialId) === typed.serverId);
  return servers.length > 0 && !exists ? { serverId: '请选择服务器' } : {};
}

/** Why an asking price is invalid; null when it is valid. */
export function priceProblem(
  price: string,
  form: Pick<SellForm, 'minPrice' | 'maxPrice' | 'newSellerText'>,
): string | null {
  const text = typedAmount(price);
  if (text === '') return '请填写价格';
  if (!isPrice(text)) return amountError(text, '价格') ?? '价格应为正数，最多两位小数';
  if (fenOf(text) < fenOf(form.minPrice)) return `价格不能低于 ${grouped(form.minPrice)} 元`;
  if (fenOf(text) > fenOf(form.maxPrice))
    return form.newSellerText
      ? `新卖家单件价格不能超过 ${grouped(form.maxPrice)} 元`
      : `价格不能超过 ${grouped(form.maxPrice)} 元`;
  return null;
}

function textErrors(typed: Typed): Record<string, string> {
  const title = oneLineText(typed.bigTitle);
  const errors: Record<string, string> = {};
  if (title === '') errors.bigTitle = '请填写标题';
  else if (title.length < offerLimits.titleMin) errors.bigTitle = `标题至少 ${offerLimits.titleMin} 个字`;
  else if (title.length > offerLimits.titleMax) errors.bigTitle = `标题不能超过 ${offerLimits.titleMax} 个字`;
  if (plainLines(typed.description).length > offerLimits.descriptionMax)
    errors.description = `描述不能超过 ${offerLimits.descriptionMax} 个字`;
  return errors;
}

/** Validation errors, by field. */
export function sellErrors(typed: Typed, { form, areas, hasAccount }: FormContext): Record<string, string> {
  const isAccount = accountTypes.includes(form.goodsTypeId);
  const errors: Record<string, string> = regionErrors(typed, areas);
  if (isAccount && !hasAccount && typed.accountNo.trim() === '') errors.accountNo = '请填写游戏账号';
  const details = currentDetails(form.fields, typed.details);
  // Only the server knows the stored options; here a selected retired option counts as stored, because only then is it
  // offered.
  for (const [key, sentence] of checkAttrs(form.fields, details, details).errors) errors[`attr:${key}`] = sentence;
  Object.assign(errors, textErrors(typed));
  const price = priceProblem(typed.price, form);
  if (price !== null) errors.price = price;
  const stock = typed.stock.trim();
  if (!isAccount && (!/^\d{1,6}$/.test(stock) || Number(stock) < 1 || Number(stock) > offerLimits.stockMax))
    errors.stock = `${isService(form.goodsTypeId) ? '可接单数' : '库存'}应为 1 到 ${offerLimits.stockMax} 的整数`;
  return errors;
}

/** The values of the form's current fields; a draft may contain values of an older form. */
export function currentDetails(fields: readonly Field[], details: Typed['details']): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ key }) => [key, details[key]]));
}

type Body = Omit<Input<typeof releaseGoods>, 'gameId' | 'goodsTypeId'>;

/** The request body of the form. Valid only when `sellErrors` is empty. */
export function bodyOf(typed: Typed, form: SellForm): Body {
  const isAccount = accountTypes.includes(form.goodsTypeId);
  const accountNo = typed.accountNo.trim();
  return {
    ...(typed.areaId !== '' && { areaId: typed.areaId }),
    ...(typed.serverId !== '' && { serverId: typed.serverId }),
    ...(isAccount && accountNo !== '' && { accountNo }),
    details: checkAttrs(form.fields, currentDetails(form.fields, typed.details), typed.details).values,
    pictures: typed.pictures.map(({ key }) => key),
    bigTitle: oneLineText(typed.bigTitle),
    description: plainLines(typed.description),
    price: typed.price.trim(),
    stock: isAccount ? 1 : typed.stock.trim(),
    bargainOpen: typed.bargainOpen,
    ensureOpen: isAccount && typed.ensureOpen,
  };
}

const FIELDS = ['accountNo', 'pictures', 'bigTitle', 'description', 'price', 'stock', 'areaId', 'serverId'];

/**
 * Maps a path of the request input to the form's field name: `details.rank` is 'attr:rank'; null when the form has no
 * such field.
 */
export function sellFieldOf(path: string, { fields }: Pick<SellForm, 'fields'>): string | null {
  const [name = '', key] = path.split('.');
  if (name === 'details' && key !== undefined) return fields.some((f) => f.key === key) ? `attr:${key}` : null;
  return FIELDS.includes(name) ? name : null;
}

/** The ratio of coin both ways, computed while typing: '1元=52.63万金币，0.019元/万金币'; null for listings without an amount. */
export function coinRatio(
  { price, details }: Pick<Typed, 'price' | 'details'>,
  form: Pick<SellForm, 'fields'>,
): string | null {
  const unit = form.fields.find(({ key, kind }) => key === 'amount' && kind === 'range')?.unit;
  const units = Number(details.amount);
  if (!unit || !Number.isSafeInteger(units) || units < 1 || !isPrice(price.trim())) return null;
  const perYuan = unitsPerYuan(units, fenOf(price.trim()));
  return `${ratioText(perYuan, unit)}，${unitPriceText(perYuan, unit)}`;
}

/** A count as text: 皮肤 320 款, not 皮肤数量320. */
function counted({ label, unit = '' }: Field, value: string | number): string {
  return `${label.replace(/数量$/, '')}${String(value).trim()}${unit}`;
}

function attrText(field: Field, value: unknown): string {
  const label = (v: unknown): string => field.options?.find((o) => String(o.v) === String(v))?.label ?? '';
  switch (field.kind) {
    case 'single':
      return label(value);
    case 'multi':
      return Array.isArray(value) ? value.map(label).filter(Boolean).slice(0, 3).join(' ') : '';
    case 'range':
      // A zero count does not go into a title.
      return (typeof value === 'string' || typeof value === 'number') && Number(value) > 0 ? counted(field, value) : '';
    case 'bool':
      return value === true ? field.label : '';
    default:
      return '';
  }
}

/** A title from the region and the fields shown on cards; empty while nothing is filled in. */
export function generateTitle(typed: Typed, form: SellForm, areas: readonly Area[]): string {
  const area = areas.find((a) => String(a.specialId) === typed.areaId);
  const texts = form.fields
    .filter((f) => f.inCard)
    .map((f) => attrText(f, typed.details[f.key]))
    .filter((w) => w !== '');
  if (texts.length === 0) return '';
  return [area?.specialName, ...texts].filter(Boolean).join(' ').slice(0, 60).trim();
}
