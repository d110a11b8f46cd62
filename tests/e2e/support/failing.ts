/** Calls that fail for a while, as on a broken line or at a broken server. */
import type { Page, Route } from '@playwright/test';

/**
 * Answers requests to these addresses by `answer` until the returned function is called. The route itself stays: one that is removed while a
 * request is on its way can leave that request without an answer.
 */
export async function failing(
  page: Page,
  urls: string | RegExp,
  answer: (route: Route) => Promise<void> = (route) => route.abort(),
): Promise<() => void> {
  let isOver = false;
  await page.route(urls, async (route) => {
    // A page that has been closed meanwhile needs no answer.
    await (isOver ? route.fallback() : answer(route)).catch(() => undefined);
  });
  return () => {
    isOver = true;
  };
}
