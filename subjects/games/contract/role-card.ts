import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { int, listTail, nothing, optionalInt, optionalText, paging, text, time } from '#contract/wire.ts';

/** A character that the user plays, saved to prefill coin and item orders. */
const roleCard = z.object({
  id: z.number().int(),
  gameId: z.number().int(),
  gameName: z.string(),
  areaId: z.number().int().nullable(),
  areaName: z.string(),
  serverId: z.number().int().nullable(),
  serverName: z.string(),
  roleName: z.string(),
  roleLevel: z.number().int().nullable(),
  note: z.string(),
  createTime: time,
});

/** With `id`, changes the card with that number. At most 50 cards per user. */
export const addUserRoleCardInfo = endpoint({
  method: 'POST',
  path: '/api/roleCard/addUserRoleCardInfo',
  auth: 'login',
  summary: '添加或修改游戏角色卡',
  input: z.object({
    id: optionalInt({ label: '角色卡' }),
    gameId: int({ max: 1_000_000, label: '游戏' }),
    areaId: optionalInt({ max: 100_000_000, label: '大区' }),
    serverId: optionalInt({ max: 2_000_000_000, label: '服务器' }),
    roleName: text(40, { min: 1, label: '角色名' }),
    roleLevel: optionalInt({ min: 1, max: 9999, label: '等级' }),
    note: optionalText(100, '备注'),
  }),
  data: z.object({ id: z.number().int() }),
  limit: 'write',
});

export const removeRoleCard = endpoint({
  method: 'POST',
  path: '/api/roleCard/removeRoleCard',
  auth: 'login',
  summary: '删除角色卡',
  input: z.object({ id: int({ min: 1, label: '角色卡' }) }),
  data: nothing,
  limit: 'write',
});

export const roleCardInfoList = endpoint({
  method: 'GET',
  path: '/api/roleCard/roleCardInfoList',
  auth: 'login',
  summary: '我的角色卡',
  input: z.object({ ...paging, gameId: optionalInt({ max: 1_000_000, label: '游戏' }) }),
  data: z.object({ list: z.array(roleCard), ...listTail }),
  limit: 'read',
});
