/** P11: the record of what staff did is a chain whose heads leave the machine; whatever is done to it is found and named by its day. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { auditChain, verifyChain } from '#subjects/back-office/contract/audit.ts';
import { staffCounters } from '#subjects/back-office/contract/overview.ts';
import { setUserStatus } from '#subjects/accounts/contract/staff-users.ts';
import { codes } from '#contract/codes.ts';
import { audit } from '#server/audit/audit.ts';
import { type AuditHead, verifyAudit } from '#server/audit/audit-chain.ts';
import { appendHead, readHeads } from '#server/audit/audit-heads.ts';
import { startAudit } from '#subjects/back-office/server/audit/audit-nightly.ts';
import { makeDue } from '#tests/support/time/clock.ts';
import { Tamperer } from '#tests/support/market/audit.ts';
import { type TestApp, type TestStaff, testApp } from '#tests/support/servers/build.ts';
import { asSuperuser, databaseOf } from '#tests/support/database/database.ts';

const TOKEN = 'the token of the figures';
const KEEPER = 'keeper@example.com';
const folder = mkdtempSync(join(tmpdir(), 'youshi-heads-'));
const file = join(folder, 'kept/heads.jsonl');

let t: TestApp;
let admin: TestStaff;
let hands: Tamperer;

beforeAll(async () => {
  t = await testApp({ env: { METRICS_TOKEN: TOKEN, AUDIT_HEADS: file, AUDIT_MAIL: KEEPER } });
  admin = await t.newStaff({ role: 'admin' });
  hands = await Tamperer.over(databaseOf(t.ctx));
});
afterAll(async () => {
  await hands.close();
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

const auditOne = async (n: number): Promise<void> =>
  await audit(t.ctx.db, admin, 'ledger.check', 'ledger', { breaches: n, note: '“引号” \\ \n 与换行' }, '127.0.0.1');
const find = async (heads: readonly AuditHead[] = []) => await verifyAudit(t.ctx.db, heads);
const sealedCount = async (): Promise<number> => (await find()).seq;

describe('writing', () => {
  test('each action is sealed in its own transaction, by every code path', async () => {
    const before = await sealedCount();
    await auditOne(1);
    await sql`insert into audit_log (act, target) values ('ledger.check', 'ledger'), ('ledger.check', 'ledger')`.execute(
      t.ctx.db,
    );
    await expect(
      t.ctx.db.transaction().execute(async (trx) => {
        await audit(trx, admin, 'ledger.check', 'ledger');
        throw new Error('given up');
      }),
    ).rejects.toThrow('given up');
    expect(await find()).toMatchObject({ seq: before + 3, breaks: [] });
  });

  test('concurrent actions form one chain without a gap, in the order of their commits', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, async () => await t.newStaff({ role: 'admin' })));
    const users = await Promise.all(Array.from({ length: 24 }, async () => await t.newUser()));
    const before = await sealedCount();
    const responses = await Promise.all(
      users.flatMap(({ id }, i) =>
        [0, 1].map(
          async (k) =>
            await people[(i + k) % people.length]?.client.call(setUserStatus, {
              userId: String(id),
              status: '2',
              reason: '同时处理',
            }),
        ),
      ),
    );
    // Acts that share nothing but the head of the chain: each of them succeeds.
    await Promise.all(Array.from({ length: 40 }, async (_, n) => await auditOne(n)));
    const done = responses.filter((response) => response?.code === 0).length;
    expect(done).toBeGreaterThanOrEqual(users.length);
    const { rows } = await sql<{ n: number; inOrder: boolean }>`
      select count(*)::int as n, bool_and(seq = rank and sealed_at >= coalesce(before, sealed_at)) as "inOrder"
      from (select seq, sealed_at, row_number() over (order by seq) as rank, lag(sealed_at) over (order by seq) as before from audit_seal) s`.execute(
      t.ctx.db,
    );
    const log = await sql<{ n: number }>`select count(*)::int as n from audit_log`.execute(t.ctx.db);
    expect(rows[0]).toEqual({ n: log.rows[0]?.n, inOrder: true });
    const found = await find();
    expect(found.breaks).toEqual([]);
    expect(found.seq - before).toBeGreaterThanOrEqual(users.length + 40);
  });

  test('an action whose process is killed leaves neither row nor seal', async () => {
    const before = await sealedCount();
    const holder = new pg.Client({ connectionString: t.ctx.config.databaseUrl });
    const killed = new pg.Client({ connectionString: t.ctx.config.databaseUrl });
    killed.on('error', () => undefined);
    await Promise.all([holder.connect(), killed.connect()]);
    try {
      // The first act holds the head of the chain up to its commit; the second has its row and waits for its seal.
      await holder.query('begin');
      await holder.query(`insert into audit_log (act, target) values ('ledger.check', 'ledger')`);
      await holder.query('set constraints all immediate');
      await killed.query('begin');
      await killed.query(`insert into audit_log (act, target) values ('user.freeze', 'user:1')`);
      const pid = (await killed.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
      const commit = killed.query('commit').then(
        () => 'committed',
        () => 'killed',
      );
      const isWaiting = async (): Promise<boolean> =>
        (
          await sql`select from pg_stat_activity where pid = ${pid} and cardinality(pg_blocking_pids(pid)) > 0`.execute(
            t.ctx.db,
          )
        ).rows.length > 0;
      await expect.poll(isWaiting).toBe(true);
      await asSuperuser(databaseOf(t.ctx), 'select pg_terminate_backend($1)', [pid]);
      expect(await commit).toBe('killed');
      expect(await find()).toMatchObject({ seq: before, breaks: [] });
      await holder.query('commit');
    } finally {
      await holder.end();
      await killed.end().catch(() => undefined);
    }
    await auditOne(2);
    expect(await find()).toMatchObject({ seq: before + 2, breaks: [] });
  });

  test('the server’s role can neither write a seal nor choose an action’s number and time', async () => {
    const client = new pg.Client({ connectionString: t.ctx.config.databaseUrl });
    await client.connect();
    try {
      for (const statement of [
        `insert into audit_seal (seq, audit_id, sealed_at, hash) select 999999, id, now(), '\\x00' from audit_log limit 1`,
        `update audit_seal set hash = '\\x00'`,
        'delete from audit_seal',
        'truncate audit_seal',
        'update audit_head set seq = 0',
        'insert into audit_head (seq, hash) values (0, $$\\x00$$)',
        'delete from audit_head',
        `insert into audit_log (act, target, created_at) values ('ledger.check', 'ledger', now() - interval '1 day')`,
        `insert into audit_log (id, act, target) overriding system value values (1, 'ledger.check', 'ledger')`,
        `update audit_log set detail = '{}'`,
        'delete from audit_log',
        'alter table audit_log disable trigger audit_log_sealed',
        'drop trigger audit_log_sealed on audit_log',
        'set session_replication_role = replica',
        `select setval('audit_log_id_seq', 1)`,
      ]) {
        const outcome = await client.query(statement).then(
          () => 'done',
          (error: { code?: string }) => error.code,
        );
        expect([statement, outcome]).toEqual([statement, '42501']);
      }
    } finally {
      await client.end();
    }
  });
});

describe('tampering', () => {
  const DAYS = ['2026-05-01', '2026-05-02', '2026-05-03'] as const;
  /** Heads of the first two days; the third has not left the machine yet. */
  let heads: AuditHead[];
  let rows: Map<number, number>;

  beforeAll(async () => {
    await hands.run(`truncate audit_log, audit_seal, audit_head restart identity`);
    await hands.run(`insert into audit_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'))`);
    for (let n = 1; n <= 9; n++) await auditOne(n);
    for (const [i, day] of DAYS.entries())
      await hands.run(
        `update audit_seal set sealed_at = '${day} 12:00+08'::timestamptz + seq * interval '1 minute' where (seq - 1) / 3 = ${i}`,
      );
    await hands.reseal(1);
    rows = await hands.rows();
    const { rows: at } = await sql<{ seq: number; hash: string }>`
      select seq, encode(hash, 'hex') as hash from audit_seal where seq in (3, 6) order by seq`.execute(t.ctx.db);
    heads = at.map((s, i) => ({ day: DAYS[i] ?? '', ...s }));
    expect(await find(heads)).toMatchObject({ seq: 9, heads: 2, breaks: [] });
    await hands.save();
  });
  afterEach(async () => {
    await hands.restore();
    expect((await find(heads)).breaks).toEqual([]);
  });

  const first = async (overrides: readonly AuditHead[]) => (await find(overrides)).breaks[0];

  test.each([
    ['what was done', `act = 'withdrawal.refuse'`],
    ['by whom', 'staff_id = 999'],
    ['to what', `target = 'user:2'`],
    ['the detail', `detail = detail || '{"amountFen": 1}'`],
    ['from where', `ip = null`],
    ['when', `created_at = created_at - interval '1 microsecond'`],
  ])('a changed row is reported: %s', async (_what, change) => {
    await hands.run(`update audit_log set ${change} where id = ${rows.get(5)}`);
    expect((await find(heads)).breaks).toEqual([
      { seq: 5, row: rows.get(5), day: DAYS[1], text: '第 5 条与封存时的内容不符' },
    ]);
  });

  test('a removed row is reported', async () => {
    await hands.run(`delete from audit_log where id = ${rows.get(2)}`);
    expect((await find(heads)).breaks).toEqual([
      { seq: 2, row: rows.get(2), day: DAYS[0], text: '第 2 条的记录已被删除' },
    ]);
  });

  test('a row removed with its seal leaves a detectable gap', async () => {
    await hands.run(`delete from audit_log where id in (${rows.get(4)}, ${rows.get(5)})`);
    await hands.run('delete from audit_seal where seq in (4, 5)');
    expect(await first(heads)).toEqual({ seq: 4, row: null, day: DAYS[1], text: '第 4 至 5 条缺失' });
  });

  test('a seal removed from its row, and a row inserted past the trigger', async () => {
    await hands.run(
      `insert into audit_log (act, target, created_at) values ('ledger.check', 'ledger', '${DAYS[1]} 12:00+08')`,
    );
    const { rows: put } = await sql<{ id: number }>`select max(id) as id from audit_log`.execute(t.ctx.db);
    const id = put[0]?.id;
    expect((await find(heads)).breaks).toEqual([{ seq: null, row: id, day: DAYS[1], text: `记录 ${id} 没有封存` }]);
  });

  test('rows that were exchanged', async () => {
    await hands.run(`update audit_seal set audit_id = -seq where seq in (7, 8)`);
    await hands.run(
      `update audit_seal set audit_id = case seq when 7 then ${rows.get(8)} else ${rows.get(7)} end where seq in (7, 8)`,
    );
    expect(await first(heads)).toMatchObject({ seq: 7, row: rows.get(8), day: DAYS[2] });
  });

  test('a removed tail is found by the head row, and otherwise by the stored heads', async () => {
    const cut = async (behind: number): Promise<void> => {
      await hands.run(`delete from audit_log where id in (select audit_id from audit_seal where seq > ${behind})`);
      await hands.run(`delete from audit_seal where seq > ${behind}`);
    };
    await cut(8);
    expect(await first(heads)).toEqual({ seq: 9, row: null, day: DAYS[2], text: '第 8 条之后被截去，链头在第 9 条' });
    await cut(4);
    await hands.reseal(5);
    expect(await find()).toMatchObject({ seq: 4, breaks: [] });
    expect(await first(heads)).toEqual({
      seq: 5,
      row: null,
      day: DAYS[1],
      text: `第 5 条起被截去，${DAYS[1]} 的存证到第 6 条`,
    });
    await hands.run('delete from audit_head');
    expect((await find()).breaks).toMatchObject([{ text: '链头的记录缺失' }]);
  });

  test('a chain that was sealed anew is consistent, but differs from the stored heads', async () => {
    await hands.run(`update audit_log set detail = '{}' where id = ${rows.get(5)}`);
    await hands.reseal(5);
    expect((await find()).breaks).toEqual([]);
    expect((await find(heads)).breaks).toEqual([
      { seq: 6, row: rows.get(6), day: DAYS[1], text: `第 4 至 6 条在 ${DAYS[1]} 存证之后被改写` },
    ]);
    // From the very first row on, and all heads differ: the first day is the one that is named.
    await hands.run(`update audit_log set staff_id = 1 where id = ${rows.get(1)}`);
    await hands.reseal(1);
    expect((await find(heads)).breaks.map(({ day }) => day)).toEqual([DAYS[0]]);
  });

  test('a row removed with the following ones renumbered and sealed anew', async () => {
    await hands.run(`delete from audit_log where id = ${rows.get(2)}`);
    await hands.run('delete from audit_seal where seq = 2');
    await hands.run('update audit_seal set seq = -seq where seq > 2');
    await hands.run('update audit_seal set seq = -seq - 1 where seq < 0');
    await hands.reseal(1);
    expect((await find()).breaks).toEqual([]);
    expect(await first(heads)).toMatchObject({ day: DAYS[0], text: `第 1 至 3 条在 ${DAYS[0]} 存证之后被改写` });
  });
});

describe('the stored heads', () => {
  test('are read back as written; an invalid line is ignored', async () => {
    const at = join(folder, 'other/heads.jsonl');
    expect(await readHeads(at)).toEqual([]);
    const head = { day: '2026-05-01', seq: 3, hash: 'ab'.repeat(32) };
    await appendHead(at, head);
    await appendHead(at, { ...head, seq: 4 });
    expect((await readHeads(at)).map(({ seq }) => seq)).toEqual([3, 4]);
    for (const line of ['{', '{"day":"2026-05-01","seq":0,"hash":""}', 'null', '[]']) {
      writeFileSync(at, `${line}\n`);
      await expect(readHeads(at)).rejects.toThrow(/第 1 行不是一条存证/);
    }
  });
});

describe('the nightly check', () => {
  const night = async () => {
    await asSuperuser(databaseOf(t.ctx), `update audit_check set day = day - 1`);
    return await (await startAudit(t.ctx)).done;
  };
  const figures = async (): Promise<string> => {
    const response = await t.app.http.inject({ url: '/metrics', headers: { authorization: `Bearer ${TOKEN}` } });
    return response.body
      .split('\n')
      .filter((line) => line.startsWith('audit_'))
      .join('\n');
  };
  const metricOf = async (): Promise<number> =>
    (await admin.client.ok(staffCounters, {})).queues.find(({ key }) => key === 'audit')?.count ?? -1;

  test('stores the head in the file, at its external keeper and in the metrics, once a day', async () => {
    rmSync(file, { force: true });
    // Nobody has looked yet, which is no break.
    expect(await figures()).not.toMatch(/^audit_chain_whole \d/m);
    const found = await night();
    expect(found).toMatchObject({ seq: 9, heads: 0, breaks: [] });
    expect(await (await startAudit(t.ctx)).done).toBeUndefined();
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ seq: 9, hash: found?.hash });
    expect(t.mails.filter(({ to }) => to === KEEPER).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^操作记录链头 \d{4}-\d\d-\d\d 第 9 条$/),
    ]);
    const view = await figures();
    expect(view).toContain('audit_chain_whole 1');
    expect(view).toContain('audit_seals 9');
    expect(view).toMatch(
      new RegExp(`audit_head_seq\\{day="\\d{4}-\\d\\d-\\d\\d",head="${found?.hash.slice(0, 16)}"\\} 9`),
    );
    expect(view).toMatch(/audit_head_age_seconds\{day="[-\d]+"\} [0-9.]+/);
    await auditOne(10);
    const next = await night();
    expect(next).toMatchObject({ seq: 10, heads: 1, breaks: [] });
    expect(await metricOf()).toBe(0);
  });

  test('a break is shown on both pages, mailed and in the metrics, and its head is not stored', async () => {
    const lines = readFileSync(file, 'utf8');
    await hands.run(`update audit_log set detail = '{}' where id = (select audit_id from audit_seal where seq = 2)`);
    await hands.reseal(2);
    const found = await night();
    expect(found?.breaks).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toBe(lines);
    expect(await figures()).toContain('audit_chain_whole 0');
    expect(await metricOf()).toBe(1);
    expect(t.mails.at(-1)).toMatchObject({ to: KEEPER, subject: expect.stringMatching(/^【告警】操作记录校验不符：/) });
    const page = await admin.client.ok(auditChain, {});
    expect(page.nights[0]?.breaks).toEqual(found?.breaks);
    expect(page.nights[1]?.breaks).toEqual([]);
    const now = await admin.client.ok(verifyChain, {});
    expect(now.breaks).toEqual(found?.breaks);
    const finance = await t.newStaff({ role: 'finance' });
    for (const call of [auditChain, verifyChain])
      expect((await finance.client.call(call, {})).code).toBe(codes.FORBIDDEN[0]);
    const { stdout } = spawnSync(process.execPath, ['scripts/doctor.mjs'], {
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: t.ctx.config.databaseUrl, AUDIT_HEADS: file, DATA_DIR: folder },
    });
    expect(stdout).toContain('操作记录校验不符，共 1 处');
    expect(stdout).toContain(found?.breaks[0]?.text);
  });

  test('a modified file counts as a break', async () => {
    appendFileSync(file, 'nonsense\n');
    expect((await night())?.breaks.at(-1)?.text).toMatch(/第 3 行不是一条存证/);
  });

  test('an interrupted run continues, and the timer is set for the next night', async () => {
    await asSuperuser(databaseOf(t.ctx), 'delete from audit_check');
    await sql`insert into audit_check (day, started_at) values ((now() at time zone 'Asia/Shanghai')::date, now() - interval '46 minutes')`.execute(
      t.ctx.db,
    );
    await makeDue(t.ctx.db, 'audit.nightly');
    await t.timers();
    await expect
      .poll(async () => (await sql`select 1 from audit_check where ended_at is not null`.execute(t.ctx.db)).rows.length)
      .toBe(1);
    const { rows } = await sql<{ hours: number }>`
      select (extract(epoch from due_at - now()) / 3600)::float8 as hours from timer where kind = 'audit.nightly'`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.hours).toBeGreaterThan(0);
    expect(rows[0]?.hours).toBeLessThanOrEqual(24.1);
  });
});
