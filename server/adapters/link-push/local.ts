import type { LinkPush } from '#server/ports/link-push.ts';

const QUOTA = 100;

/** Accepts all addresses within its own quota and sends nothing; for the demo market. */
export function localLinkPush({ now }: { now: () => Date }): LinkPush {
  const used = new Map<string, number>();
  return {
    most: QUOTA,
    submit({ origin, urls }) {
      const day = `${origin} ${now().toISOString().slice(0, 10)}`;
      const before = used.get(day) ?? 0;
      const accepted = Math.min(urls.length, QUOTA - before);
      used.set(day, before + accepted);
      return Promise.resolve({ accepted, remaining: QUOTA - before - accepted, refused: [] });
    },
  };
}
