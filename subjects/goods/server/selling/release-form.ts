import { BOOSTING, COMPANION_PLAY, type ServiceType } from '#subjects/orders/rules/order-types.ts';
import type { WordFilter } from '#server/blocked-words/filter.ts';
import type { FieldError } from '#contract/codes.ts';
import type { Parsed } from '#contract/endpoint.ts';
import type { releaseGoods } from '#subjects/goods/contract/goods.ts';
import { type Attrs, checkAttrs } from '#subjects/games/rules/attrs.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { offerLimits } from '../../rules/offer-limits.ts';
import { oneLineText, plainLines } from '../../rules/listing-states.ts';
import type { UserCall } from '#server/access/call.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError, requireValid } from '#server/kernel/errors.ts';
import { catalogue, type Game, showsGame } from '#subjects/games/server/service.ts';
import { type Finding, withoutContacts } from '../review/findings.ts';
import { type Terms, termsOf } from '../terms/terms.ts';

/** The input of a new or edited listing. */
export type OfferBody = Omit<Parsed<typeof releaseGoods>, 'gameId' | 'goodsTypeId'>;

/** A validated listing; price in fen. */
export interface Offer extends Terms {
  areaId: number | null;
  serverId: number | null;
  title: string;
  description: string;
  priceFen: number;
  stock: number;
  attrs: Attrs;
  fieldsVersion: number;
  /** Where the account came from, as text. */
  source: string | null;
  /** Parts that the contact filter removed from its texts, for the reviewer. */
  findings: Finding[];
}

/** The stored values of an edited listing. */
export interface StoredValues {
  areaId: number | null;
  serverId: number | null;
  attrs: Readonly<Record<string, unknown>>;
}

/** Services have separate forms with milestones and deposits (subjects/services). */
const SERVICE_TEXTS: Readonly<Record<number, string>> = {
  [BOOSTING]: '代练请在「代练套餐」里发布，需先申请成为代练',
  [COMPANION_PLAY]: '陪玩请在「陪玩套餐」里发布，需先申请成为陪玩',
} satisfies Record<ServiceType, string>;

/**
 * The game, if listings of the type can be published on this site by the form of the game. Throws NOT_FOUND;
 * GOODS_TYPE_UNSUPPORTED also for services.
 */
export async function sellableGame(call: UserCall, gameId: number, typeId: number): Promise<Game> {
  const game = (await catalogue(call.ctx)).game(gameId);
  if (!game || !showsGame(call.dist, gameId)) throw errorOf('NOT_FOUND', 'openGame');
  if (!game.goodsTypes.some((t) => t.id === typeId)) throw new AppError('GOODS_TYPE_UNSUPPORTED');
  const service = SERVICE_TEXTS[typeId];
  if (service !== undefined) throw new AppError('GOODS_TYPE_UNSUPPORTED', { text: service });
  return game;
}

/** Area and server of the game, each required where the game has any. Problems are added to `errors`. */
function regionOf(
  game: Game,
  body: OfferBody,
  stored: StoredValues | undefined,
  errors: FieldError[],
): Pick<Offer, 'areaId' | 'serverId'> {
  // A listing keeps its server, even when the server is no longer offered.
  if (stored && stored.areaId !== null && body.areaId === stored.areaId && (body.serverId ?? null) === stored.serverId)
    return { areaId: stored.areaId, serverId: stored.serverId };
  const none = { areaId: null, serverId: null };
  const invalid = (field: string, msg: string) => {
    errors.push({ field, msg });
    return none;
  };
  if (game.areas.length === 0)
    return body.areaId !== undefined || body.serverId !== undefined
      ? invalid('areaId', '该游戏没有区服，请刷新页面后重试')
      : none;
  if (body.areaId === undefined) return invalid('areaId', '请选择大区');
  const area = game.areas.find((a) => a.id === body.areaId);
  if (!area) return invalid('areaId', '该游戏没有这个大区，请重新选择');
  if (area.servers.length === 0)
    return body.serverId === undefined
      ? { areaId: area.id, serverId: null }
      : invalid('serverId', '该大区没有服务器，请刷新页面后重试');
  if (body.serverId === undefined) return invalid('serverId', '请选择服务器');
  const server = area.servers.find((one) => one.id === body.serverId);
  return server ? { areaId: area.id, serverId: server.id } : invalid('serverId', '该大区没有这个服务器，请重新选择');
}

/** The attributes, with texts stripped of invisible characters and contact details; HTML is kept as plain text (domain.md 5). */
function attrsOf(
  words: Pick<WordFilter, 'clean'>,
  game: Game,
  typeId: number,
  body: OfferBody,
  { findings, stored, errors }: { findings: Finding[]; stored: StoredValues | undefined; errors: FieldError[] },
): Attrs {
  const fields = game.fields.filter((f) => !f.retired && f.goodsTypes.includes(typeId));
  const { values, errors: invalid } = checkAttrs(fields, body.details, stored?.attrs);
  for (const [key, msg] of invalid) errors.push({ field: `details.${key}`, msg });
  for (const field of fields) {
    const value = values[field.key];
    if (field.kind === 'text' && typeof value === 'string')
      values[field.key] = withoutContacts(
        words,
        { label: field.label, field: `details.${field.key}`, original: oneLineText(value) },
        findings,
      );
  }
  // Values of fields that are no longer in the form stay in the listings that have them.
  const formKeys = new Set(fields.map(({ key }) => key));
  const retained = Object.entries(stored?.attrs ?? {}).filter(([key]) => !formKeys.has(key));
  return { ...(Object.fromEntries(retained) as Attrs), ...values };
}

/**
 * Validates a listing against its game's form (region, attributes, quantity, account) and removes sentences with contact details. Throws
 * BAD_INPUT with a message for each invalid field, in the order of the form. `stored` contains the stored values of an
 * edited listing: values that the form no longer offers stay, and the account need not be entered again.
 */
export function checkedOffer(
  words: Pick<WordFilter, 'clean'>,
  game: Game,
  typeId: number,
  body: OfferBody,
  stored?: StoredValues,
): Offer {
  const isAccount = accountTypes.includes(typeId);
  const errors: FieldError[] = [];
  const region = regionOf(game, body, stored, errors);
  const findings: Finding[] = [];
  const title = withoutContacts(
    words,
    { label: '标题', field: 'bigTitle', original: oneLineText(body.bigTitle) },
    findings,
  );
  if (title.length < offerLimits.titleMin)
    errors.push({
      field: 'bigTitle',
      msg: findings.length > 0 ? '标题含有联系方式，请改为介绍商品本身' : `标题至少 ${offerLimits.titleMin} 个字`,
    });
  const description = withoutContacts(
    words,
    { label: '描述', field: 'description', original: plainLines(body.description) },
    findings,
  );
  const attrs = attrsOf(words, game, typeId, body, { findings, stored, errors });
  if (isAccount && body.stock !== 1) errors.push({ field: 'stock', msg: '账号只有一件，库存应为 1' });
  if (isAccount && !stored && body.accountNo === undefined)
    errors.push({ field: 'accountNo', msg: '请填写游戏账号（用于防止同一账号重复发布）' });
  requireValid(errors);
  const source = game.fields
    .find((f) => f.key === 'account_source')
    ?.options?.find((o) => o.v === attrs.account_source)?.label;
  return {
    ...region,
    title,
    description,
    priceFen: body.price,
    stock: body.stock,
    attrs,
    fieldsVersion: game.fieldsVersion,
    source: source ?? null,
    ...termsOf(body, isAccount),
    findings,
  };
}
