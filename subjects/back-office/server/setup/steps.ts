import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { sql } from 'kysely';
import {
  type setupGames,
  type setupGoOn,
  type setupHost,
  type setupInfo,
  type setupName,
  setupSteps,
  type SetupStep,
} from '#subjects/back-office/contract/setup.ts';
import type { DistConf } from '#subjects/distributors/contract/dist.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { StaffStatus, GameStatus } from '#contract/rules/statuses.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform, staffHolds } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { addHost, updateBrand } from '#subjects/distributors/server/service.ts';
import { importGames, listShippedGames } from '#subjects/games/server/service.ts';
import { isLocalHost } from '#subjects/back-office/rules/local-host.ts';
import { trialKeyOf, trialResults } from '../system/vendors.ts';
import { checkList, nextStep, type SetupDetails } from './rules.ts';

const REASON = '首次设置';

interface State {
  done: Partial<Record<SetupStep, string>>;
  finished: Date | null;
}

async function loadState(db: Trx): Promise<State> {
  const { rows } = await sql<State>`select done, finished_at as finished from setup_state`.execute(db);
  return rows[0] ?? { done: {}, finished: new Date() };
}

/** Requires that the caller may set up the market and that the setup has not ended. Throws FORBIDDEN, NOT_FOUND. */
async function requireOpen({ ctx, staff }: StaffCall): Promise<State> {
  requirePlatform(staff, 'setup.run');
  const state = await loadState(ctx.db);
  if (ctx.config.demo || state.finished !== null) throw errorOf('NOT_FOUND', 'setup');
  return state;
}

async function markDone(trx: Trx, step: SetupStep): Promise<void> {
  await sql`update setup_state set done = done || jsonb_build_object(${step}::text, now()) where finished_at is null`.execute(
    trx,
  );
}

const READY = sql`s.status = ${StaffStatus.Active} and s.dist_id is null`;

type Counts = Pick<
  SetupDetails,
  'admins' | 'service' | 'reviewers' | 'finance' | 'games' | 'backups' | 'completedOrders' | 'hasOwnTexts'
>;
const NOTHING: Counts = {
  admins: 0,
  service: 0,
  reviewers: 0,
  finance: 0,
  games: 0,
  backups: 0,
  completedOrders: 0,
  hasOwnTexts: false,
};

async function loadDetails({ ctx }: StaffCall, done: readonly SetupStep[]): Promise<SetupDetails> {
  const { rows } = await sql<Counts>`
    select count(*) filter (where s.role = 'admin')::int as admins, count(*) filter (where ${staffHolds(sql`s`, 'chat.serve')}
        and not ${staffHolds(sql`s`, 'chat.supervise')})::int as service,
      count(*) filter (where ${staffHolds(sql`s`, 'goods.review')} and s.role <> 'admin')::int as reviewers,
      count(*) filter (where ${staffHolds(sql`s`, 'withdrawal.decide')})::int as finance,
      (select count(*)::int from game where status = ${sql.lit(GameStatus.Open)}) as games,
      (select count(*)::int from backup_run) as backups,
      (select count(*)::int from orders where status = ${OrderStatus.Completed}) as "completedOrders",
      exists (select from audit_log where act in ('text.rule', 'text.legal')) as "hasOwnTexts"
    from staff s where ${READY}`.execute(ctx.db);
  const trials = await trialResults(ctx);
  const hosts = await sql<{ host: string }>`select host from dist_host where dist_id = ${PLATFORM_DIST_ID}`.execute(
    ctx.db,
  );
  return {
    ...(rows[0] ?? NOTHING),
    isNamed: done.includes('name'),
    publicHosts: hosts.rows.filter(({ host }) => !isLocalHost(host)).length,
    vendors: ctx.vendors.list(),
    trialOf: (key) => trials.get(trialKeyOf(key) ?? ''),
    isTrial: ctx.config.trial,
    mailsAudit: ctx.config.auditMail !== undefined,
    hasMetrics: ctx.config.metricsToken !== undefined,
  };
}

/** The progress of the first start. Throws FORBIDDEN, NOT_FOUND when it has ended. */
export async function loadInfo(call: StaffCall): Promise<HandlerResult<typeof setupInfo>> {
  const { ctx } = call;
  const state = await requireOpen(call);
  const done = setupSteps.filter((step) => state.done[step] !== undefined);
  const { distBaseConf, customerBlock, bottomVerInfo } = ctx.dir.platform().conf;
  const [hosts, loaded] = await Promise.all([
    sql<{ host: string; isPrimary: boolean }>`
      select host, is_primary as "isPrimary" from dist_host where dist_id = ${PLATFORM_DIST_ID} order by is_primary desc, host`.execute(
      ctx.db,
    ),
    sql<{ code: string }>`select code from game`.execute(ctx.db),
  ]);
  const codes = new Set(loaded.rows.map(({ code }) => code));
  return {
    next: nextStep(done),
    done,
    isFinished: false,
    platform: {
      distId: PLATFORM_DIST_ID,
      name: distBaseConf.websiteName,
      desc: distBaseConf.websiteDesc,
      serviceNum: customerBlock.serviceNum,
      icpNum: bottomVerInfo.icpNum,
      // The default local host does not count as a site outside the demo.
      hosts: hosts.rows.filter(({ host: name }) => !isLocalHost(name)),
    },
    siteUrl: ctx.config.siteUrl,
    games: listShippedGames().map(({ code, name, areas, servers }) => ({
      code,
      name,
      areas,
      servers,
      isLoaded: codes.has(code),
    })),
    checks: checkList(await loadDetails(call, done)),
  };
}

/** Maps an error below `content` to the field of the short form. */
function besideField(error: unknown): never {
  if (error instanceof AppError && error.field?.startsWith('content.'))
    throw new AppError(error.error, { text: error.text, field: error.field.slice('content.'.length) });
  throw error;
}

/** Replaces the shipped name in the shipped texts; texts that staff have edited since stay unchanged. */
function renamed({ distBaseConf, bottomVerInfo }: DistConf, name: string) {
  const { websiteName: old, hdrBarWelceWord, watermark } = distBaseConf;
  if (old === name) return {};
  const welcome = hdrBarWelceWord.replace(`欢迎来到${old}`, `欢迎来到${name}`);
  return {
    ...(welcome !== hdrBarWelceWord && { welcome }),
    ...(watermark === old.slice(0, 16) && { watermark: name.slice(0, 16) }),
    ...(bottomVerInfo.copyright === old && { copyright: name }),
  };
}

/**
 * Sets the platform's name; effective immediately. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT with the field,
 * CONTENT_CHANGED.
 */
export async function nameIt(call: StaffCall, input: Parsed<typeof setupName>): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  await requireOpen(call);
  const { name, desc = '', serviceNum = '', icpNum = '' } = input;
  const content = { ...renamed(ctx.dir.platform().conf, name), name, desc, serviceNum, icpNum };
  await updateBrand(ctx, { id: staff.id, ip }, { distId: PLATFORM_DIST_ID, content, reason: REASON }).catch(
    besideField,
  );
  await markDone(ctx.db, 'name');
  return {};
}

/** Adds a host to the platform. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT with the field `host`. */
export async function host(call: StaffCall, input: Parsed<typeof setupHost>): Promise<{ host: string }> {
  const { ctx, staff, ip } = call;
  await requireOpen(call);
  return await addHost(ctx, { id: staff.id, ip }, { distId: PLATFORM_DIST_ID, host: input.host });
}

/** Loads games of the shipped catalogue, all or none. Loading again changes nothing. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT. */
export async function games(call: StaffCall, { codes }: Parsed<typeof setupGames>): Promise<{ loaded: number }> {
  const { ctx, staff, ip } = call;
  await requireOpen(call);
  const there = await sql<{ code: string }>`select code from game where code = any(${codes}::text[])`.execute(ctx.db);
  const missing = codes.filter((code) => !there.rows.some((row) => row.code === code));
  const report = await importGames(ctx, { shipped: missing }, { apply: true, staffId: staff.id, reason: REASON, ip });
  const [error] = report.errors;
  if (error) throw new AppError('BAD_INPUT', { text: error.text, field: 'codes' });
  await markDone(ctx.db, 'games');
  return { loaded: report.games.length };
}

/**
 * Completes or skips a step, or ends the first start; its page is then closed permanently. Throws FORBIDDEN,
 * NOT_FOUND when it has ended.
 */
export async function goOn(call: StaffCall, { step }: Parsed<typeof setupGoOn>): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  await requireOpen(call);
  await inTransaction(ctx.db, async (trx) => {
    if (step !== 'finish') return await markDone(trx, step);
    const { rows } =
      await sql`update setup_state set finished_at = now() where finished_at is null returning id`.execute(trx);
    if (rows.length > 0) await audit(trx, staff, 'setup.finish', 'setup', {}, ip);
  });
  return {};
}
