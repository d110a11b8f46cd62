/**
 * One search as a program of its own: `CHEAT_ACTS`, `CHEAT_SEED`, `CHEAT_SEATS`, `CHEAT_THEME`, and `CHEAT_ALL=1` to go on after the first find. The last line of
 * its output is JSON. Rules are switched off from outside (mutants.ts), before anything is loaded.
 */
import { openMarket } from './market.ts';
import { THEMES, type Toward } from './setting.ts';
import { type Played, search, shrink, storyOf } from './search.ts';

const actions = Number(process.env.CHEAT_ACTS ?? 20_000);
const seed = Number(process.env.CHEAT_SEED ?? 1);
const all = process.env.CHEAT_ALL === '1';

const market = await openMarket(Number(process.env.CHEAT_SEATS ?? 8));
const result = await search(market, {
  actions,
  seed,
  stop: () => !all,
  theme: THEMES.find((theme) => theme === process.env.CHEAT_THEME),
  toward: JSON.parse(process.env.CHEAT_TOWARD ?? '{}') as Toward,
  ...(process.env.CHEAT_TELL === '1' && { print: console.error }),
});
/** One of each kind: by the broken promise and the last two acts. */
const kinds = new Map<string, Played>();
for (const played of result.found) {
  const kind = `${played.cheats[0]?.promise}:${played.steps
    .slice(-2)
    .map((s) => s.action)
    .join()}`;
  if ((kinds.get(kind)?.steps.length ?? Infinity) > played.steps.length) kinds.set(kind, played);
}
const shortest = new Map<string, string>();
for (const played of [...kinds.values()].toSorted((x, y) => x.steps.length - y.steps.length).slice(0, all ? 12 : 1)) {
  const short = await shrink(market, played);
  shortest.set(`${short.cheats[0]?.promise}:${short.steps.map((s) => s.action).join()}`, storyOf(short));
}
await market.close();
/** What was found, without its numbers: how often. */
const texts: Record<string, number> = {};
for (const { text } of result.found.flatMap((played) => played.cheats)) {
  const plain = text.replaceAll(/[\d.]+/g, 'n');
  texts[plain] = (texts[plain] ?? 0) + 1;
}
/** How often each act was carried out and tried. */
const acts: Record<string, [done: number, tried: number]> = {};
for (const [key, { done, times }] of result.memory) {
  const name = key.split('(')[0] ?? '';
  const [before, tried] = acts[name] ?? [0, 0];
  acts[name] = [before + done, tried + times];
}
console.log(
  JSON.stringify({
    acts,
    actions: result.actions,
    worlds: result.worlds,
    seconds: result.seconds,
    found: result.found.length,
    promise: result.found[0]?.cheats[0]?.promise ?? null,
    texts,
    stories: [...shortest.values()],
  }),
);
