/**
 * Runs the black-box attack kit, if it is next to the project folder, against a separate market:
 *
 *   node tests/attacks/run.mjs [--full] [--plain] [--result=FILE] [01 07 ...]
 *
 * starts the server as `npm start` does (`--plain`: only the server, in test mode), with a data folder that is removed after, runs
 * each script within a limit of time, prints one line each, and ends with 1 when a promise is broken. `--full` uses the kit's own
 * sizes and the scripts that want a machine to themselves; `--result` writes `{ passed, failed }`. With BASE_URL (and SMS_SINK, DATA_DIR) set it uses that server and starts none.
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensurePages, ensureServer, serverEntry } from '../../scripts/lib/built.mjs';
import { ensurePackages, findNode, root } from '../../scripts/lib/prerequisites.mjs';
import { prepareDemoFolder } from '../../scripts/lib/browsers/demo-folder.mjs';
import { drawPort } from '../../scripts/lib/port.mjs';
import { run } from '../../scripts/lib/run.mjs';
import { dim, green, main, PlainError, red, since } from '../../scripts/lib/output.mjs';

const KIT = process.env.ATTACK_KIT ?? join(root, '../shared/tools/attacks');
const START_LIMIT_MS = 600_000;
const STOP_LIMIT_MS = 25_000;

/** The scripts that must pass, with the sizes of a quick run and the time that one may take. */
const SCRIPTS = {
  '01': { quick: { N: '50', TRIALS: '3' }, limitMs: 300_000 },
  '02': { quick: { TRIALS: '2' }, limitMs: 300_000 },
  '03': { quick: { REPLAYS: '30' }, limitMs: 120_000 },
  // The kit wants a third of K * CUT cuts, and draws for one each time messages are confirmed, which is once for all in flight.
  '06': { quick: { K: '80', GROUPS_N: '2', WINDOW: '2', CUT: '0.2' }, limitMs: 600_000 },
  '07': { quick: {}, limitMs: 120_000 },
  14: { quick: {}, limitMs: 240_000 },
  15: { quick: {}, limitMs: 180_000 },
  18: { quick: {}, limitMs: 60_000 },
  22: { quick: { N: '10' }, limitMs: 300_000 },
};

/**
 * Scripts that overload, restart and break a market: they have a separate one, with wide budgets for few people. Those that want
 * a machine to themselves run with `--full` or by name: beside other work they measure that work.
 */
const ROUGH = {
  '09': { quick: { SECS: '6', START_RPS: '60' }, limitMs: 300_000, alone: true },
  10: { quick: { ROUNDS: '2' }, limitMs: 240_000 },
  11: { quick: {}, limitMs: 300_000, alone: true },
};

/** The fakes of both channels, with the settings for a market and for the kit. */
async function startFakes(scratch) {
  const child = spawn(findNode(), [join(root, 'tests/attacks/fakes.mjs'), scratch], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', () => reject(new PlainError('支付渠道的替身没有启动')));
  });
  return { ...JSON.parse(readFileSync(join(scratch, 'channels.json'), 'utf8')), stop: () => child.kill('SIGTERM') };
}

/** Waits until a market may serve; false when its time is over or `isGone` says that it has ended. */
async function isReady(base, isGone) {
  const limit = Date.now() + START_LIMIT_MS;
  while (Date.now() < limit && !isGone()) {
    const ready = await fetch(`${base}/readyz`).then(
      (r) => r.ok,
      () => false,
    );
    if (ready) return true;
    await sleep(200);
  }
  return false;
}

/** Returns the settings of every market that the tests start. */
async function settingsOf(folder, channels) {
  const port = await drawPort();
  const dataDir = join(folder, 'data');
  // Open to the user the database runs as when this runs as root.
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  await prepareDemoFolder(dataDir);
  const sink = join(folder, 'sms.jsonl');
  writeFileSync(sink, '');
  const own = { PORT: String(port), DATA_DIR: dataDir, SMS_SINK: sink, LOG_LEVEL: 'error' };
  const base = `http://127.0.0.1:${port}`;
  return { env: { ...own, ...channels.server }, kit: { BASE_URL: base, SMS_SINK: sink, DATA_DIR: dataDir } };
}

/** Starts a separate demo market. Resolves to the kit's settings and to how it is stopped. */
async function startMarket(folder, channels, isPlain) {
  const { env, kit } = await settingsOf(folder, channels);
  const { DATABASE_URL: _none, SECRET: _own, ...outer } = process.env;
  const node = findNode();
  const [program, args] = isPlain ? [node, [serverEntry]] : ['npm', ['start', '--silent', '--prefix', root]];
  let output = '';
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...outer, ...env, ...(isPlain && { NODE_ENV: 'test' }) },
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => (output = (output + text).slice(-4000)));
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await Promise.race([gone, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
    child.kill('SIGKILL');
  };
  if (await isReady(kit.BASE_URL, () => child.exitCode !== null)) {
    await run(findNode(), [join(root, 'tests/attacks/ease.mjs')], { env: kit });
    return { kit: { ...channels.kit, ...kit }, stop };
  }
  await stop();
  throw new PlainError(`服务器没有启动：\n${output}`);
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** A market that the kit itself stops and starts: only the server, by a script that leaves its process id in a file. */
async function startRough(folder, channels) {
  const { env, kit } = await settingsOf(folder, channels);
  const all = { ...env, NODE_ENV: 'test', LIMIT_FACTOR: '100000' };
  const [start, pidFile, log] = ['start.sh', 'api.pid', 'api.log'].map((name) => join(folder, name));
  const lines = [
    ...Object.entries(all).map(([name, value]) => `export ${name}=${quoted(value)}`),
    'unset DATABASE_URL SECRET',
    `cd ${quoted(root)}`,
    `${quoted(findNode())} ${quoted(serverEntry)} >> ${quoted(log)} 2>&1 &`,
    `echo $! > ${quoted(pidFile)}`,
  ];
  writeFileSync(start, `${lines.join('\n')}\n`);
  spawn('/bin/bash', [start], { detached: true, stdio: 'ignore' }).unref();
  const isAlive = () => {
    try {
      return process.kill(Number(readFileSync(pidFile, 'utf8')), 0);
    } catch {
      return false;
    }
  };
  const stop = async () => {
    const limit = Date.now() + STOP_LIMIT_MS;
    const pid = isAlive() ? Number(readFileSync(pidFile, 'utf8')) : undefined;
    if (pid) process.kill(pid, 'SIGTERM');
    while (isAlive() && Date.now() < limit) await sleep(100);
    if (isAlive()) process.kill(pid, 'SIGKILL');
  };
  await sleep(500);
  if (!(await isReady(kit.BASE_URL, () => !isAlive()))) {
    await stop();
    throw new PlainError(`服务器没有启动：\n${readFileSync(log, 'utf8').slice(-4000)}`);
  }
  await run(findNode(), [join(root, 'tests/attacks/ease.mjs')], { env: kit });
  return {
    kit: {
      ...channels.kit,
      ...kit,
      API_PID: `cat ${pidFile}`,
      API_START: `bash ${start}`,
      ...faultSettings(folder, kit),
    },
    stop,
  };
}

/** How 11 reaches the database: as its superuser, and as the application's own user to take every connection. */
function faultSettings(folder, { DATA_DIR: dataDir }) {
  const { port, superPassword, runPassword } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8'));
  const passwords = join(folder, 'pgpass');
  writeFileSync(
    passwords,
    `127.0.0.1:${port}:*:postgres:${superPassword}\n127.0.0.1:${port}:*:youshi_app:${runPassword}\n`,
  );
  chmodSync(passwords, 0o600);
  return {
    PGPASSFILE: passwords,
    PGADMIN: `postgres://postgres@127.0.0.1:${port}/youshi`,
    APP_NAME: 'youshi',
    LOCK_TABLE: 'orders',
    HOG_USER: 'youshi_app',
    PG_PID: `head -1 ${join(dataDir, 'pg/postmaster.pid')}`,
    // A single process: a request on a kept connection may meet its end. All of them are settled by their keys.
    DROP_RATE: '0.002',
    // A person's own second of patience on a machine that also runs the attacker.
    MAXP95: '3000',
  };
}

/** The books after an attack; true when every rule holds. */
async function audit(kit) {
  const begin = performance.now();
  const { code, output } = await run(findNode(), [join(root, 'tests/attacks/ledger-audit.mjs')], { env: kit });
  console.log(`  ${code === 0 ? green('✓') : red('✗')} ledger-audit ${dim(since(begin))}`);
  if (code !== 0)
    console.log(
      output
        .split('\n')
        .slice(0, 20)
        .map((line) => `      ${line.slice(0, 400)}`)
        .join('\n'),
    );
  return code === 0;
}

/** Runs one script of the kit; true when every promise held. */
async function attack(file, settings, { quick, limitMs }, isFull) {
  const begin = performance.now();
  const env = { ...settings, ...(isFull ? {} : quick) };
  const { code, output, timedOut } = await run(findNode(), [join(KIT, file)], { env, timeoutMs: limitMs });
  const lines = output.trim().split('\n');
  const passed = code === 0;
  console.log(`  ${passed ? green('✓') : red('✗')} ${file.replace('.mjs', '')} ${dim(since(begin))}`);
  if (passed) return true;
  const told = timedOut ? [...lines.slice(-5), `超过 ${limitMs / 1000} 秒没有结束`] : lines.slice(-25);
  console.log(told.map((line) => `      ${line.slice(0, 400)}`).join('\n'));
  return false;
}

/** Leaves the numbers where the caller wants them. */
function report(args, result) {
  const file = args.find((arg) => arg.startsWith('--result='))?.slice('--result='.length);
  if (file) writeFileSync(file, JSON.stringify(result));
}

const filesOf = (scripts, wanted) =>
  readdirSync(KIT)
    .filter((file) => file.slice(0, 2) in scripts && file.endsWith('.mjs'))
    .filter((file) => wanted.length === 0 || wanted.includes(file.slice(0, 2)))
    .sort();

/** Starts a market, runs scripts on it one after another, reads its books. Resolves to how many failed. */
async function campaign(files, scripts, start, isFull) {
  if (files.length === 0) return 0;
  const market = await start();
  try {
    const settings = { ...market.kit, ADAPTER: join(root, 'tests/attacks/adapter.mjs') };
    let failed = 0;
    for (const file of files) if (!(await attack(file, settings, scripts[file.slice(0, 2)], isFull))) failed += 1;
    if (settings.DATA_DIR && !(await audit(settings))) failed += 1;
    if (failed > 0 && market.log) console.log(dim(readFileSync(market.log, 'utf8').slice(-3000)));
    return failed;
  } finally {
    await market.stop();
  }
}

/** psql is what 11 breaks the database with. */
const hasPsql = () => (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'psql')));

await main(async () => {
  const args = process.argv.slice(2);
  if (!existsSync(join(KIT, 'lib.mjs'))) {
    console.log(`  黑盒攻击工具不在 ${KIT}，跳过这一项。`);
    report(args, { passed: 0, failed: 0 });
    return 0;
  }
  const wanted = args.filter((arg) => /^\d\d$/.test(arg));
  const isFull = args.includes('--full');
  await ensurePackages({ tests: true });
  const scratch = mkdtempSync(join(tmpdir(), 'youshi-attacks-'));
  chmodSync(scratch, 0o755);
  const channels = await startFakes(scratch);
  const given = process.env.BASE_URL;
  const files = filesOf(SCRIPTS, wanted).filter((file) => !given || !file.startsWith('03'));
  const mayRun = (file) =>
    (isFull || wanted.length > 0 || !ROUGH[file.slice(0, 2)].alone) && (!file.startsWith('11') || hasPsql());
  const rough = given ? [] : filesOf(ROUGH, wanted).filter(mayRun);
  try {
    // The rough ones start only the server, which serves the pages as well.
    const servesPages = rough.length > 0 || (files.length > 0 && !args.includes('--plain'));
    if (!given && servesPages) await ensurePages(findNode());
    if (!given) await ensureServer(findNode());
    const folder = (name) => join(scratch, name);
    let failed = await campaign(
      files,
      SCRIPTS,
      async () =>
        given
          ? { kit: { ALIPAY_TEST_KEY: channels.kit.ALIPAY_TEST_KEY }, stop: async () => {} }
          : await startMarket(folder('market'), channels, args.includes('--plain')),
      isFull,
    );
    failed += await campaign(rough, ROUGH, async () => await startRough(folder('rough'), channels), isFull);
    const total = files.length + rough.length + (files.length > 0 && !given ? 1 : 0) + (rough.length > 0 ? 1 : 0);
    console.log(`  ${total - failed} passed, ${failed} failed`);
    report(args, { passed: total - failed, failed });
    return failed === 0 ? 0 : 1;
  } finally {
    channels.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
});
