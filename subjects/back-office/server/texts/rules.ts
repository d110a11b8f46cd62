/** Public rules and agreements in the back office: drafts, publication, withdrawal. */
import type * as c from '#subjects/content/contract/staff-rules.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { articleText, blocksOf, type StoredBlock } from '#subjects/content/rules/article.ts';
import {
  type AgreementCode,
  agreements,
  RULE_AHEAD_DAYS,
  RULE_BODY_MAX,
  rulesOfTheProgram,
  type TextState,
} from '#subjects/content/rules/public-texts.ts';
import { staffCan } from '../../rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { audit } from '#server/audit.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  addLegalVersion,
  dropRuleDraft,
  legalVersions,
  revokeLegalVersion,
  type RuleDraft,
  ruleDrafts,
  saveRuleDraft,
} from '#subjects/content/server/service.ts';
import { addRuleVersion, revokeRuleVersion, ruleVersions } from '#subjects/disputes/server/service.ts';

interface Version {
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
function partsOf(key: string): { isRule: boolean; code: string } {
  const [kind, code = ''] = key.split(':');
  return { isRule: kind === 'rule', code };
}

/** The versions of the rules or of the agreements by code, oldest first. */
async function versionsBy(db: Trx, isRule: boolean, code?: string): Promise<Map<string, Version[]>> {
  const out = new Map<string, Version[]>();
  const add = (of: string, version: Version) => out.set(of, [...(out.get(of) ?? []), version]);
  if (isRule)
    for (const { no, from, cited, ...rule } of await ruleVersions(db, code))
      add(no, { ...rule, fromTime: from, needsConsent: false, uses: cited });
  else
    for (const { code: of, from, blocks, agreed, ...text } of await legalVersions(db, code))
      add(of, { ...text, body: articleText(blocks), fromTime: from, retired: false, uses: agreed });
  return out;
}

/** The version in force at a time. */
const currentOf = (versions: readonly Version[], now: number): Version | undefined =>
  versions.findLast(({ revokedAt, fromTime }) => revokedAt === null && fromTime.getTime() <= now);

const plannedOf = (versions: readonly Version[], now: number): Version | undefined =>
  versions.findLast(({ revokedAt, fromTime }) => revokedAt === null && fromTime.getTime() > now);

function entryOf(key: string, name: string, versions: readonly Version[], draft: RuleDraft | undefined) {
  const now = Date.now();
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

/** All rules and agreements, each with its version in force, its planned version and its draft. Throws FORBIDDEN. */
export async function listRules({ ctx, staff }: StaffCall): Promise<HandlerResult<typeof c.ruleTexts>> {
  requirePlatform(staff, 'text.read');
  const [rules, texts, drafts] = await Promise.all([
    versionsBy(ctx.db, true),
    versionsBy(ctx.db, false),
    ruleDrafts(ctx.db),
  ]);
  const draftOf = (key: string) => drafts.find((draft) => draft.key === key);
  const fresh = drafts.map(({ key }) => partsOf(key)).filter(({ isRule, code }) => isRule && !rules.has(code));
  const numbers = [...rules.keys(), ...fresh.map(({ code }) => code)];
  return {
    rules: numbers.map((no) => {
      const versions = rules.get(no) ?? [];
      const name = (currentOf(versions, Date.now()) ?? versions.at(-1) ?? draftOf(`rule:${no}`))?.title ?? no;
      return entryOf(`rule:${no}`, name, versions, draftOf(`rule:${no}`));
    }),
    agreements: (Object.keys(agreements) as AgreementCode[]).map((code) =>
      entryOf(`legal:${code}`, agreements[code].name, texts.get(code) ?? [], draftOf(`legal:${code}`)),
    ),
    canEdit: staffCan(staff, 'text.write'),
  };
}

/** The versions of a rule or an agreement, newest first. Throws FORBIDDEN. */
export async function ruleHistory(
  { ctx, staff }: StaffCall,
  { key }: Parsed<typeof c.ruleTextHistory>,
): Promise<HandlerResult<typeof c.ruleTextHistory>> {
  requirePlatform(staff, 'text.read');
  const { isRule, code } = partsOf(key);
  const versions = (await versionsBy(ctx.db, isRule, code)).get(code) ?? [];
  const now = Date.now();
  const current = currentOf(versions, now);
  const stateOf = (one: Version): TextState => {
    if (one.revokedAt) return 'revoked';
    if (one === current) return 'counts';
    return one.fromTime.getTime() > now ? 'planned' : 'past';
  };
  return { list: versions.map((one) => ({ ...one, state: stateOf(one) })).toReversed() };
}

/** The text of an agreement as blocks. Throws BAD_INPUT with the field. */
function blocksFrom(body: string): StoredBlock[] {
  const blocks = blocksOf(body);
  if (typeof blocks === 'string') throw new AppError('BAD_INPUT', { text: blocks, field: 'body' });
  return blocks;
}

/** Throws BAD_INPUT with the field for a text that a rule or an agreement cannot have. */
function requireText({ key, body }: { key: string; body: string }): void {
  const { isRule, code } = partsOf(key);
  if (!isRule && !(code in agreements)) throw new AppError('NOT_FOUND');
  if (!isRule) blocksFrom(body);
  else if (body.length > RULE_BODY_MAX)
    throw new AppError('BAD_INPUT', {
      text: `一条规则最多 ${RULE_BODY_MAX} 个字，现在 ${body.length} 个`,
      field: 'body',
    });
}

/** Saves a draft. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT with the field, TEXT_CHANGED. */
export async function saveDraft(
  { ctx, staff, ip }: StaffCall,
  { key, draftVersion, title, body }: Parsed<typeof c.saveRuleDraft>,
): Promise<HandlerResult<typeof c.saveRuleDraft>> {
  requirePlatform(staff, 'text.write');
  requireText({ key, body });
  return await inTransaction(ctx.db, async (trx) => {
    const version = await saveRuleDraft(trx, { key, version: draftVersion, title, body, staffId: staff.id });
    await audit(trx, staff, 'text.draft', targetOf(key), { title, version }, ip);
    return { draftVersion: version };
  });
}

const targetOf = (key: string) =>
  partsOf(key).isRule ? (`rules:${partsOf(key).code}` as const) : (`legal:${partsOf(key).code}` as const);

/** Discards a draft. Throws FORBIDDEN, TEXT_CHANGED. */
export async function dropDraft(
  { ctx, staff, ip }: StaffCall,
  { key, draftVersion }: Parsed<typeof c.dropRuleDraft>,
): Promise<Record<string, never>> {
  requirePlatform(staff, 'text.write');
  if (draftVersion === 0) throw new AppError('TEXT_CHANGED');
  await inTransaction(ctx.db, async (trx) => {
    await dropRuleDraft(trx, { key, version: draftVersion });
    await audit(trx, staff, 'text.dropDraft', targetOf(key), { version: draftVersion }, ip);
  });
  return {};
}

const DAY_MS = 86_400_000;

function requireBeginning(from: Date | null): void {
  const ahead = from === null ? 1 : from.getTime() - Date.now();
  if (ahead <= 0) throw new AppError('BAD_INPUT', { text: '生效时间须晚于现在；留空则立即生效', field: 'from' });
  if (ahead > RULE_AHEAD_DAYS * DAY_MS)
    throw new AppError('BAD_INPUT', { text: `生效时间最远 ${RULE_AHEAD_DAYS} 天`, field: 'from' });
}

type Publication = Parsed<typeof c.publishRule>;

/** Throws BAD_INPUT for a publication without changes, or for retiring a text that cannot be retired. */
function requireChange(versions: readonly Version[], { key, title, body, retired, needsConsent }: Publication): void {
  const { isRule, code } = partsOf(key);
  const current = currentOf(versions, Date.now());
  if (retired && (!isRule || !current || current.retired))
    throw new AppError('BAD_INPUT', { text: '只有生效中的规则可以停用', field: 'retired' });
  if (retired && rulesOfTheProgram.includes(code))
    throw new AppError('BAD_INPUT', { text: '系统按这条规则处理款项或等级，不能停用，只能修改文字', field: 'retired' });
  const isSame = current?.title === title && current.body === body && current.retired === retired;
  if (isSame && !needsConsent)
    throw new AppError('BAD_INPUT', { text: '与生效中的版本相同，没有需要发布的修改', field: 'body' });
}

/**
 * Publishes a version, immediately or from a time on, and deletes the draft that the caller saw. A number never changes
 * its meaning: a rule on another matter gets a new number. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT with the field,
 * TEXT_CHANGED, TEXT_PENDING.
 */
export async function publish(
  { ctx, staff, ip }: StaffCall,
  input: Publication,
): Promise<HandlerResult<typeof c.publishRule>> {
  requirePlatform(staff, 'text.write');
  requireText(input);
  const { key, version, title, body, from, retired, needsConsent, reason } = input;
  requireBeginning(from);
  const { isRule, code } = partsOf(key);
  return await inTransaction(ctx.db, async (trx) => {
    requireChange((await versionsBy(trx, isRule, code)).get(code) ?? [], input);
    const common = { version, title, from, reason, staffId: staff.id };
    const added = isRule
      ? await addRuleVersion(trx, { ...common, no: code, body, retired })
      : await addLegalVersion(trx, { ...common, code, blocks: blocksFrom(body), needsConsent });
    await dropRuleDraft(trx, { key, version: input.draftVersion });
    const detail = { version: added, title, from: from?.toISOString() ?? 'now', retired, needsConsent, reason };
    await audit(trx, staff, isRule ? 'text.rule' : 'text.legal', targetOf(key), detail, ip);
    return { version: added, state: from === null ? ('counts' as const) : ('planned' as const) };
  });
}

/** Withdraws a planned version. Throws FORBIDDEN, TEXT_CHANGED when it is already in force. */
export async function revoke(
  { ctx, staff, ip }: StaffCall,
  { key, version, reason }: Parsed<typeof c.revokeRule>,
): Promise<Record<string, never>> {
  requirePlatform(staff, 'text.write');
  const { isRule, code } = partsOf(key);
  await inTransaction(ctx.db, async (trx) => {
    if (isRule) await revokeRuleVersion(trx, { no: code, version, staffId: staff.id });
    else await revokeLegalVersion(trx, { code, version, staffId: staff.id });
    await audit(trx, staff, 'text.revoke', targetOf(key), { version, reason }, ip);
  });
  return {};
}
