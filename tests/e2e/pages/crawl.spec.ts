/**
 * Opens every page of the demo market and looks at it at both widths: status, address, console, headings, width, what a screen reader meets,
 * and what moves. The long lane looks at the back office in the dark theme as well. A failure lists each address with its width and what is wrong there.
 */
import { expect } from '@playwright/test';
import type { UrlEntry } from '#web/lib/pages/url-map.ts';
import {
  addressOf,
  buyersOwn,
  companionOrder,
  isStill,
  LOGINS,
  ownSamples,
  pagesOf,
  partsOf,
  publicSamples,
  type Samples,
} from '../support/crawl/addresses.ts';
import { type Expectation, inspect, windowsOf } from '../support/crawl/inspect.ts';
import { BACK_OFFICE, type People, type Person, test } from '../support/people.ts';
import { signIn, staffAtWork } from '../support/sign-in.ts';

/** Addresses per test. A test signs in once, which costs as much as an address. */
const PART = 12;
/** Maximum layout shift of a home page variant with the CPU throttled six times. */
const VARIANT: Expectation = { maxShift: 0.01, slowdown: 6 };

// The first of them meet a market that has rendered nothing yet, on a machine that may be three times slower than the usual one.
test.describe.configure({ timeout: 600_000 });

/** Opens addresses one after another; fails with everything that is wrong with them. */
async function crawl(
  person: Person,
  addresses: readonly string[],
  expected: (address: string) => Expectation = (address) => ({ isStill: isStill(address) }),
  baseURL?: string,
): Promise<void> {
  expect(addresses.length).toBeGreaterThan(0);
  const { windows, close } = await windowsOf(person, baseURL);
  const found: string[] = [];
  for (const address of addresses)
    await test.step(address, async () => found.push(...(await inspect(windows, address, expected(address)))));
  await close();
  expect(found).toEqual([]);
}

async function signedIn(people: People, login: keyof typeof LOGINS): Promise<Person> {
  const person = await people.visitor(login);
  await signIn(person, LOGINS[login]);
  return person;
}

const addressesOf = (entries: readonly UrlEntry[], samples: Samples): string[] =>
  entries.map((entry) => addressOf(entry, samples));

for (const [at, entries] of partsOf(pagesOf.visitor, PART).entries())
  test(`public pages ${at + 1}`, async ({ people }) => {
    const visitor = await people.visitor('visitor');
    await crawl(visitor, addressesOf(entries, await publicSamples(visitor)));
  });

for (const login of ['buyer', 'seller'] as const)
  for (const [at, entries] of partsOf(pagesOf[login], PART).entries())
    test(`pages of the ${login} ${at + 1}`, async ({ people }) => {
      const person = await signedIn(people, login);
      // The seller's pages have parameters of public goods; orders are the buyer's.
      const samples = login === 'buyer' ? await ownSamples(person) : await publicSamples(person);
      await crawl(person, addressesOf(entries, samples));
    });

test('covers, complaints and orders in every state', async ({ people }) => {
  const buyer = await signedIn(people, 'buyer');
  await crawl(buyer, await buyersOwn(buyer, await ownSamples(buyer)));
});

for (const [at, entries] of partsOf(pagesOf.admin, PART).entries())
  test(`pages of the back office ${at + 1}`, async ({ people }) => {
    const admin = await staffAtWork(people, 'admin');
    const addresses = entries.map(({ path }) => path);
    await crawl(admin, addresses, () => ({}), BACK_OFFICE);
  });

test('every variant of the home page', async ({ people }) => {
  const variants = [1, 2, 3, 4, 5, 6, 7].map((layout) => `/?layout=${layout}`);
  await crawl(await signedIn(people, 'buyer'), variants, () => VARIANT);
});

test('pages of the companion', async ({ people }) => {
  const companion = await signedIn(people, 'companion');
  await crawl(companion, addressesOf(pagesOf.companion, await publicSamples(companion)));
});

test('an order of companion play', async ({ people }) => {
  const companion = await signedIn(people, 'companion');
  const order = await companionOrder(companion);
  await crawl(companion, [order], () => ({ isStill: true, shows: { role: 'region', name: '服务进度' } }));
});

test('pages that are not there', async ({ people }) => {
  const visitor = await people.visitor('visitor');
  const lost: Expectation = { status: 404, isStill: true, shows: { role: 'heading', name: '看看在售商品' } };
  await crawl(visitor, ['/nowhere', '/pay/go/zzz'], () => lost);
});
