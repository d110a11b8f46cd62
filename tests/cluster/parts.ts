/** The parts of a market on several machines, from Debian's packages, on loopback: each can be killed and started again. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { embeddedBinaries, unprivilegedUser } from '#server/db/embedded-binaries.ts';
import { programEnv, serverArgs } from '#server/db/embedded-cluster.ts';
import { freePort } from '#server/db/embedded-process.ts';
import { endWithParent } from '#tests/support/servers/end-with-parent.ts';

/** Something that runs, dies without warning, and comes back. */
export interface Part {
  readonly name: string;
  start(): Promise<void>;
  kill(): Promise<void>;
}

const FOLDERS = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin'];
const PACKAGES: Readonly<Record<string, string>> = {
  haproxy: 'haproxy',
  nginx: 'nginx',
  pgbouncer: 'pgbouncer',
  'redis-server': 'redis-server',
};
const READY_LIMIT_MS = 120_000;
/** The name by which a primary waits for the standby, where it is synchronous. */
export const STANDBY_NAME = 'youshi_standby';

const pathOf = (program: string): string | undefined =>
  FOLDERS.map((folder) => join(folder, program)).find((path) => existsSync(path));

/** Debian packages that are missing; empty when the cluster can run. */
export const missingPackages = (): string[] =>
  Object.entries(PACKAGES).flatMap(([program, name]) => (pathOf(program) === undefined ? [name] : []));

/** Why the tests of this folder cannot run here, as a line for the report; undefined when they can. */
export function missingReason(): string | undefined {
  const missing = missingPackages();
  return missing.length === 0 ? undefined : `Debian packages are missing: apt-get install ${missing.join(' ')}`;
}

const givenPorts = new Set<number>();

/** A free loopback port that this process has not given out before. */
export async function ownPort(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (givenPorts.has(port)) continue;
    givenPorts.add(port);
    return port;
  }
}

async function isOpen(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

interface Program {
  name: string;
  bin: string;
  args: string[];
  port: number;
  user?: { uid: number; gid: number } | undefined;
  env?: NodeJS.ProcessEnv;
}

/** A program that is ready when its port takes connections. */
function program({ name, bin, args, port, user, env }: Program): Part {
  let child: ChildProcess | undefined;
  let said = '';
  return {
    name,
    async start() {
      // HAProxy shares its port with another that a broken-off run left, and would get half of the connections.
      const free = Date.now() + READY_LIMIT_MS;
      while (await isOpen(port)) {
        if (Date.now() > free) throw new Error(`${name}: port ${port} is taken`);
        await sleep(50);
      }
      const started = spawn(...endWithParent(bin, args), {
        env: env ?? process.env,
        stdio: ['ignore', 'pipe', 'pipe'],
        ...user,
      });
      child = started;
      for (const stream of [started.stdout, started.stderr])
        stream.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-4000)));
      const limit = Date.now() + READY_LIMIT_MS;
      while (!(await isOpen(port))) {
        if (started.exitCode !== null || Date.now() > limit) throw new Error(`${name} did not start: ${said}`);
        await sleep(50);
      }
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child?.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** A folder that a user without privileges may enter; it is removed with this process at the latest. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'youshi-cluster-'));
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Redis without anything on disk: the bus keeps nothing. */
export const redis = (port: number): Part =>
  program({
    name: 'Redis',
    bin: pathOf('redis-server') ?? '',
    args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    port,
  });

/** PgBouncer by transaction before the database of `url`. */
export function pgbouncer(folder: string, port: number, url: string): Part {
  const { hostname, port: databasePort, username, password, pathname } = new URL(url);
  const user = unprivilegedUser(folder);
  const own = join(folder, 'pgbouncer');
  mkdirSync(own);
  const write = (name: string, text: string): string => {
    const path = join(own, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (user) chownSync(path, user.uid, user.gid);
    return path;
  };
  const users = write('users.txt', `"${username}" "${password}"\n`);
  const settings = write(
    'pgbouncer.ini',
    `[databases]\n${pathname.slice(1)} = host=${hostname} port=${databasePort}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
      `auth_type = trust\nauth_file = ${users}\npool_mode = transaction\nmax_client_conn = 500\ndefault_pool_size = 30\nunix_socket_dir =\nserver_login_retry = 1\n`,
  );
  return program({ name: 'PgBouncer', bin: pathOf('pgbouncer') ?? '', args: [settings], port, user });
}

/** nginx before the nodes: conversations go to `chat`, everything else to `web`. */
export function nginx(folder: string, port: number, nodes: { web: number[]; chat: number[] }): Part {
  const upstream = (name: string, ports: number[]): string =>
    `upstream ${name} { ${ports.map((p) => `server 127.0.0.1:${p} max_fails=1 fail_timeout=1s;`).join(' ')} keepalive 32; }`;
  const path = join(folder, 'nginx.conf');
  writeFileSync(
    path,
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr crit; worker_rlimit_nofile 8192;
events { worker_connections 4096; }
http {
  access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  ${upstream('web', nodes.web)}
  ${upstream('chat', nodes.chat)}
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  server {
    listen 127.0.0.1:${port};
    proxy_http_version 1.1; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;
    proxy_connect_timeout 1s; proxy_read_timeout 30s;
    location ~ ^/(ws/im|api/im/|api/backstage/im/) { proxy_pass http://chat; }
    location / { proxy_pass http://web; }
  }
}
`,
  );
  return program({ name: 'nginx', bin: pathOf('nginx') ?? '', args: ['-c', path, '-p', folder, '-e', 'stderr'], port });
}

/**
 * A standby of an embedded database: a copy of its files taken while it runs, which then follows its log. `adminUrl` is a
 * superuser's connection to the primary.
 */
export async function standby(folder: string, port: number, adminUrl: string): Promise<Part> {
  const own = join(folder, 'standby');
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const setting = await client.query<{ data_directory: string }>('show data_directory');
  const cluster = setting.rows[0]?.data_directory ?? '';
  const user = unprivilegedUser(cluster);
  await client.query("select pg_backup_start('standby', true)");
  // Files of tables may vanish while they are copied; the log makes that good.
  execFileSync('/bin/sh', ['-c', `cp -a '${cluster}' '${own}' || true`], { stdio: 'ignore' });
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(own, name), { force: true });
  writeFileSync(join(own, 'backup_label'), rows[0]?.labelfile ?? '');
  writeFileSync(join(own, 'standby.signal'), '');
  if (user) for (const name of ['backup_label', 'standby.signal']) chownSync(join(own, name), user.uid, user.gid);
  const { hostname, port: primaryPort, username, password } = new URL(adminUrl);
  const follow = `host=${hostname} port=${primaryPort} user=${username} password=${password} application_name=${STANDBY_NAME}`;
  const args = [...serverArgs(own, port, true), '-c', `primary_conninfo=${follow}`, '-c', 'hot_standby=on'];
  const bin = join(embeddedBinaries(user), 'postgres');
  return program({ name: '备库', bin, args, port, user, env: programEnv });
}

/** HAProxy before databases: connections go to the one whose `check` port answers 200, and are cut when it no longer does. */
export function haproxy(folder: string, port: number, databases: readonly { port: number; check: number }[]): Part {
  const path = join(folder, 'haproxy.cfg');
  const servers = databases.map(
    ({ port: at, check }, i) => `  server database${i + 1} 127.0.0.1:${at} check port ${check}`,
  );
  writeFileSync(
    path,
    `global
  maxconn 2000
defaults
  mode tcp
  timeout connect 1s
  timeout check 2s
  timeout client 10m
  timeout server 10m
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
  );
  return program({ name: 'HAProxy', bin: pathOf('haproxy') ?? '', args: ['-db', '-f', path], port });
}

/** Reports which database is the primary, as Patroni's agent next to each one does; `fence` takes one out for good. */
export interface Agent {
  fence(): void;
  close(): Promise<void>;
}

/** An agent on `port` for the database of `url`. */
export async function agent(port: number, url: string): Promise<Agent> {
  let isFenced = false;
  let kept: pg.Client | undefined;
  const ask = async (): Promise<boolean> => {
    if (!kept) {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 1_000 });
      client.on('error', () => (kept = undefined));
      await client.connect();
      kept = client;
    }
    const { rows } = await kept.query<{ copy: boolean }>('select pg_is_in_recovery() as copy');
    return rows[0]?.copy === false;
  };
  const isPrimary = async (): Promise<boolean> => {
    try {
      return !isFenced && (await ask()) && !isFenced;
    } catch {
      kept = undefined;
      return false;
    }
  };
  const server = createServer((_request, response) => {
    void isPrimary().then((is) => response.writeHead(is ? 200 : 503).end());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    fence: () => void (isFenced = true),
    async close() {
      await kept?.end().catch(() => undefined);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
