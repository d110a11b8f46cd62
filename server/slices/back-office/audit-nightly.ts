import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { type AuditBreak, type AuditFinding, verifyAudit } from '#server/audit-chain.ts';
import { appendHead, readHeads } from '#server/audit-heads.ts';
import { schedule } from '#server/jobs/door.ts';

/** The timer under which the chain of the audit is verified each night. */
export const AUDIT_NIGHTLY = 'audit.nightly';

/** While a run is under way the timer waits so long: a killed run begins anew then. */
const RUN_SECONDS = 45 * 60;

const TODAY = sql`(now() at time zone 'Asia/Shanghai')::date`;
/** 03:40 by China's clock, the next one. */
const NEXT = sql<Date>`((date_trunc('day', (now() - interval '3 hours 40 minutes') at time zone 'Asia/Shanghai') + interval '1 day 3 hours 40 minutes')
  at time zone 'Asia/Shanghai')`;

/** Sets the first run, where there is none yet. */
export async function planAudit(ctx: Context): Promise<void> {
  await schedule(ctx.db, AUDIT_NIGHTLY, '', NEXT, 'keep');
}

/** Sets the timer: behind the run that begins, else to the next night. */
async function again(ctx: Context, isRunning: boolean): Promise<void> {
  const due = isRunning ? { seconds: RUN_SECONDS } : NEXT;
  await schedule(ctx.db, AUDIT_NIGHTLY, '', due);
}

/** The whole chain against the heads of the file. A file that cannot be read as heads is a break itself. */
export async function findAudit(ctx: Pick<Context, 'db' | 'config'>): Promise<AuditFinding> {
  const faults: AuditBreak[] = [];
  const heads = await readHeads(ctx.config.auditHeads).catch((error: unknown) => {
    const day = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
    faults.push({ seq: null, row: null, day, text: error instanceof Error ? error.message : String(error) });
    return [];
  });
  const found = await verifyAudit(ctx.db, heads);
  return { ...found, breaks: [...found.breaks, ...faults] };
}

/**
 * The timer's act: claims the day and lets the run go on beside the other timers. Resolves when the run has begun; `done` when it has
 * ended, undefined when the day was done already.
 */
export async function startAudit(ctx: Context): Promise<{ done: Promise<AuditFinding | undefined> }> {
  const { rows } = await sql<{ day: string }>`
    insert into audit_check as c (day) values (${TODAY})
    on conflict (day) do update set started_at = now()
      where c.ended_at is null and c.started_at < now() - make_interval(secs => ${RUN_SECONDS - 60})
    returning to_char(day, 'YYYY-MM-DD') as day`.execute(ctx.db);
  const day = rows[0]?.day;
  await again(ctx, day !== undefined);
  if (day === undefined) return { done: Promise.resolve(undefined) };
  const done = run(ctx, day).catch((error: unknown) => {
    ctx.log.error({ error: String(error) }, 'the audit could not be verified');
    return undefined;
  });
  return { done };
}

/** Verifies, lets the head leave the machine when the chain is whole, and tells of what is broken. */
async function run(ctx: Context, day: string): Promise<AuditFinding> {
  const found = await findAudit(ctx);
  const { seq, hash, heads, breaks } = found;
  // A head of a broken chain would bear witness for what is wrong.
  if (breaks.length === 0 && seq > 0) await appendHead(ctx.config.auditHeads, { day, seq, hash });
  await sql`update audit_check set ended_at = now(), seq = ${seq}, hash = ${Buffer.from(hash, 'hex')}, heads = ${heads},
      breaks = ${JSON.stringify(breaks)}::jsonb where day = ${day}::date`.execute(ctx.db);
  await again(ctx, false);
  if (breaks.length > 0) ctx.log.error({ breaks: breaks.slice(0, 10), count: breaks.length }, 'the audit is broken');
  await mailHead(ctx, day, found);
  return found;
}

/** The day's head, or what is broken, to whoever keeps it away from this machine. */
async function mailHead(ctx: Context, day: string, { seq, hash, heads, breaks }: AuditFinding): Promise<void> {
  const { auditMail, siteUrl } = ctx.config;
  if (auditMail === undefined) return;
  const [first] = breaks;
  const text = first
    ? [`站点 ${siteUrl}`, `操作记录校验不符，共 ${breaks.length} 处。`, ...breaks.map((b) => `${b.day} ${b.text}`)]
    : [
        `站点 ${siteUrl}`,
        `日期 ${day}`,
        `记录 ${seq} 条`,
        `链头 ${hash}`,
        `已与 ${heads} 份存证比对，全部相符。请保存本邮件。`,
      ];
  const subject = first ? `【告警】操作记录校验不符：${first.day} ${first.text}` : `操作记录链头 ${day} 第 ${seq} 条`;
  try {
    await ctx.mail.send({ to: auditMail, subject, text: text.join('\n'), code: '', ref: `audit-${day}` });
    await sql`update audit_check set mailed_at = now() where day = ${day}::date`.execute(ctx.db);
  } catch (error) {
    ctx.log.error({ error: String(error) }, 'the head of the audit could not be mailed');
  }
}
