import { expect, test } from 'vitest';
import * as goods from '#subjects/goods/contract/goods.ts';
import { withEndpoints, withoutDocumentation } from './contract-refs.ts';

test('an importer gets the endpoints that it names, on as many lines; data stay an import, types do not', async () => {
  const code = `import {
  type Listing,
  getGoodsList as search,
  goodsCard,
} from '#subjects/goods/contract/goods.ts';
import { useState } from 'react';
`;
  const changed = await withEndpoints(code, async () => await Promise.resolve(goods));
  expect(changed.split('\n')).toHaveLength(code.split('\n').length);
  expect(changed).toContain(
    `import { goodsCard } from '#subjects/goods/contract/goods.ts'; const search = {"method":"`,
  );
  expect(changed).not.toMatch(/Listing|"input"|"data"|"summary"/);
});

test('contracts reach browsers without the texts of the document, on as many lines', () => {
  const code = `export const one = endpoint({
  method: 'GET',
  summary: '一句话',
  input: z.object({ summary: z.string() }),
});
export const two = staffRead('/api/backstage/two', '两句话', { input });
export const three = staffWrite(
  '/api/backstage/three',
  '三句话',
  { input },
);
`;
  const changed = withoutDocumentation(code);
  expect(changed.split('\n')).toHaveLength(code.split('\n').length);
  expect(changed).not.toMatch(/句话/);
  expect(changed).toContain('input: z.object({ summary: z.string() })');
  expect(changed).toContain("staffRead('/api/backstage/two', '', { input })");
});
