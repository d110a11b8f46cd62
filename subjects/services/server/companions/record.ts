import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import type {
  accompanyerApply,
  getAccompanyerInfo,
  updateAccompanyer,
} from '#subjects/services/contract/accompanyer.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { OpenRange } from '#subjects/providers/rules/opening-hours.ts';
import type { UserCall } from '#server/access/call.ts';
import { publishable } from '#server/contacts.ts';
import type { Context } from '#server/context.ts';
import { voiceOf } from '#subjects/media/server/service.ts';
import { applyProvider, type ProviderRow } from '#subjects/providers/server/service.ts';
import { loadApplied, changeRole, ownRecord } from '../roles.ts';

/** A companion's fields in addition to the common record. */
export interface CompanionProfile {
  gender: 'female' | 'male' | 'secret';
  city: string;
  tags: string[];
  /** The first order of each buyer costs nothing when it ends within these minutes. */
  trialMinutes: number;
  hours: OpenRange[];
}

type Change = { [K in keyof CompanionProfile]?: CompanionProfile[K] | undefined };

/** A companion's profile as it is stored. */
export function profileOf({ profile }: Pick<ProviderRow, 'profile'>): CompanionProfile {
  const stored = profile as Partial<CompanionProfile>;
  return {
    gender: stored.gender ?? 'secret',
    city: stored.city ?? '',
    tags: stored.tags ?? [],
    trialMinutes: stored.trialMinutes ?? 0,
    hours: stored.hours ?? [],
  };
}

/** The parts of a profile that were sent, without contact data. Throws BAD_INPUT. */
function checkedProfile(ctx: Context, { gender, city, tags, trialMinutes, hours }: Change): Partial<CompanionProfile> {
  return {
    ...(gender !== undefined && { gender }),
    ...(city !== undefined && { city: publishable(ctx.blockedWords, '城市', city, 'city') }),
    ...(tags !== undefined && { tags: tags.map((tag) => publishable(ctx.blockedWords, '标签', tag, 'tags')) }),
    ...(trialMinutes !== undefined && { trialMinutes }),
    ...(hours !== undefined && { hours }),
  };
}

/** Applies to be a companion. Throws REAL_NAME_REQUIRED, REAL_NAME_MINOR, PROVIDER_STATE, BAD_INPUT, PICTURE_BROKEN. */
export async function applyCompanion(
  call: UserCall,
  input: Parsed<typeof accompanyerApply>,
): Promise<HandlerResult<typeof accompanyerApply>> {
  const { gender, city, tags, trialMinutes, hours, ...form } = input;
  const profile = checkedProfile(call.ctx, { gender, city, tags, trialMinutes, hours });
  return await loadApplied(call, await applyProvider(call, 'companion', form, profile));
}

/** The caller's record as a companion, with the packages. */
export async function companionInfo(call: UserCall): Promise<HandlerResult<typeof getAccompanyerInfo>> {
  const own = await ownRecord(call, COMPANION_PLAY);
  const accompanyer = own.row
    ? { ...own.record, ...profileOf(own.row), voice: voiceOf(own.row.voice), noShows: own.row.noShowCount }
    : null;
  return { accompanyer, serviceGames: own.serviceGames };
}

/** Changes the caller's record and packages in one call. Throws like changeRole. */
export async function changeCompanion(
  call: UserCall,
  input: Parsed<typeof updateAccompanyer>,
): Promise<HandlerResult<typeof updateAccompanyer>> {
  const { gender, city, tags, trialMinutes, hours, packages, ...form } = input;
  const profile = checkedProfile(call.ctx, { gender, city, tags, trialMinutes, hours });
  return await changeRole(call, COMPANION_PLAY, { form, profile, packages });
}
