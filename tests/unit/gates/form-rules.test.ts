/** The lint rules about errors: code never depends on a sentence's text, and no error code is written as a number. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '#contract/registry.ts';
import { lint } from '#tests/support/tools/lint.ts';

/** How often oxlint names each of our rules in a source. */
function found(source: string): Record<string, number> {
  const rules = lint([['web/lib/planted.ts', source]]).flatMap(({ code }) => /forms\(([\w-]+)\)/.exec(code)?.[1] ?? []);
  return Object.fromEntries([...new Set(rules)].map((rule) => [rule, rules.filter((r) => r === rule).length]));
}

test('a decision by the text of a message is an error', () => {
  const source = `
export const a = (e: { msg: string }): boolean => e.msg.includes('价格');
export const b = (msg: string): boolean => msg.startsWith('标题');
export const c = (text: string): boolean => text.match(/密码/) !== null;
export const d = (e: { message: string }): boolean => /大区|服务器/.test(e.message);
export const f = (msg: string, name: string): boolean => msg.includes(\`含\${name}\`);
export const i = (e: { msg: string }): boolean => e.msg === '不在该群聊中';
export const h = (message: string, label: string): boolean => message.includes(label);
export const g = (name: string): boolean => /^[一-龥]+$/.test(name) && name.includes('x');
`;
  expect(found(source)).toEqual({ 'no-chinese-match': 7 });
});

test('a hand-written flag for a pending call is an error', () => {
  const source = `
import { useState } from 'react';
export function useOne(): unknown {
  const [busy, setBusy] = useState(false);
  const [saving] = useState<string | null>(null);
  const [isOpen] = useState(false);
  return [busy, setBusy, saving, isOpen];
}
`;
  expect(found(source)).toEqual({ 'no-busy-flag': 2 });
});

test('an error code as a number is an error', () => {
  const source = `
export const a = (e: { code: number }): boolean => e.code === 2005;
export const b = (code: number): boolean => 4000 <= code;
export const c = (e: { code: number; status: number }): boolean => e.code === 0 || e.status === 4000;
`;
  expect(found(source)).toEqual({ 'named-code': 2 });
});

/** Names of input fields at the top of any call's input. */
function inputNames(): Set<string> {
  const schemas = endpoints.map(({ input }) => z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }));
  // The file of an upload is sent next to the input.
  return new Set(['file', ...schemas.flatMap((s) => Object.keys(s.properties ?? {}))]);
}

test('every field that a service names is a field of a call', () => {
  const known = inputNames();
  expect(known.size).toBeGreaterThan(100);
  const named = globSync('{server,subjects}/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/new AppError\([^;]*?\bfield: '([\w.]+)'/g)].map(
        ([, field = '']) => [file, field] as const,
      ),
    );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(([, field]) => !known.has(field.split('.')[0] ?? ''))).toEqual([]);
});
