/** Defines a version of a public rule or an agreement, and the publications that are rejected. */
import type * as c from '#subjects/content/contract/staff-rules.ts';
import type { Parsed } from '#contract/endpoint.ts';
import { blocksOf, type StoredBlock } from '#subjects/content/rules/article.ts';
import {
  agreements,
  RULE_AHEAD_DAYS,
  RULE_BODY_MAX,
  rulesOfTheProgram,
  type TextState,
} from '#subjects/content/rules/public-texts.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { RuleDraft } from '../legal.ts';

export interface Version {
  version: number;
  title: string;
  body: string;
  fromTime: Date;
  createdBy: string | null;
  reason: string;
  retired: boolean;
  needsConsent: boolean;
  revokedAt: Date | null;
  revokedBy: string | null;
  uses: number;
}

/** Splits a key into its parts. */
export function partsOf(key: string): { isRule: boolean; code: string } {
  const [kind, code = ''] = key.split(':');
  return { isRule: kind === 'rule', code };
}

/** The version in force at a time. */
export const currentOf = (versions: readonly Version[], now: number): Version | undefined =>
  versions.findLast(({ revokedAt, fromTime }) => revokedAt === null && fromTime.getTime() <= now);

/** The version that comes into force next. */
const plannedOf = (versions: readonly Version[], now: number): Version | undefined =>
  versions.findLast(({ revokedAt, fromTime }) => revokedAt === null && fromTime.getTime() > now);

/** A text in the list, with its version in force, its planned version and its draft. */
export function entryOf(
  key: string,
  name: string,
  versions: readonly Version[],
  draft: RuleDraft | undefined,
  now: number,
) {
  const current = currentOf(versions, now);
  return {
    key,
    code: partsOf(key).code,
    name,
    version: versions.at(-1)?.version ?? 0,
    current: current ?? null,
    planned: plannedOf(versions, now) ?? null,
    draft: draft
      ? { draftVersion: draft.version, title: draft.title, body: draft.body, author: draft.author, saveTime: draft.at }
      : null,
    uses: current?.uses ?? 0,
  };
}

/** The states of a text's versions at a time, oldest first: one at most is in force. */
export function statesOf(versions: readonly Version[], now: number): TextState[] {
  const current = currentOf(versions, now);
  return versions.map((one) => {
    if (one.revokedAt) return 'revoked';
    if (one === current) return 'counts';
    return one.fromTime.getTime() > now ? 'planned' : 'past';
  });
}

/** The text of an agreement as blocks. Throws BAD_INPUT with the field. */
export function blocksFrom(body: string): StoredBlock[] {
  const blocks = blocksOf(body);
  if (typeof blocks === 'string') throw new AppError('BAD_INPUT', { text: blocks, field: 'body' });
  return blocks;
}

/** Throws BAD_INPUT with the field for a text that a rule or an agreement cannot have. */
export function requireText({ key, body }: { key: string; body: string }): void {
  const { isRule, code } = partsOf(key);
  if (!isRule && !Object.hasOwn(agreements, code)) throw new AppError('NOT_FOUND');
  if (!isRule) blocksFrom(body);
  else if (body.length > RULE_BODY_MAX)
    throw new AppError('BAD_INPUT', {
      text: `一条规则最多 ${RULE_BODY_MAX} 个字，现在 ${body.length} 个`,
      field: 'body',
    });
}

/** A text's target in the audit log. */
export const targetOf = (key: string) =>
  partsOf(key).isRule ? (`rules:${partsOf(key).code}` as const) : (`legal:${partsOf(key).code}` as const);

const DAY_MS = 86_400_000;

/** Throws BAD_INPUT for a beginning that has passed or is too far ahead; null begins immediately. */
export function requireBeginning(from: Date | null, now: number): void {
  const ahead = from === null ? 1 : from.getTime() - now;
  if (ahead <= 0) throw new AppError('BAD_INPUT', { text: '生效时间须晚于现在；留空则立即生效', field: 'from' });
  if (ahead > RULE_AHEAD_DAYS * DAY_MS)
    throw new AppError('BAD_INPUT', { text: `生效时间最远 ${RULE_AHEAD_DAYS} 天`, field: 'from' });
}

export type Publication = Parsed<typeof c.publishRule>;

/** Throws BAD_INPUT for a publication without changes, or for retiring a text that cannot be retired. */
export function requireChange(
  versions: readonly Version[],
  { key, title, body, retired, needsConsent }: Publication,
  now: number,
): void {
  const { isRule, code } = partsOf(key);
  const current = currentOf(versions, now);
  if (retired && (!isRule || !current || current.retired))
    throw new AppError('BAD_INPUT', { text: '只有生效中的规则可以停用', field: 'retired' });
  if (retired && rulesOfTheProgram.includes(code))
    throw new AppError('BAD_INPUT', { text: '系统按这条规则处理款项或等级，不能停用，只能修改文字', field: 'retired' });
  const isSame = current?.title === title && current.body === body && current.retired === retired;
  if (isSame && !needsConsent)
    throw new AppError('BAD_INPUT', { text: '与生效中的版本相同，没有需要发布的修改', field: 'body' });
}
