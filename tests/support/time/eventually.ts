/** For `vi.waitFor` and `vi.waitUntil`, in ms: a limit for what hangs, as that of `expect.poll` in vitest.config.ts; the defaults end after a second. */
export const EVENTUALLY = { timeout: 60_000, interval: 20 };
