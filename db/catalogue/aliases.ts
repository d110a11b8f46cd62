import type { GameSeed, GoodsTypeId } from './types.ts';

/** Terms for goods types in sellers' stock lists, besides the names of types.ts. */
export const GOODS_TYPE_ALIASES: Readonly<Record<string, GoodsTypeId>> = {
  成品号: 1,
  账号: 1,
  帐号: 1,
  '1': 1,
  金币: 2,
  游戏币: 2,
  '2': 2,
  首充号: 8,
  初始号: 8,
  '8': 8,
  元宝: 22,
  点券: 22,
  '22': 22,
  道具: 27,
  物品: 27,
  '27': 27,
  寄售: 50,
  寄售账号: 50,
  '50': 50,
  代练: 60,
  代肝: 60,
  '60': 60,
  陪玩: 61,
  '61': 61,
};

/** Columns of stock lists that are fields of every account, by their heading. */
export const COLUMN_FIELDS: Readonly<Record<string, string>> = {
  账号来源: 'account_source',
  可二次实名: 'second_realname',
  二次实名: 'second_realname',
  防沉迷: 'anti_addiction',
};

/** Terms for yes and no in stock lists. */
export const YES_TERMS: readonly string[] = ['是', '可', '有', '可买', '支持', '1', 'true', 'Y'];
export const NO_TERMS: readonly string[] = ['否', '不可', '无', '不支持', '0', 'false', 'N'];

/** Finds the game of a stock list's word (name, code or alias, any case); undefined when there is none. */
export function findGame(games: readonly GameSeed[], term: string): GameSeed | undefined {
  const wanted = term.trim().toLowerCase();
  return games.find((g) => [g.name, g.code, ...g.aliases].some((name) => name.toLowerCase() === wanted));
}

/** Area and server of a path such as '跨一/广东1区' or '安卓QQ'; undefined when the game has no such place. */
export function findRegion(game: GameSeed, path: string): { areaId: number; serverId: number | null } | undefined {
  const [areaName = '', serverName] = path.split('/').map((part) => part.trim());
  const area = game.areas.find((a) => a.name === areaName);
  if (area === undefined) return undefined;
  if (serverName === undefined || serverName === '') return { areaId: area.id, serverId: null };
  const server = area.servers.find((s) => s.name === serverName);
  return server === undefined ? undefined : { areaId: area.id, serverId: server.id };
}
