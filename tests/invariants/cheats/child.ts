/**
 * One search as a separate program: `CHEAT_ACTS`, `CHEAT_SEED`, `CHEAT_SEATS`, `CHEAT_THEME`, `CHEAT_FINDING` for only one finding of findings.ts, and
 * `CHEAT_ALL=1` to go on after the first find. The last line of its output is JSON. Rules are switched off from outside (mutants.ts), before anything is loaded.
 */
import { sizeOf } from '#tests/sizes.ts';
import { cheatSeed } from '#tests/support/time/chance.ts';
import { dropKeptDatabases } from '#tests/support/database/reused-databases.ts';
import { ACTIONS_PER_EVENING, openEvenings, playEvening } from './actions/evenings.ts';
import { cheatsOfFinding, type FindingName, findingOf, sortOut } from './rules/findings.ts';
import { KNOWN } from './rules/known.ts';
import { openMarket, switchOff } from './worlds/market.ts';
import type { Outcome } from './run.ts';
import { type Played, search, shrink, storyOf } from './search.ts';
import { EVENINGS, THEMES, type Toward } from './worlds/setting.ts';

const actions = sizeOf('cheatActions');
const seed = cheatSeed();
const all = process.env.CHEAT_ALL === '1';
const wanted = process.env.CHEAT_FINDING ?? '';
const finding = wanted === '' ? undefined : findingOf(wanted);
const theme = process.env.CHEAT_THEME ?? finding?.theme;

/** Counts the findings by text, ignoring their numbers. */
function countTexts(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) {
    const plain = text.replaceAll(/[\d.]+/g, 'n');
    counts[plain] = (counts[plain] ?? 0) + 1;
  }
  return counts;
}

/** The shortest stories, one of each kind: by the broken promise and the last two actions. */
async function shortestStories(market: Parameters<typeof shrink>[0], found: readonly Played[]): Promise<string[]> {
  const kinds = new Map<string, Played>();
  for (const played of found) {
    const last = played.steps.slice(-2).map((s) => s.action);
    const kind = `${played.cheats[0]?.promise}:${last.join()}`;
    if ((kinds.get(kind)?.steps.length ?? Infinity) > played.steps.length) kinds.set(kind, played);
  }
  const shortest = new Map<string, string>();
  for (const played of [...kinds.values()].toSorted((x, y) => x.steps.length - y.steps.length).slice(0, all ? 12 : 1)) {
    const short = await shrink(market, played);
    shortest.set(`${short.cheats[0]?.promise}:${short.steps.map((s) => s.action).join()}`, storyOf(short));
  }
  return [...shortest.values()];
}

/** How often each action was carried out and tried. */
function countActions(memory: ReadonlyMap<string, { times: number; done: number }>): Outcome['acts'] {
  const acts: Record<string, [done: number, tried: number]> = {};
  for (const [key, { done, times }] of memory) {
    const name = key.split('(')[0] ?? '';
    const [before, tried] = acts[name] ?? [0, 0];
    acts[name] = [before + done, tried + times];
  }
  return acts;
}

async function searchMarket(): Promise<Outcome> {
  const market = await openMarket(Number(process.env.CHEAT_SEATS ?? 8));
  const result = await search(market, {
    actions,
    seed,
    stop: () => !all,
    theme: THEMES.find((name) => name === theme),
    toward: process.env.CHEAT_TOWARD === undefined ? finding?.toward : (JSON.parse(process.env.CHEAT_TOWARD) as Toward),
    finding: finding?.name,
    ...(process.env.CHEAT_TELL === '1' && { print: console.error }),
  });
  const stories = await shortestStories(market, result.found);
  await market.close();
  return {
    acts: countActions(result.memory),
    actions: result.actions,
    worlds: result.worlds,
    seconds: result.seconds,
    found: result.found.length,
    seed: result.found[0]?.seed ?? null,
    known: Object.fromEntries(result.known),
    promise: result.found[0]?.cheats[0]?.promise ?? null,
    texts: countTexts(result.found.flatMap((played) => played.cheats.map(({ text }) => text))),
    stories,
  };
}

/** The same over evenings of companion play; their stories are told as they were found. */
async function searchEvenings(): Promise<Outcome> {
  const start = performance.now();
  const market = await openEvenings();
  await switchOff(market.t);
  const stories: string[] = [];
  const texts: string[] = [];
  const known = new Map<FindingName, number>();
  let worlds = 0;
  while (worlds * ACTIONS_PER_EVENING < actions && (all || stories.length === 0)) {
    const played = await playEvening(market, seed, worlds);
    worlds += 1;
    const sorted = sortOut(played.cheats, KNOWN);
    for (const name of sorted.known) known.set(name, (known.get(name) ?? 0) + 1);
    const cheats = finding ? cheatsOfFinding(played.cheats, finding) : sorted.cheats;
    if (cheats.length === 0) continue;
    texts.push(...cheats.map(({ text }) => text));
    const end = cheats.map(({ promise, text }) => `  => promise ${promise}: ${text}`);
    stories.push([...played.story.map((line, i) => `  ${i + 1}. ${line}`), ...end].join('\n'));
  }
  await market.close();
  return {
    acts: {},
    actions: worlds * ACTIONS_PER_EVENING,
    worlds,
    seconds: (performance.now() - start) / 1000,
    found: stories.length,
    seed: stories.length > 0 ? seed : null,
    known: Object.fromEntries(known),
    promise: stories.length > 0 ? 5 : null,
    texts: countTexts(texts),
    stories,
  };
}

const outcome = theme === EVENINGS ? await searchEvenings() : await searchMarket();
await dropKeptDatabases();
console.log(JSON.stringify(outcome));
