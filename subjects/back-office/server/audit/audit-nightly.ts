import { chinaDay } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { type AuditBreak, type AuditFinding, verifyAudit } from '#server/audit/audit-chain.ts';
import { appendHead, readHeads } from '#server/audit/audit-heads.ts';
import { schedule } from '#server/jobs/effect-writer.ts';

/** The timer that verifies the chain of the audit log each night. */
export const AUDIT_NIGHTLY = 'audit.nightly';

/** The timer is moved this far ahead during a run, so that a killed run starts again. */
const RUN_SECONDS = 45 * 60;

const TODAY = sql`(now() at time zone 'Asia/Shanghai')::date`;
/** The next 03:40 in China's time zone. */
const NEXT = sql<Date>`((date_trunc('day', (now() - interval '3 hours 40 minutes') at time zone 'Asia/Shanghai') + interval '1 day 3 hours 40 minutes')
  at time zone 'Asia/Shanghai')`;

/** Schedules the first run, if none is scheduled. */
export async function planAudit(ctx: Context): Promise<void> {
  await schedule(ctx.db, AUDIT_NIGHTLY, '', NEXT, 'keep');
}

/** Sets the timer: RUN_SECONDS ahead during a run, else to the next night. */
async function again(ctx: Context, isRunning: boolean): Promise<void> {
  const due = isRunning ? { seconds: RUN_SECONDS } : NEXT;
  await schedule(ctx.db, AUDIT_NIGHTLY, '', due);
}

/** Verifies the whole chain against the stored heads. An invalid file of heads counts as a break. */
export async function findAudit(ctx: Pick<Context, 'db' | 'config'>): Promise<AuditFinding> {
  const faults: AuditBreak[] = [];
  const heads = await readHeads(ctx.config.auditHeads).catch((error: unknown) => {
    const day = chinaDay(new Date());
    faults.push({ seq: null, row: null, day, text: error instanceof Error ? error.message : String(error) });
    return [];
  });
  const found = await verifyAudit(ctx.db, heads);
  return { ...found, breaks: [...found.breaks, ...faults] };
}

/**
 * Runs on the timer: claims the day and starts the run without blocking other timers. Resolves when the run has
 * started; `done` resolves when it has ended, with undefined when the day was already verified.
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

/** Verifies the chain; exports the head when it is intact, and reports breaks. */
async function run(ctx: Context, day: string): Promise<AuditFinding> {
  const found = await findAudit(ctx);
  const { seq, hash, heads, breaks } = found;
  // Exporting the head of a broken chain would confirm wrong data.
  if (breaks.length === 0 && seq > 0) await appendHead(ctx.config.auditHeads, { day, seq, hash });
  await sql`update audit_check set ended_at = now(), seq = ${seq}, hash = ${Buffer.from(hash, 'hex')}, heads = ${heads},
      breaks = ${JSON.stringify(breaks)}::jsonb where day = ${day}::date`.execute(ctx.db);
  await again(ctx, false);
  if (breaks.length > 0) ctx.log.error({ breaks: breaks.slice(0, 10), count: breaks.length }, 'the audit is broken');
  await mailHead(ctx, day, found);
  return found;
}

/** Mails the day's head, or the breaks, to the archive address outside this machine. */
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
    if (!ctx.mail) throw new Error('mail is switched off');
    await ctx.mail.send({ to: auditMail, subject, text: text.join('\n'), code: '', ref: `audit-${day}` });
    await sql`update audit_check set mailed_at = now() where day = ${day}::date`.execute(ctx.db);
  } catch (error) {
    ctx.log.error({ error: String(error) }, 'the head of the audit could not be mailed');
  }
}
