import type * as c from '#subjects/middleman/contract/middleman.ts';
import type { Parsed } from '#contract/endpoint.ts';
import { accountTypes, goodsTypeName, NO_GOODS_TYPE } from '#contract/rules/catalogue.ts';
import { findContacts } from '#contract/rules/contacts/contacts.ts';
import { isService } from '#subjects/orders/rules/order-types.ts';
import { SELLS } from '#contract/rules/parties.ts';
import type { Context } from '#server/context.ts';
import { type AccountIdentity, accountIdentity } from '#server/kernel/account-identity.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue } from '#subjects/games/server/service.ts';

/** The subject of a private deal. */
export interface Traded {
  gameId: number | null;
  /** Goods type, which also determines the hand-over steps; NO_GOODS_TYPE only for subjects that belong to no game. */
  typeId: number;
  serverId: number | null;
  /** Null for other subjects, and until the seller has responded. */
  account: AccountIdentity | null;
}

/** Texts about an account, which a deal of another type refuses: a hint for the opener. The rules follow only from the type. */
const ACCOUNT_PATTERN = /[账帐]\s*号|成品号|自用号|初始号|换绑/;

function invalidInput(field: string, text: string): never {
  throw new AppError('BAD_INPUT', { text, field });
}

/** The account that the seller names. Throws BAD_INPUT without it. */
export function dealAccount(
  ctx: Context,
  at: Pick<Traded, 'gameId' | 'typeId'>,
  accountNo: string | undefined,
): AccountIdentity | null {
  if (!accountTypes.includes(at.typeId) || at.gameId === null) return null;
  if (accountNo === undefined) invalidInput('accountNo', '请填写游戏账号（用于防止同一账号重复出售）');
  return accountIdentity(ctx.keys, at.gameId, accountNo);
}

/**
 * Validates the subject of a deal like a listing: game, type and server, and the account if the opener sells it. A deal under a game has
 * one of that game's goods types, whose steps, sealing and checks it gets; a deal of no type belongs to no game. Throws BAD_INPUT.
 */
export async function loadTraded(ctx: Context, input: Parsed<typeof c.openMiddleman>): Promise<Traded> {
  const { gameId, goodsTypeId: typeId } = input;
  const text = `${input.title}\n${input.description ?? ''}`;
  if (findContacts(text, { bait: true }).length > 0)
    invalidInput('title', '交易内容和约定不能写联系方式和密码，双方在交易群里沟通');
  const game = gameId === undefined ? undefined : (await catalogue(ctx)).game(gameId);
  if (gameId !== undefined && game === undefined) invalidInput('gameId', '游戏不存在');
  const isAccount = accountTypes.includes(typeId);
  if (!isAccount && ACCOUNT_PATTERN.test(text))
    invalidInput('accountNo', '交易内容是账号时，请选择游戏和「账号」类型，并填写游戏账号');
  if (game && typeId === NO_GOODS_TYPE)
    invalidInput(
      'goodsTypeId',
      `请选择商品类型：${game.name}的交易按所选类型的步骤交付；与游戏无关的内容请不要选择游戏`,
    );
  if (typeId === NO_GOODS_TYPE) return { gameId: null, typeId, serverId: null, account: null };
  if (!game) invalidInput('gameId', '请选择游戏');
  if (!game.goodsTypes.some((t) => t.id === typeId)) invalidInput('gameId', '该游戏不支持这种商品类型，请重新选择');
  if (isService(typeId)) invalidInput('goodsTypeId', '代练和陪玩请在代练、陪玩页面下单，不能作为担保交易');
  const servers = game.areas.flatMap((area) => area.servers);
  if (isAccount && servers.length > 0 && input.serverId === undefined) invalidInput('serverId', '请选择服务器');
  if (input.serverId !== undefined && !servers.some((s) => s.id === input.serverId))
    invalidInput('serverId', '该游戏没有这个服务器，请重新选择');
  const at = { gameId: game.id, typeId, serverId: input.serverId ?? null };
  // A buyer who opens a deal does not know the account; the seller names it when accepting.
  return { ...at, account: input.belong === SELLS ? dealAccount(ctx, at, input.accountNo) : null };
}

/** Area and server of a deal as text. */
export async function dealRegion(
  ctx: Context,
  { gameId, serverId }: Pick<Traded, 'gameId' | 'serverId'>,
): Promise<{ areaName: string; serverName: string }> {
  const game = gameId === null ? undefined : (await catalogue(ctx)).game(gameId);
  for (const area of game?.areas ?? []) {
    const server = area.servers.find((s) => s.id === serverId);
    if (server) return { areaName: area.name, serverName: server.name };
  }
  return { areaName: '', serverName: '' };
}

/** The type's name for the deal's page; '' for a deal of no type. */
export const dealTypeName = (typeId: number): string => (typeId === NO_GOODS_TYPE ? '' : goodsTypeName(typeId));
