import { sql } from 'kysely';
import type { auditChain, auditList, verifyChain } from '#subjects/back-office/contract/audit.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { type AuditAction, auditActions, auditTargets } from '../../rules/audit.ts';
import { yuanLabel } from '#contract/wire.ts';
import { audit } from '#server/audit/audit.ts';
import type { AuditBreak } from '#server/audit/audit-chain.ts';
import type { StaffCall, StaffRead } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { findAudit } from './audit-nightly.ts';
import { loadNames } from '#server/staff/names.ts';
import { type Batch, during, pageBy, loadTotals } from '#server/staff/list-kit.ts';

const MAX_NIGHTS = 7;

interface CheckRow {
  day: string;
  started_at: Date;
  ended_at: Date | null;
  seq: number | null;
  head: string | null;
  heads: number | null;
  breaks: AuditBreak[] | null;
  mailed: boolean;
}

/** The state of the audit chain, and the result of each night, newest first. Throws FORBIDDEN. */
export async function loadChain({ ctx, staff }: StaffCall): Promise<HandlerResult<typeof auditChain>> {
  requirePlatform(staff, 'audit.read');
  const head = await sql<{
    seq: number;
    head: string;
  }>`select seq, encode(hash, 'hex') as head from audit_head`.execute(ctx.db);
  const checks = await sql<CheckRow>`
    select to_char(day, 'YYYY-MM-DD') as day, started_at, ended_at, seq, encode(hash, 'hex') as head, heads, breaks, mailed_at is not null as mailed
    from audit_check order by day desc limit ${MAX_NIGHTS}`.execute(ctx.db);
  return {
    seq: head.rows[0]?.seq ?? 0,
    head: head.rows[0]?.head ?? '',
    mail: ctx.config.auditMail === undefined || !ctx.mail ? 'none' : ctx.mail.name === 'local' ? 'local' : 'sent',
    nights: checks.rows.map((c) => ({
      day: c.day,
      startTime: c.started_at,
      endTime: c.ended_at,
      seq: c.seq,
      head: c.head,
      heads: c.heads,
      breaks: c.breaks ?? [],
      mailed: c.mailed,
    })),
  };
}

/** Verifies the whole chain against the stored heads on demand, with an audit entry. Throws FORBIDDEN. */
export async function verifyNow({ ctx, staff, ip }: StaffCall): Promise<HandlerResult<typeof verifyChain>> {
  requirePlatform(staff, 'audit.read');
  const began = performance.now();
  const { seq, hash, heads, breaks } = await findAudit(ctx);
  const tookMs = Math.round(performance.now() - began);
  if (breaks.length > 0) ctx.log.error({ breaks: breaks.slice(0, 10), count: breaks.length }, 'the audit is broken');
  await audit(ctx.db, staff, 'audit.verify', 'audit', { rows: seq, breaches: breaks.length }, ip);
  return { seq, head: hash, heads, breaks, tookMs, time: new Date() };
}

/** The target of an action as text: 'order:26…' becomes 订单 26…, 'staff:107' 员工 陈晓 107. */
function targetText(target: string, names: ReadonlyMap<string, string>): string {
  const [kind = '', ...rest] = target.split(':');
  return [auditTargets[kind as keyof typeof auditTargets] ?? kind, names.get(target) ?? '', rest.join(':')]
    .filter((text) => text !== '')
    .join(' ');
}

/** Labels of the fields of `detail`, in display order; other fields are left out. */
const detailNames: readonly (readonly [key: string, name: string])[] = [
  ['login', '登录名'],
  ['name', '名称'],
  ['role', '角色'],
  ['permissions', '权限'],
  ['before', '原来'],
  ['sessions', '退出'],
  ['userId', '用户'],
  ['sellerId', '卖家'],
  ['byPhone', '按手机号'],
  ['file', '文件'],
  ['rows', '行数'],
  ['step', '步骤'],
  ['amountFen', '金额'],
  ['breaches', '不符项'],
  ['lines', '行数'],
  ['differences', '差异'],
  ['version', '版本'],
  ['host', '域名'],
  ['fields', '改动'],
  ['note', '说明'],
  ['reason', '原因'],
];

/** Fields of `detail` that are numbers of users. */
const USER_FIELDS = ['userId', 'sellerId'] as const;

/** The users named in an entry in addition to its target, as keys of `namesOf`. */
const usersIn = (detail: Record<string, unknown>): string[] =>
  USER_FIELDS.flatMap((field) => {
    const id = detail[field];
    return typeof id === 'number' || typeof id === 'string' ? [`user:${id}`] : [];
  });

/** The details as text: '卖家 小林严选 10002，原因 截图不清'. */
function detailText(detail: Record<string, unknown>, names: ReadonlyMap<string, string>): string {
  return detailNames
    .flatMap(([key, name]) => {
      const value = detail[key];
      const person = USER_FIELDS.some((field) => field === key) ? names.get(`user:${String(value)}`) : undefined;
      if (person !== undefined) return [`${name} ${person} ${String(value)}`];
      if (key === 'amountFen' && typeof value === 'number') return [`${name} ${yuanLabel(value)} 元`];
      if (value === true) return [name];
      return typeof value === 'string' || typeof value === 'number' ? [`${name} ${value}`] : [];
    })
    .join('，');
}

const SORTS = { time: { by: sql`a.created_at`, kind: 'time' } } as const;

interface AuditRow {
  id: number;
  sort_key: string;
  staff_name: string | null;
  act: string;
  target: string;
  detail: Record<string, unknown>;
  ip: string | null;
  created_at: Date;
}

/** Audit entries, newest first. Throws FORBIDDEN. */
export async function listAudit(
  call: StaffRead,
  input: Parsed<typeof auditList>,
  batch?: Batch,
): Promise<HandlerResult<typeof auditList>> {
  requirePlatform(call.staff, 'audit.read');
  const { db } = call.ctx;
  const page = pageBy(input, SORTS, sql`a.id`, batch);
  const parts = [sql`true`];
  if (input.staffId !== undefined) parts.push(sql`a.staff_id = any(${input.staffId}::bigint[])`);
  if (input.group !== undefined) parts.push(sql`split_part(a.act, '.', 1) = any(${input.group}::text[])`);
  if (input.time !== undefined) parts.push(during(sql`a.created_at`, input.time));
  if (input.newerThan !== undefined) parts.push(sql`a.created_at > ${input.newerThan}`);
  if (input.keyWord !== undefined) parts.push(sql`position(${input.keyWord} in a.target) > 0`);
  const filter = sql.join(parts, sql` and `);
  const { rows } = await sql<AuditRow>`
    select a.id, ${page.key} as sort_key, s.name as staff_name, a.act, a.target, a.detail, a.ip, a.created_at
    from audit_log a left join staff s on s.id = a.staff_id where ${filter} ${page.behind} ${page.tail}`.execute(db);
  const people = await sql<{ id: number; name: string }>`select id, name from staff order by id limit 500`.execute(db);
  const result = page.cut(rows);
  const names = await loadNames(
    db,
    result.rows.flatMap(({ target, detail }) => [target, ...usersIn(detail)]),
  );
  return {
    list: result.rows.map((a) => ({
      id: a.id,
      staffName: a.staff_name,
      act: a.act,
      actName: auditActions[a.act as AuditAction] ?? a.act,
      target: targetText(a.target, names),
      detail: detailText(a.detail, names),
      ip: a.ip,
      time: a.created_at,
    })),
    people: people.rows.map(({ id, name }) => ({ staffId: id, name })),
    ...(await loadTotals(db, sql`audit_log a where ${filter}`, { batch })),
    next: result.next,
    now: new Date(),
  };
}
