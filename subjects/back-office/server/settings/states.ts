/** Settings and guarantee tiers under one form: where each is stored, and its state. */
import { sql } from 'kysely';
import { readSetting, type TypedSetting } from '#subjects/settings/rules/settings.ts';
import type { SettingSpec } from '#subjects/settings/rules/setting-groups.ts';
import { isTierKey, newTier, tierCode, tierSpec } from '#subjects/settings/rules/setting-tiers.ts';
import type { Trx } from '#server/db/client.ts';
import type { GuaranteeTier } from '#server/directory/directory.ts';
import { AppError } from '#server/kernel/errors.ts';
import { changeTier, revokeTier, tierVersions } from '#subjects/guarantees/server/service.ts';
import {
  changeSetting,
  revokeSetting,
  type SettingState,
  settingState,
  type SettingVersion,
} from '#subjects/settings/server/service.ts';

/** The author of a version. */
export const store = (key: string) =>
  isTierKey(key) ? { change: changeTier, revoke: revokeTier } : { change: changeSetting, revoke: revokeSetting };

type TierValue = Omit<GuaranteeTier, 'id' | 'code' | 'version' | 'games'> & { games?: number[]; onOffer: boolean };

const nameOf = ({ value }: SettingVersion): string => {
  const { name, onOffer } = value as TierValue;
  return onOffer ? name : `${name}（已停售）`;
};

/** Every tier with its version in force and its planned version; a new tier may have a planned version only. */
export async function listTiers(db: Trx): Promise<SettingState[]> {
  const byKey = Map.groupBy(await tierVersions(db), ({ key }) => key);
  // A new tier pending approval exists only in the request.
  const { rows } = await sql<{ key: string }>`
    select substr(target, 9) as key from approval
    where act = 'setting.change' and target like 'setting:tier:%' and status = 'waiting' and expires_at > now()`.execute(
    db,
  );
  const fresh = rows
    .filter(({ key }) => !byKey.has(key))
    .map(({ key }) => ({ spec: tierSpec(key), current: blank(key), pending: undefined }));
  const known = [...byKey].flatMap(([key, versions]): SettingState[] => {
    const pending = versions.find((one) => one.pending);
    const current = versions.find(({ counts }) => counts) ?? pending;
    return current ? [{ spec: tierSpec(key, nameOf(current)), current, pending }] : [];
  });
  return [...known, ...fresh];
}

/** The initial state of a new tier: no version in force. */
const blank = (key: string): SettingVersion => ({
  key,
  version: 0,
  newest: 0,
  value: newTier,
  validFrom: new Date(),
  createdAt: new Date(),
  reason: '',
  createdBy: null,
  approvedBy: null,
  revokedAt: null,
  revokedBy: null,
  counts: false,
  pending: false,
});

/** The state of a key; a tier that does not exist yet is a blank form. Throws NOT_FOUND for an unknown setting. */
export async function loadState(db: Trx, key: string): Promise<SettingState> {
  if (!isTierKey(key)) return await settingState(db, key);
  const found = (await listTiers(db)).find(({ spec }) => spec.key === key);
  return found ?? { spec: tierSpec(key), current: blank(key), pending: undefined };
}

/** The fixed kind of a tier; undefined for a new one. */
export const kindOf = ({ version, value }: SettingVersion): unknown =>
  version === 0 ? undefined : (value as TierValue).kind;

/** Converts a form to the terms of a tier. Throws BAD_INPUT with the field. */
export function tierValue(spec: SettingSpec, current: SettingVersion, typed: TypedSetting): unknown {
  const read = readSetting(spec, { current: current.value, typed, other: () => kindOf(current) });
  if ('value' in read) return read.value;
  const [problem] = read.problems;
  throw new AppError('BAD_INPUT', { ...(problem && { text: problem.text, field: `values.${problem.path}` }) });
}

const DRAFT_ID = -1;

/** The available tiers after one is changed to these terms. */
export function tiersWith(tiers: readonly GuaranteeTier[], key: string, value: unknown): GuaranteeTier[] {
  const code = tierCode(key);
  const { onOffer, games, ...terms } = value as TierValue;
  const others = tiers.filter((tier) => tier.code !== code);
  return onOffer ? [...others, { ...terms, id: DRAFT_ID, code, version: 0, games: games ?? null }] : others;
}
