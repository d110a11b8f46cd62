/**
 * Runs the black-box attack kit, when it lies beside the project, against a market of its own:
 *
 *   node tests/attacks/run.mjs [--full] [--plain] [--result=FILE] [01 07 ...]
 *
 * starts the server as `npm start` does (`--plain`: the server alone, in test mode), with a data folder that is removed after, runs
 * each script within a limit of time, prints one line each, and ends with 1 when a promise is broken. `--full` uses the kit's own
 * sizes; `--result` writes `{ passed, failed }`. With BASE_URL (and SMS_SINK, DATA_DIR) set it uses that server and starts none.
 */
import { generateKeyPairSync } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensurePackages, ensurePages, findNode, root } from '../../scripts/lib/ground.mjs';
import { isPortFree } from '../../scripts/lib/port.mjs';
import { run } from '../../scripts/lib/run.mjs';
import { dim, green, main, PlainError, red, since } from '../../scripts/lib/say.mjs';

const KIT = process.env.ATTACK_KIT ?? join(root, '../shared/tools/attacks');
const START_LIMIT_MS = 600_000;
const STOP_LIMIT_MS = 25_000;

/** The scripts that must pass, with the sizes of a quick run and the time that one may take. */
const SCRIPTS = {
  '01': { quick: { N: '50', TRIALS: '3' }, limitMs: 300_000 },
  '02': { quick: { TRIALS: '2' }, limitMs: 300_000 },
  '06': { quick: { K: '40', GROUPS_N: '2' }, limitMs: 600_000 },
  '07': { quick: {}, limitMs: 120_000 },
  14: { quick: {}, limitMs: 240_000 },
  15: { quick: {}, limitMs: 180_000 },
  18: { quick: {}, limitMs: 60_000 },
  22: { quick: { N: '10' }, limitMs: 300_000 },
};

async function freePort() {
  for (;;) {
    const port = 30_000 + Math.floor(Math.random() * 1_000);
    if (await isPortFree(port)) return port;
  }
}

/** Starts a demo market of its own. Resolves to the kit's settings and to how it is stopped. */
async function startMarket(scratch, isPlain) {
  const port = await freePort();
  const dataDir = join(scratch, 'data');
  // Open to the user the database runs as when this runs as root.
  mkdirSync(dataDir, { mode: 0o755 });
  const sink = join(scratch, 'sms.jsonl');
  writeFileSync(sink, '');
  const { DATABASE_URL: _none, SECRET: _own, ...outer } = process.env;
  const env = {
    ...outer,
    PORT: String(port),
    DATA_DIR: dataDir,
    SMS_SINK: sink,
    SEED_GOODS: '100',
    LOG_LEVEL: 'error',
  };
  const node = findNode();
  const [program, args] = isPlain
    ? [node, [join(root, 'server/main.ts')]]
    : ['npm', ['start', '--silent', '--prefix', root]];
  let output = '';
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, ...(isPlain && { NODE_ENV: 'test' }) },
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => (output = (output + text).slice(-4000)));
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await Promise.race([gone, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
    child.kill('SIGKILL');
  };
  const base = `http://127.0.0.1:${port}`;
  const limit = Date.now() + START_LIMIT_MS;
  while (Date.now() < limit && child.exitCode === null) {
    const ready = await fetch(`${base}/readyz`).then(
      (r) => r.ok,
      () => false,
    );
    if (ready) return { settings: { BASE_URL: base, SMS_SINK: sink, DATA_DIR: dataDir }, stop };
    await sleep(200);
  }
  await stop();
  throw new PlainError(`服务器没有启动：\n${output}`);
}

/** The kit wants a provider's key to sign with; our sandbox channel signs for itself, so any key will do. */
function anyKey(scratch) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const file = join(scratch, 'provider.pem');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return file;
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

await main(async () => {
  const args = process.argv.slice(2);
  if (!existsSync(join(KIT, 'lib.mjs'))) {
    console.log(`  黑盒攻击工具不在 ${KIT}，跳过这一项。`);
    report(args, { passed: 0, failed: 0 });
    return 0;
  }
  const wanted = args.filter((arg) => /^\d\d$/.test(arg));
  const files = readdirSync(KIT)
    .filter((file) => file.slice(0, 2) in SCRIPTS && file.endsWith('.mjs'))
    .filter((file) => wanted.length === 0 || wanted.includes(file.slice(0, 2)))
    .sort();
  await ensurePackages();
  await ensurePages(findNode());
  const scratch = mkdtempSync(join(tmpdir(), 'youshi-attacks-'));
  let market;
  try {
    market = process.env.BASE_URL ? undefined : await startMarket(scratch, args.includes('--plain'));
    const settings = {
      ...market?.settings,
      ADAPTER: join(root, 'tests/attacks/adapter.mjs'),
      ALIPAY_TEST_KEY: anyKey(scratch),
    };
    let failed = 0;
    for (const file of files)
      if (!(await attack(file, settings, SCRIPTS[file.slice(0, 2)], args.includes('--full')))) failed += 1;
    console.log(`  ${files.length - failed} passed, ${failed} failed`);
    report(args, { passed: files.length - failed, failed });
    return failed === 0 ? 0 : 1;
  } finally {
    await market?.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
});
