import { sql } from 'kysely';
import type { Parsed } from '#contract/endpoint.ts';
import type { releaseGoods } from '#contract/goods.ts';
import { type Attrs, checkAttrs } from '#contract/rules/attrs.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { offerLimits } from '#contract/rules/offer-limits.ts';
import { oneLineText, plainLines } from '#contract/rules/offer.ts';
import type { UserCall } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue, type Game, showsGame } from '#server/slices/games/service.ts';
import { type Finding, withoutContacts } from './findings.ts';

/** What a seller sends, whether new or edited. */
export type OfferBody = Omit<Parsed<typeof releaseGoods>, 'gameId' | 'goodsTypeId'>;

/** An offer that fits its game's form; price in fen. */
export interface Offer {
  areaId: number | null;
  serverId: number | null;
  title: string;
  description: string;
  priceFen: number;
  stock: number;
  attrs: Attrs;
  fieldsVersion: number;
  /** Where the account came from, in words. */
  source: string | null;
  bargainOk: boolean;
  guaranteeOk: boolean;
  /** What the contact filter cut from its texts, for the reviewer. */
  findings: Finding[];
}

/** Services are for those who were let in as such (domain.md 6): the role's column, and the words for whoever lacks it. */
const SERVICE_ROLES: Readonly<Record<number, { column: 'is_booster' | 'is_accompanyer'; text: string }>> = {
  60: { column: 'is_booster', text: '代练服务仅限审核通过的打手发布，请先申请成为打手' },
  61: { column: 'is_accompanyer', text: '陪玩服务仅限审核通过的陪玩发布，请先申请成为陪玩' },
};

function wrong(field: string, text: string): never {
  throw new AppError('BAD_INPUT', { text, field });
}

async function requireRole({ ctx, user }: UserCall, typeId: number): Promise<void> {
  const role = SERVICE_ROLES[typeId];
  if (!role) return;
  const { rows } = await sql`select from app_user where id = ${user.id} and ${sql.ref(role.column)}`.execute(ctx.db);
  if (rows.length === 0) throw new AppError('GOODS_TYPE_UNSUPPORTED', { text: role.text });
}

/** The game that a seller may publish goods of a type in here. Throws NOT_FOUND, GOODS_TYPE_UNSUPPORTED also for a role that is missing. */
export async function sellableGame(call: UserCall, gameId: number, typeId: number): Promise<Game> {
  const game = (await catalogue(call.ctx)).game(gameId);
  if (!game || !showsGame(call.dist, gameId)) throw new AppError('NOT_FOUND', { text: '游戏不存在或未开放' });
  if (!game.goodsTypes.some((t) => t.id === typeId)) throw new AppError('GOODS_TYPE_UNSUPPORTED');
  await requireRole(call, typeId);
  return game;
}

/** Area and server of the game itself, each asked for where the game has any. */
function placeOf(game: Game, body: OfferBody): Pick<Offer, 'areaId' | 'serverId'> {
  if (game.areas.length === 0) {
    if (body.areaId !== undefined || body.serverId !== undefined) wrong('areaId', '该游戏没有区服，请刷新页面后重试');
    return { areaId: null, serverId: null };
  }
  if (body.areaId === undefined) wrong('areaId', '请选择大区');
  const area = game.areas.find((a) => a.id === body.areaId) ?? wrong('areaId', '该游戏没有这个大区，请重新选择');
  if (area.servers.length === 0) {
    if (body.serverId !== undefined) wrong('serverId', '该大区没有服务器，请刷新页面后重试');
    return { areaId: area.id, serverId: null };
  }
  if (body.serverId === undefined) wrong('serverId', '请选择服务器');
  const server =
    area.servers.find((s) => s.id === body.serverId) ?? wrong('serverId', '该大区没有这个服务器，请重新选择');
  return { areaId: area.id, serverId: server.id };
}

/** Words without what cannot be seen and without contacts; HTML stays what it is, text (domain.md 5). */
function attrsOf(game: Game, typeId: number, body: OfferBody, findings: Finding[]): Attrs {
  const fields = game.fields.filter((f) => f.goodsTypes.includes(typeId));
  const { values, errors } = checkAttrs(fields, body.details);
  for (const [key, sentence] of errors) wrong(`details.${key}`, sentence);
  for (const field of fields) {
    const value = values[field.key];
    if (field.kind === 'text' && typeof value === 'string')
      values[field.key] = withoutContacts(field.label, oneLineText(value), findings);
  }
  return values;
}

/**
 * Checks an offer against its game's own form: place, attributes, quantity; cuts sentences with contacts from what buyers read. Throws BAD_INPUT with
 * the first sentence in the order of the form.
 */
export function checkedOffer(game: Game, typeId: number, body: OfferBody): Offer {
  const isAccount = accountTypes.includes(typeId);
  const place = placeOf(game, body);
  const findings: Finding[] = [];
  const title = withoutContacts('标题', oneLineText(body.bigTitle), findings);
  if (findings.length > 0 && title.length < offerLimits.titleMin)
    wrong('bigTitle', '标题含有联系方式，请改为介绍商品本身');
  const description = withoutContacts('描述', plainLines(body.description), findings);
  const attrs = attrsOf(game, typeId, body, findings);
  if (title.length < offerLimits.titleMin) wrong('bigTitle', `标题至少 ${offerLimits.titleMin} 个字`);
  if (isAccount && body.stock !== 1) wrong('stock', '账号只有一件，库存应为 1');
  const source = game.fields
    .find((f) => f.key === 'account_source')
    ?.options?.find((o) => o.v === attrs.account_source)?.label;
  return {
    ...place,
    title,
    description,
    priceFen: body.price,
    stock: body.stock,
    attrs,
    fieldsVersion: game.fieldsVersion,
    source: source ?? null,
    bargainOk: body.bargainOpen,
    guaranteeOk: body.ensureOpen && isAccount,
    findings,
  };
}
