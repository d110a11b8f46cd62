import { expect, test } from 'vitest';
import { loader as cases } from './cases.tsx';
import { loader as news } from './news-list.tsx';

type Loader = (args: never) => Promise<unknown>;

/** The redirect target of a loader, or its status. */
async function leadsTo(loader: Loader, address: string): Promise<string | number> {
  try {
    const response = await loader({ url: new URL(`http://localhost${address}`), params: {}, context: {} } as never);
    return response instanceof Response ? (response.headers.get('location') ?? '') : 'a page';
  } catch (thrown) {
    return (thrown as { init?: { status?: number } }).init?.status ?? 0;
  }
}

test.each([
  [news, '/news?id=12', '/news/12'],
  [news, '/news?id=security', '/news/security'],
  [news, '/news?id=', 404],
  [news, '/news?id=../x', 404],
  [cases, '/eventCase?id=7', '/eventCase/detail?id=7'],
  [cases, '/eventCase?id=0', 404],
  [cases, '/eventCase?id=x', 404],
] as const)('a link by number opens what it names, or says that it is gone: %#', async (loader, address, to) => {
  expect(await leadsTo(loader, address)).toBe(to);
});
