import { expect, test } from 'vitest';
import * as goods from '#subjects/goods/contract/goods.ts';
import { withEndpoints } from './contract-refs.ts';

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
