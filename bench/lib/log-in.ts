import type { BrowserContext } from '@playwright/test';

const PASSWORD = 'youshi2026';
/** Cookies that the market's own pages set from the answer (product.md 3). */
const HINTS = ['token', 'userId', 'nickName', 'actor'];

/** Logs a demo user in to a market by its call, without the page. Throws with the market's message when it refuses. */
export async function logIn(context: BrowserContext, market: string, phone: string): Promise<void> {
  const response = await context.request.post(`${market}/api/user/login`, {
    form: { username: phone, password: PASSWORD },
    headers: { 'x-timestamp': String(Date.now()) },
  });
  const answer = (await response.json()) as { code: number; msg: string; data: Record<string, string> };
  if (answer.code !== 0) throw new Error(`${phone} cannot log in: ${answer.msg}`);
  await context.addCookies(
    HINTS.map((name) => ({ name, value: encodeURIComponent(answer.data[name] ?? ''), url: market })),
  );
}
