import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { codes } from '#contract/codes.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpointGroups, endpoints } from '#contract/registry.ts';

interface Row {
  method: string;
  path: string;
  access: string;
}

/** The specification's list of calls, one row each. */
const rows = readFileSync('tests/support/calls/endpoints.tsv', 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line): Row => {
    const [, method = '', path = '', access = ''] = line.split('\t');
    return { method, path: path.replace(/\/$/, ''), access };
  });

/** URLs of a call: its own, and with its id appended. `u` is how the log-in poll writes its code. */
function addresses(endpoint: Endpoint): string[] {
  const { path, idField } = endpoint;
  return idField === undefined ? [path] : [path, `${path}/{${idField}}`, `${path}/{${idField}}u`];
}

const name = (e: Endpoint): string => `${e.method} ${e.path}`;
const shapeOf = (e: Endpoint): Record<string, z.ZodType> =>
  e.input instanceof z.ZodObject ? (e.input.shape as Record<string, z.ZodType>) : {};

describe('every call of the specification', () => {
  it('is in the tested list', () => {
    expect(rows).toHaveLength(117);
  });

  it.each(rows)('$method $path is declared, $access', ({ method, path, access }) => {
    const declared = endpoints.filter((e) => e.method === method && addresses(e).includes(path));
    expect(declared.map((e) => e.auth)).toEqual([access]);
  });
});

describe('every declared call', () => {
  it('is declared under a name of one call only', () => {
    const names = endpoints.map(name);
    expect(names.filter((n, i) => names.indexOf(n) !== i)).toEqual([]);
  });

  it('is in one group', () => {
    expect(endpointGroups.flatMap((g) => g.endpoints)).toHaveLength(new Set(endpoints).size);
    expect(new Set(endpointGroups.map((g) => g.name)).size).toBe(endpointGroups.length);
  });

  it.each(endpoints.map((e) => [name(e), e] as const))('%s is well formed', (_, e) => {
    expect(e.path).toMatch(/^\/api\/[\w/]+$/);
    expect(e.summary).toMatch(/[\u4e00-\u9fff]/);
    expect(e.input).toBeInstanceOf(z.ZodObject);
    if (e.idField !== undefined) {
      expect(e.method).toBe('GET');
      expect(Object.keys(shapeOf(e))).toContain(e.idField);
    }
    if (e.idempotent) expect(e.method).toBe('POST');
  });

  it('returns the start of the next page if it is paged', () => {
    const paged = endpoints.filter((e) => 'cursor' in shapeOf(e));
    expect(paged.length).toBeGreaterThan(20);
    const silent = paged.filter((e) => !(e.data instanceof z.ZodObject) || !('next' in e.data.shape));
    expect(silent.map(name)).toEqual([]);
  });

  it('has error messages in Chinese, and none with a word that the specified client reacts to', () => {
    const wrong: unknown[] = [
      undefined,
      null,
      '',
      'x'.repeat(70_000),
      '\u0001',
      '<token>',
      -1,
      {},
      [[]],
      '[1]',
      '[{}]',
      '{}',
    ];
    const bad = endpoints.flatMap((e) =>
      Object.entries(shapeOf(e)).flatMap(([key, field]) =>
        wrong.flatMap((value) => {
          const messages = field.safeParse(value).error?.issues.map((issue) => issue.message) ?? [];
          return messages
            .filter((m) => !/[\u4e00-\u9fff]/.test(m) || /token|tcp|登录已过期/i.test(m))
            .map((m) => `${name(e)} ${key}: ${m}`);
        }),
      ),
    );
    expect(bad).toEqual([]);
  });
});

describe('error codes', () => {
  const all = Object.entries(codes);

  it('have numbers that no other error has', () => {
    const numbers = all.map(([, [number]]) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers).not.toContain(0);
  });

  it('are all used by the server, outside its tests', () => {
    const server = globSync('{server,subjects}/**/*.ts')
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    expect(all.filter(([name]) => !server.includes(`'${name}'`)).map(([name]) => name)).toEqual([]);
  });

  it('mention an ended log-in only where it ended', () => {
    expect(all.filter(([, [, , text]]) => /token|tcp|登录已过期/i.test(text)).map(([error]) => error)).toEqual([
      'LOGIN_REQUIRED',
    ]);
  });
});
