import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import type { boosterApply, getBoosterInfo, updateBooster } from '#subjects/services/contract/booster.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { UserCall } from '#server/access/call.ts';
import { publishable } from '#server/contacts.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Catalogue } from '#subjects/games/server/service.ts';
import { applyProvider, loadProvider, type ProviderRow } from '#subjects/providers/server/service.ts';
import { loadApplied, changeRole, ownRecord } from './roles.ts';

interface Skill {
  gameId: number;
  rank: string;
  note: string;
}

/** Ranks without contact data, each of a game that the booster names. Throws BAD_INPUT. */
function checkedSkills(ctx: Context, skills: readonly Skill[], gameIds: readonly number[]): Skill[] {
  if (skills.some(({ gameId }) => !gameIds.includes(gameId)))
    throw new AppError('BAD_INPUT', { text: '段位只能填写所选游戏的', field: 'skills' });
  return skills.map((skill) => ({
    gameId: skill.gameId,
    rank: publishable(ctx.blockedWords, '段位', skill.rank, 'skills'),
    note: publishable(ctx.blockedWords, '说明', skill.note, 'skills'),
  }));
}

/** A booster's ranks with the games' names. */
export const skillsOf = (row: ProviderRow, all: Catalogue) =>
  ((row.profile.skills ?? []) as Skill[]).map((skill) => ({ ...skill, gameName: all.game(skill.gameId)?.name ?? '' }));

/** Applies to be a booster. Throws REAL_NAME_REQUIRED, REAL_NAME_MINOR, PROVIDER_STATE, BAD_INPUT, PICTURE_BROKEN. */
export async function applyBooster(
  call: UserCall,
  input: Parsed<typeof boosterApply>,
): Promise<HandlerResult<typeof boosterApply>> {
  const { skills, ...form } = input;
  return await loadApplied(
    call,
    await applyProvider(call, 'booster', form, { skills: checkedSkills(call.ctx, skills, form.gameIds) }),
  );
}

/** The caller's record as a booster, with the packages. */
export async function boosterInfo(call: UserCall): Promise<HandlerResult<typeof getBoosterInfo>> {
  const own = await ownRecord(call, BOOSTING);
  const booster = own.row ? { ...own.record, skills: skillsOf(own.row, own.all) } : null;
  return { booster, serviceGames: own.serviceGames };
}

/** Changes the caller's record and packages in one call. Throws like changeRole. */
export async function changeBooster(
  call: UserCall,
  input: Parsed<typeof updateBooster>,
): Promise<HandlerResult<typeof updateBooster>> {
  const { skills, packages, ...form } = input;
  const before = await loadProvider(call.ctx.db, call.user.id, 'booster');
  const games = form.gameIds ?? before?.games ?? [];
  const profile = skills === undefined ? {} : { skills: checkedSkills(call.ctx, skills, games) };
  return await changeRole(call, BOOSTING, { form, profile, packages });
}
