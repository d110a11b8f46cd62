/** `npm run admin` as a separate program against a separate database: what it does, says, records, and how it ends. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffInfo } from '#subjects/back-office/contract/sign-in.ts';
import { auditList } from '#subjects/back-office/contract/audit.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';

interface Ended {
  code: number;
  out: string;
  err: string;
}

let t: TestApp;
let admin: TestStaff;
let folder: string;

/** Runs the command line as an operator does. */
async function run(...args: string[]): Promise<Ended> {
  const { config } = t.ctx;
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'test',
    DATABASE_URL: config.databaseUrl,
    DATA_DIR: config.dataDir,
    SECRET: config.secret.toString(),
    BACKSTAGE_HOST: config.backstageHost,
    // Every call starts a process: the compiled sources of the first one serve the others, which halves their processor time.
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  };
  return await new Promise((resolve) => {
    execFile(process.execPath, ['scripts/admin.ts', ...args], { env, timeout: 150_000 }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 99), out, err });
    });
  });
}

async function json<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await run(...args, '--json');
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${out} ${err}`);
  return JSON.parse(out) as T;
}

beforeAll(async () => {
  t = await testApp();
  admin = await t.newStaff({ login: 'boss' });
  folder = mkdtempSync(join(tmpdir(), 'youshi-admin-'));
});
afterAll(async () => {
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the command line', () => {
  test('prints help, and rejects unknown arguments with exit code 2', async () => {
    const help = await run('help');
    expect([help.code, help.err]).toEqual([0, '']);
    for (const name of [
      'staff create',
      'brands create',
      'hosts add',
      'games import',
      'settings set',
      'rotate-key',
      'jobs again',
      'restore check',
    ])
      expect(help.out).toContain(name);
    expect((await run()).code).toBe(2);
    const unknown = await run('staff', 'promote');
    expect([unknown.code, unknown.out]).toEqual([2, '']);
    expect(unknown.err).toContain('没有这个命令');
    const missing = await run('staff', 'create', 'someone');
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('缺少 --name')]);
    const option = await run('staff', 'list', '--everything');
    expect([option.code, option.err]).toEqual([2, expect.stringContaining('--everything')]);
  });

  test('a wrong secret or a missing database ends with one sentence and no stack trace', async () => {
    const secret = t.ctx.config.secret;
    const gone = await new Promise<Ended>((resolve) => {
      const env = {
        PATH: process.env.PATH,
        DATABASE_URL: t.ctx.config.databaseUrl,
        DATA_DIR: folder,
        SECRET: `${secret.toString()}-another`,
      };
      execFile(process.execPath, ['scripts/admin.ts', 'staff', 'list'], { env, timeout: 150_000 }, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out, err }),
      );
    });
    expect(gone.code).toBe(1);
    expect(gone.err).not.toContain(' at ');
    expect(gone.err).toContain('SECRET');
  });
});

describe('members of staff', () => {
  test('are created, listed, given another role, disabled and reset, each with an audit entry', async () => {
    const made = await json<{ staffId: number; invite: { address: string } }>(
      'staff',
      'create',
      'Wanban',
      '--name',
      '晚班',
      '--role',
      '客服',
    );
    expect(made.invite.address).toMatch(/\/backstage\/join#[\w-]{43}$/);
    const { list } = await json<{ list: { login: string; roleName: string; state: string }[] }>('staff', 'list');
    expect(list.find(({ login }) => login === 'wanban')).toMatchObject({ roleName: '客服', state: 'invited' });
    await json('staff', 'set-role', 'wanban', '--role', 'reviewer');
    await json('staff', 'reset-second-factor', 'wanban', '--reason', '换了手机');
    await json('staff', 'disable', 'wanban', '--reason', '离职');
    const again = await json<{ list: { login: string; roleName: string; state: string }[] }>('staff', 'list');
    expect(again.list.find(({ login }) => login === 'wanban')).toMatchObject({ roleName: '审核', state: 'disabled' });
    const { list: record } = await admin.client.ok(auditList, { group: 'staff', pageSize: '20' });
    const own = record.filter(({ target }) => target === `员工 晚班 ${made.staffId}`);
    expect(own.map(({ actName }) => actName)).toEqual(['停用员工', '重置员工二次验证', '修改员工', '新建员工']);
    expect(new Set(own.map(({ staffName, ip }) => `${staffName} ${ip}`))).toEqual(
      new Set([`管理命令 命令行 ${userInfo().username}`]),
    );
  });

  test('rejections are printed as text with exit code 1, and name the field in JSON', async () => {
    const duplicate = await run('staff', 'create', 'boss', '--name', '又一个', '--role', 'admin', '--json');
    expect([duplicate.code, JSON.parse(duplicate.out)]).toEqual([
      1,
      { error: '登录名已被使用，请换一个', field: 'login' },
    ]);
    const role = await run('staff', 'create', 'newone', '--name', '新人', '--role', '船长');
    expect([role.code, role.out, role.err]).toEqual([1, '', expect.stringContaining('没有这个角色')]);
    const last = await run('staff', 'disable', 'boss', '--reason', '测试');
    expect([last.code, last.err]).toEqual([1, expect.stringContaining('最后一位管理员')]);
    expect((await admin.client.ok(staffInfo, {})).name).toBe('员工1');
  });

  test('an administrator without password and factor can log in after a reset', async () => {
    const { address } = await json<{ address: string }>(
      'staff',
      'reset-password',
      'boss',
      '--both',
      '--reason',
      '手机丢失',
    );
    expect(address).toContain('#');
    expect((await admin.client.call(staffInfo, {})).code).not.toBe(0);
  });
});

describe('the market', () => {
  test('brands and hosts are added; an invalid host is rejected with a valid example', async () => {
    const { distId } = await json<{ distId: number }>(
      'brands',
      'create',
      'moon',
      '--name',
      '月光站',
      '--host',
      'moon.market.cn',
    );
    await json('hosts', 'add', 'moon', 'www.moon.cn');
    await json('hosts', 'primary', 'moon', 'www.moon.cn');
    const { hosts } = await json<{ hosts: { host: string; isPrimary: boolean }[] }>('hosts', 'list', 'moon');
    expect(hosts).toEqual([
      { host: 'www.moon.cn', isPrimary: true, redirects: false },
      { host: 'moon.market.cn', isPrimary: false, redirects: false },
    ]);
    const wrong = await run('hosts', 'add', 'moon', 'https://www.moon.cn/');
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('（host）')]);
    await t.ctx.dir.reload();
    expect(t.ctx.dir.byHost('www.moon.cn')?.id).toBe(distId);
  });

  test('games are exported as one file and imported again; one error rejects everything', async () => {
    await json('games', 'load', 'wzry', 'lol');
    const file = join(folder, 'games.json');
    await json('games', 'export', '--to', file);
    const tried = await json<{ applied: boolean; games: { state: string }[] }>('games', 'import', file, '--try');
    expect([tried.applied, tried.games.map(({ state }) => state)]).toEqual([false, ['same', 'same']]);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"wzry"', '"王者"'));
    const broken = await run('games', 'import', file);
    expect([broken.code, broken.err]).toEqual([1, expect.stringMatching(/第 \d+ 行/)]);
    const { list } = await json<{ list: { code: string }[] }>('games', 'list');
    expect(list.map(({ code }) => code).toSorted()).toEqual(['lol', 'wzry']);
  });

  test('settings are read and changed with a reason; an invalid value gets a field error', async () => {
    const before = await json<{ values: Record<string, string>; version: number }>('settings', 'get', 'staffSession');
    expect(before.values.idleMinutes).toBe('60');
    const none = await run('settings', 'set', 'staffSession', 'idleMinutes=30');
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('--reason')]);
    const wrong = await run('settings', 'set', 'staffSession', 'idleMinutes=0', '--reason', '试试', '--json');
    expect([wrong.code, (JSON.parse(wrong.out) as { field: string }).field]).toEqual([1, 'values.idleMinutes']);
    await json('settings', 'set', 'staffSession', 'idleMinutes=30', '--reason', '安全要求');
    await t.ctx.dir.reload();
    expect(t.ctx.dir.setting('staffSession').idleMinutes).toBe(30);
  });

  test('failed jobs are listed, and discarded once', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into dead_letter (what, name, ref, payload, error, attempts, first_failed_at)
      values ('job', 'order.expire', '999999', '{}'::jsonb, 'Error: broken', 8, now()) returning id`.execute(t.ctx.db);
    const id = String(rows[0]?.id);
    expect((await json<{ total: number }>('jobs', 'list')).total).toBe(1);
    await json('jobs', 'drop', id, '--reason', '已由人工处理');
    expect((await run('jobs', 'drop', id, '--reason', '已由人工处理')).code).toBe(1);
  });

  test('the check after a restore verifies the ledger', async () => {
    const { code, out } = await run('restore', 'check');
    expect([code, out]).toEqual([0, expect.stringContaining('账目全部相符')]);
  });
});
