/** Calls as a person's own page would make them, for what a journey needs and is not about. */
import { expect } from '@playwright/test';
import { MARKET, type Person } from './people.ts';

/** Calls the market as a signed-in person; `form` makes it a POST. Fails unless it is code 0. */
export async function callAs<T>({ context }: Person, path: string, form?: Record<string, string>): Promise<T> {
  const cookies = await context.cookies();
  const cookie = (wanted: string): string =>
    decodeURIComponent(cookies.find(({ name }) => name === wanted)?.value ?? '');
  const headers = {
    authorization: cookie('token'),
    'x-csrf-token': cookie('csrfToken'),
    'x-timestamp': String(Date.now()),
  };
  const url = `${MARKET}${path}`;
  const response = form
    ? await context.request.post(url, { form, headers })
    : await context.request.get(url, { headers });
  const envelope = (await response.json()) as { code: number; data: T; msg: string };
  expect(envelope.code, `${path}: ${envelope.msg}`).toBe(0);
  return envelope.data;
}
