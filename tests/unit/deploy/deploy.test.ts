/** The files of deploy/ agree with the program: settings, commands, files that they name. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { loadConfig, SETTINGS } from '#server/config/config.ts';
import { backupEnv } from '#server/config/config-backup.ts';

const text = (name: string): string => readFileSync(`deploy/${name}`, 'utf8');

/** Only of compose and its first start. */
const OF_COMPOSE = ['SITE_HOSTS', 'OWNER_PASSWORD', 'RUN_PASSWORD', 'COPY_PASSWORD'];

test('the example of the environment has exactly all settings', () => {
  const named = [...text('env.example').matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name);
  expect(new Set(named).size).toBe(named.length);
  const wanted = [...SETTINGS.filter((name) => name !== 'NODE_ENV'), ...Object.keys(backupEnv.shape), ...OF_COMPOSE];
  expect(named.toSorted()).toEqual(wanted.toSorted());
});

test('everything that the files start exists', () => {
  const started = readdirSync('deploy').flatMap((name) =>
    [...text(name).matchAll(/(?:scripts|deploy|server)\/[\w./-]+\.\w+/g)].map(([file]) => file),
  );
  expect(started.length).toBeGreaterThanOrEqual(6);
  expect(started.filter((file) => !existsSync(file))).toEqual([]);
});

test('variables of compose and of its first start are in the example', () => {
  const example = text('env.example');
  const used = [
    ...`${text('compose.yml')}${text('init.sh')}`.matchAll(/\$\{([A-Z0-9_]+)\}|"\$\{?([A-Z_]+PASSWORD)/g),
  ].map(([, a, b]) => a ?? b ?? '');
  expect(used.length).toBeGreaterThan(3);
  expect(used.filter((name) => !new RegExp(`^#?${name}=`, 'm').test(example))).toEqual([]);
});

test('the image runs without root, and units restart within the time the server takes to stop', () => {
  expect(text('Dockerfile').match(/^USER (\S+)$/m)?.[1]).toBe('1000:1000');
  expect(Number(/TimeoutStopSec=(\d+)/.exec(text('youshi.service'))?.[1])).toBeGreaterThan(20);
});

const operations = readFileSync('docs/OPERATIONS.md', 'utf8');
const everySetting = [...SETTINGS, ...Object.keys(backupEnv.shape)];
/** Not settings of the market: run.sh's own, names of proxies, examples, and codes of channels. */
const OF_OTHERS = new Set([
  'CLUSTER_ROUNDS',
  'SITE_HOSTS',
  'SLOPE_LARGE',
  'SLOPE_SMALL',
  'SLOPE_TABLE',
  'UPGRADE_FROM',
  'YOUSHI_ENV',
  'YOUSHI_USER',
  'SMS_1',
  'SMS_2',
  'PAYER_BALANCE_NOT_ENOUGH',
  'NOT_ENOUGH',
]);
/** Development only; no operator sets it. */
const UNTOLD = new Set(['DEV']);

test('the document names every setting, and none that the program ignores', () => {
  const named = new Set(
    [...operations.matchAll(/`([^`\n]+)`/g)].flatMap(
      ([, code = '']) => code.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|^[A-Z][A-Z0-9]+(?==|$)/g) ?? [],
    ),
  );
  expect(everySetting.filter((name) => !named.has(name) && !UNTOLD.has(name))).toEqual([]);
  const known = new Set([...everySetting, ...OF_OTHERS]);
  expect([...named].filter((name) => !known.has(name) && !known.has(name.replace(/^YOUSHI_/, '')))).toEqual([]);
});

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

test('each command that documents and files of deploy name exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const texts = [...documents, ...readdirSync('deploy').map((name) => `deploy/${name}`)].map((file) =>
    readFileSync(file, 'utf8'),
  );
  const named = texts.flatMap((text) =>
    [...text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = '']) => name),
  );
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
});

test('each act of the admin command that the document names exists', () => {
  const named = [...operations.matchAll(/npm run admin -- ([a-z][\w-]*)(?: ([a-z][\w-]*))?/g)].map(
    ([, group = '', act]) => ({ group, act }),
  );
  expect(named.length).toBeGreaterThan(8);
  const program = readdirSync('server/admin')
    .map((file) => readFileSync(`server/admin/${file}`, 'utf8'))
    .join('\n');
  const isThere = (name: string): boolean =>
    program.includes(`name: '${name}'`) || program.includes(`hostCommand('${name.replace(/^hosts /, '')}'`);
  const missing = named.filter(
    ({ group, act }) => group !== 'help' && !isThere(group) && !isThere(`${group} ${act ?? ''}`),
  );
  expect(missing).toEqual([]);
});

test('each file that the document names is there', () => {
  const files = [...operations.matchAll(/\b((?:server|scripts|deploy|docs|tests|bench)\/[\w./-]*\w)/g)].map(
    ([, file = '']) => file,
  );
  expect(files.length).toBeGreaterThan(10);
  expect([...new Set(files)].filter((file) => !existsSync(file))).toEqual([]);
});

test('each started unit is shipped', () => {
  const started = [...operations.matchAll(/systemctl (?:enable --now|start|restart|status|stop) ([^\n`;|&#]+)/g)]
    .flatMap(([, units = '']) => units.trim().split(/\s+/))
    .filter((unit) => unit.startsWith('youshi'));
  expect(started.length).toBeGreaterThan(4);
  const shipped = readdirSync('deploy');
  expect(started.filter((unit) => !shipped.includes(/\.\w+$/.test(unit) ? unit : `${unit}.service`))).toEqual([]);
});

test('ports, probes and limits equal the program’s', () => {
  const { port } = loadConfig({ DEMO: '1', DATA_DIR: '/nonexistent' });
  for (const [file, shape] of [
    ['nginx.conf', /server 127\.0\.0\.1:(\d+);/],
    ['Caddyfile', /UPSTREAM:127\.0\.0\.1:(\d+)/],
    ['compose.yml', /expose: \["(\d+)"\]/],
    ['Dockerfile', /^EXPOSE (\d+)/m],
    ['env.example', /^PORT=(\d+)/m],
  ] as const)
    expect([file, Number(shape.exec(text(file))?.[1])]).toEqual([file, port]);
  const app = readFileSync('server/app.ts', 'utf8');
  const ops = readFileSync('server/http/ops.ts', 'utf8');
  for (const probe of ['/healthz', '/readyz', '/metrics']) expect(ops).toContain(`http.get('${probe}'`);
  expect(text('Dockerfile')).toContain('/healthz');
  // A file of the program's own limit fits, and what is larger is refused by the proxy.
  const upload = Number(/fileSize: (\d+) \* 1024 \* 1024/.exec(app)?.[1]);
  expect(Number(/client_max_body_size (\d+)m;/.exec(text('nginx.conf'))?.[1])).toBe(upload + 1);
  expect(Number(/max_size (\d+)MB/.exec(text('Caddyfile'))?.[1])).toBe(upload + 1);
  const keepAlive = Number(/KEEP_ALIVE_MS = (\d+)_000/.exec(app)?.[1]);
  expect(Number(/keepalive_timeout (\d+)s;/.exec(text('nginx.conf'))?.[1])).toBeLessThan(keepAlive);
});

test('the image goes without the packages that build pages and server', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
  const [, names = ''] = /npm uninstall --no-save [^\\]*\\\n([^\\]*)\\/.exec(text('Dockerfile')) ?? [];
  const removed = names.trim().split(' ');
  expect(removed).toContain('vite');
  expect(removed.filter((name) => dependencies[name] === undefined)).toEqual([]);
});

test('responses by proxies have the program’s own envelope', () => {
  for (const file of ['nginx.conf', 'Caddyfile'])
    expect(text(file)).toContain(
      JSON.stringify({ code: codes.BODY_TOO_LARGE[0], data: null, msg: codes.BODY_TOO_LARGE[2] }),
    );
  expect(text('nginx.conf')).toContain(
    JSON.stringify({ code: codes.RATE_LIMITED[0], data: null, msg: codes.RATE_LIMITED[2] }),
  );
});

test('a server has neither the owner’s role nor the keys of the backups', () => {
  const unset = /^UnsetEnvironment=(.+)$/m.exec(text('youshi.service'))?.[1]?.split(' ') ?? [];
  expect(unset.filter((name) => !everySetting.includes(name))).toEqual([]);
  for (const name of ['MIGRATE_DATABASE_URL', 'BACKUP_DATABASE_URL', 'BACKUP_KEY']) {
    expect(unset).toContain(name);
    expect(text('compose.yml')).toMatch(new RegExp(`environment:\\s*\\{[^}]*${name}: ""`));
  }
  expect(text('compose.yml')).not.toMatch(/healthcheck[^\n]*\n\s+env_file/);
});

test('an empty setting counts as not set', () => {
  const input = { DEMO: '0', DATABASE_URL: 'postgres://a@b/c', SECRET: 'x'.repeat(32), NODE_ENV: 'development' };
  const left = {
    METRICS_TOKEN: '',
    S3_ACCESS_KEY_ID: '',
    SITE_URL: '',
    AUDIT_MAIL: '',
    BLACKLIST_URL: '',
    DATABASE_POOL: '',
  };
  expect(loadConfig({ ...input, ...left })).toEqual(loadConfig(input));
});

test('run.sh passes values unchanged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'youshi-run-'));
  const file = join(folder, 'env');
  writeFileSync(file, '# a comment\n\nA=one two & $HOME `x` "q"\nB==\nC=last');
  // As systemd would, whatever a shell thinks of it; runuser is replaced, for it needs root.
  writeFileSync(join(folder, 'runuser'), '#!/bin/sh\nshift 3\nexec "$@"\n', { mode: 0o755 });
  const out = execFileSync('sh', ['deploy/run.sh', 'sh', '-c', 'printf "%s|%s|%s|%s" "$A" "$B" "$C" "$NODE_ENV"'], {
    env: { PATH: `${folder}:${process.env.PATH ?? ''}`, YOUSHI_ENV: file },
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect(out).toBe('one two & $HOME `x` "q"|=|last|production');
});
