/**
 * The search: worlds in which the coalition tries what pays, honest people respond immediately, clocks run out, and in the end the promises are
 * checked. Guided by its earlier worlds: acts that were seldom carried out in a state are preferred, those that a state always refuses are
 * seldom tried again, and each world has a theme. What is found is shrunk by doing it again with less.
 */
import { sql } from 'kysely';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { caseActions, cash } from './actions/actions-cases.ts';
import { boostingActions } from './actions/actions-boosting.ts';
import { presenceActions } from './actions/actions-boosting-presence.ts';
import { boostingCaseActions } from './actions/actions-boosting-cases.ts';
import { dealActions } from './actions/actions-deals.ts';
import { listingActions } from './actions/actions-listings.ts';
import { proofActions } from './actions/actions-proofs.ts';
import { readingActions } from './actions/actions-reading.ts';
import { recyclingActions } from './actions/actions-recycling.ts';
import { staffActions } from './actions/actions-staff.ts';
import { type Action, tradeActions } from './actions/actions-trade.ts';
import { Chance } from '#tests/support/time/chance.ts';
import type { Cheat } from './cheat.ts';
import { cheatsOf, moneyOf, wealth } from './rules/checks.ts';
import { cheatsOfFinding, type FindingName, findingOf, sortOut } from './rules/findings.ts';
import { KNOWN } from './rules/known.ts';
import { beforeClock, react, ruleOpenCases } from './honest/honest.ts';
import { type Memory, stateOf, THEME_BOOST, weightOf } from './guide.ts';
import type { Market, Seat } from './worlds/market.ts';
import { draw, LATE_STEP, led, type Setting, type Step, type Theme, THEMES, type Toward } from './worlds/setting.ts';
import { World } from './worlds/world.ts';

const JUMP = 'wait';
const SELLERS = ['b', 'c'] as const;
const ACTIONS: readonly Action[] = [
  ...listingActions,
  ...dealActions,
  ...tradeActions,
  ...caseActions,
  ...staffActions,
  ...recyclingActions,
  ...boostingActions,
  ...boostingCaseActions,
  ...presenceActions,
  ...readingActions,
  ...proofActions,
];
/** An account sold to recyclers is not listed as well: a fingerprint is in one place at a time, which `account-sold-twice` tests elsewhere. */
const NOT_RECYCLED = ['publish', 'push', 'deal'];
const byName = new Map(ACTIONS.map((action) => [action.name, action]));
const SHIPPED = 2;
const MIN_STEPS = 6;
/** A debt is paid by the income after the one that was withdrawn: its worlds are long. */
const MIN_STEPS_OF_DEBTS = 18;
const MAX_STEPS = 26;
const MAX_CLOCKS = 40;
/** How much more often an act is tried that a search is led to. */
const TOWARD_BOOST = 6;
const JUMP_WEIGHT = 7;
const SLACK_SECONDS = 2;

/** Result of one world. */
export interface Played {
  seed: number;
  setting: Setting;
  steps: Step[];
  story: string[];
  refusals: string[];
  /** Cheats that no known finding explains; in a search for one finding, the cheats that show it. */
  cheats: Cheat[];
  /** The known findings that it shows. */
  known: FindingName[];
  /** The one finding that was searched for. */
  finding: FindingName | undefined;
  calls: number;
  /** Attempts and successes by action and state. */
  tried: Map<string, { times: number; done: number }>;
}

async function jump(w: World): Promise<boolean> {
  await react(w);
  const next = await w.market.watch.next(w.ids);
  if (!next) return false;
  await beforeClock(w, next.what);
  // The reaction may have moved the clock.
  const now = await w.market.watch.next(w.ids);
  if (!now) return false;
  const kind = now.what.split(':')[0] ?? '';
  await w.pass(Math.max(0, now.seconds) + SLACK_SECONDS);
  w.calls += 1;
  const hours = Math.round(now.seconds / 360) / 10;
  w.log(`${hours} hours pass, until the clock '${kind}' runs out.`);
  if (kind === 'hold.release' && w.setting.empties) await emptyPockets(w);
  return true;
}

/** Withdraws the coalition's released proceeds from the market. */
async function emptyPockets(w: World): Promise<void> {
  await w.read();
  for (const who of SELLERS) if (w.setting.cast.includes(who)) await cash.run(w, [who]);
}

async function take(w: World, step: Step): Promise<boolean> {
  if (step.action === JUMP) return await jump(w);
  const action = byName.get(step.action);
  if (!action) return false;
  // A story that was cut may lack what the act is about.
  const open = action.options(w).some((at) => String(at) === String(step.at));
  return open && (await action.run(w, step.at));
}

/** Whether this world goes without the act. */
function isOmitted(w: World, action: Action, at: readonly (string | number)[]): boolean {
  const { omits, service } = w.setting;
  if (omits.includes(action.name) || (service === 'recycling' && NOT_RECYCLED.includes(action.name))) return true;
  const isStep = action.name === 'step' || action.name === 'handOver';
  return isStep && omits.includes(LATE_STEP) && w.order(Number(at[0]))?.status === SHIPPED;
}

/** Guidance for the choice of an action: the world's theme, what was met before, and the acts that the search is led to. */
interface Guide {
  theme: string;
  memory: Memory;
  acts: readonly string[];
}

function choose(w: World, chance: Chance, { theme, memory, acts }: Guide): { step: Step; key: string } | undefined {
  const all: { item: { step: Step; key: string }; weight: number }[] = [];
  const boostOf = (name: string): number => (acts.includes(name) ? TOWARD_BOOST : 1);
  for (const action of ACTIONS) {
    const options = action.options(w).filter((at) => !isOmitted(w, action, at));
    for (const at of options)
      all.push({
        item: { step: { action: action.name, at }, key: stateOf(w, action, at) },
        weight: (boostOf(action.name) * weightOf(w, action, at, theme, memory)) / Math.sqrt(options.length),
      });
  }
  const weight = boostOf(JUMP) * (theme === 'debts' ? JUMP_WEIGHT * THEME_BOOST : JUMP_WEIGHT);
  if (w.state.orders.length > 0 || w.services.requests.length > 0 || w.services.posts.length > 0)
    all.push({ item: { step: { action: JUMP, at: [] }, key: JUMP }, weight });
  return chance.weighted(all);
}

/** Every clock runs out, honest people answer, and the coalition rests. */
async function finish(w: World): Promise<void> {
  for (let i = 0; i < MAX_CLOCKS; i++) {
    await react(w);
    if (!(await jump(w)) && !(await ruleOpenCases(w))) break;
  }
  await repeatPayment(w);
}

/** A person who lost the response to a payment sends it again under the same key, however late, and gets the same response. */
async function repeatPayment(w: World): Promise<void> {
  const o = w.state.orders.find((x) => w.buyer(x) === 'hb' && w.paid.has(x.id));
  if (!o) return;
  const again = await w.call(w.client('hb'), balancePay, { orderId: o.id }, `pay-${o.id}`);
  if (!again)
    w.broken.push({ promise: 5, text: 'a payment that was asked again under its key was told that it failed' });
}

async function begin(market: Market, seat: Seat, setting: Setting): Promise<World> {
  // The second factor of staff holds for some minutes of real time; a slow machine must not make colleagues fail. Worlds begin side by side:
  // a session that another one is renewing is left to it.
  await sql`update session set factor_verified_at = now() where id_hash in (
    select id_hash from session where factor_verified_at < now() - interval '1 minute' for update skip locked)`.execute(
    market.t.ctx.db,
  );
  const w = await World.open(market, seat, setting);
  const money = await moneyOf(w);
  w.startFen = {
    house: 0,
    hb: wealth(w, money, 'hb'),
    hs: wealth(w, money, 'hs'),
    coalition: wealth(w, money, 'coalition'),
  };
  return w;
}

async function withSeat<T>(market: Market, work: (seat: Seat) => Promise<T>): Promise<T> {
  const seat = market.seats.find((s) => !s.busy);
  if (!seat) throw new Error('every seat is taken');
  seat.busy = true;
  try {
    return await work(seat);
  } finally {
    seat.busy = false;
  }
}

/** The target of a search: worlds of one theme, and the one finding that counts. */
export interface Lead {
  theme?: Theme | undefined;
  /** The preferences of the worlds of the theme. */
  toward?: Toward | undefined;
  finding?: FindingName | undefined;
}

/** Judges a world that has ended: everything but what is known, or one finding alone. */
async function judge(w: World, finding: FindingName | undefined): Promise<Pick<Played, 'cheats' | 'known'>> {
  const all = await cheatsOf(w);
  return finding ? { cheats: cheatsOfFinding(all, findingOf(finding)), known: [] } : sortOut(all, KNOWN);
}

/** Plays a world of chance. The same seed and memory give the same world. */
export async function play(
  market: Market,
  seed: number,
  memory: Memory,
  { theme: wanted, toward = {}, finding }: Lead = {},
): Promise<Played> {
  return await withSeat(market, async (seat) => {
    const chance = new Chance(seed);
    const drawn = chance.of(THEMES);
    const theme = wanted ?? drawn;
    const setting = led(draw(chance, theme), toward);
    const guide = { theme, memory, acts: toward.acts ?? [] };
    const w = await begin(market, seat, setting);
    const steps: Step[] = [];
    const tried: Memory = new Map();
    const least = theme === 'debts' ? MIN_STEPS_OF_DEBTS : MIN_STEPS;
    const length = least + Math.floor(chance.next() * (MAX_STEPS - MIN_STEPS));
    for (let i = 0; i < length; i++) {
      const chosen = choose(w, chance, guide);
      if (!chosen) break;
      const reactions = chance.of(setting.pace);
      const step: Step = { ...chosen.step, reactions };
      const done = await take(w, step);
      const met = tried.get(chosen.key) ?? { times: 0, done: 0 };
      tried.set(chosen.key, { times: met.times + 1, done: met.done + (done ? 1 : 0) });
      if (!done) continue;
      steps.push(step);
      await react(w, reactions);
    }
    await finish(w);
    return {
      seed,
      setting,
      steps,
      story: w.story,
      refusals: w.refusals,
      ...(await judge(w, finding)),
      finding,
      calls: w.calls,
      tried,
    };
  });
}

/** Does a story again, without what does not fit any more. */
async function replay(market: Market, { setting, finding }: Played, steps: readonly Step[]): Promise<Played> {
  return await withSeat(market, async (seat) => {
    const w = await begin(market, seat, setting);
    const done: Step[] = [];
    for (const step of steps) {
      await w.read();
      if (!(await take(w, step))) continue;
      done.push(step);
      await react(w, step.reactions);
    }
    await finish(w);
    return {
      seed: 0,
      setting,
      steps: done,
      story: w.story,
      refusals: w.refusals,
      ...(await judge(w, finding)),
      finding,
      calls: w.calls,
      tried: new Map(),
    };
  });
}

/** A broken promise is one kind, a ground rule another one for each rule: its text without numbers. */
const kindOf = (cheat: Cheat | undefined): string =>
  cheat?.promise === 5 ? cheat.text.replaceAll(/[\d.]+/g, 'n') : String(cheat?.promise);

/** Keeps of what was found only what it needs, as long as the same promise or the same rule stays broken. */
export async function shrink(market: Market, found: Played, most = 60): Promise<Played> {
  const kind = kindOf(found.cheats[0]);
  let best = found;
  let tries = 0;
  const still = async (steps: readonly Step[]): Promise<boolean> => {
    tries += 1;
    const again = await replay(market, best, steps);
    if (!again.cheats.some((cheat) => kindOf(cheat) === kind)) return false;
    best = again;
    return true;
  };
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = best.steps.length - size; from >= 0 && tries < most; from -= size)
      await still(best.steps.filter((_, i) => i < from || i >= from + size));
  }
  return best;
}

/** Adds what was met to what is known. */
export function remember(memory: Memory, tried: Memory): void {
  for (const [key, { times, done }] of tried) {
    const met = memory.get(key) ?? { times: 0, done: 0 };
    memory.set(key, { times: met.times + times, done: met.done + done });
  }
}

/** Tells a cheat as a story. */
export function storyOf(played: Played): string {
  const lines = played.story.map((line, i) => `  ${i + 1}. ${line}`);
  const refusals = played.refusals.map((line) => `  refused ${line}`);
  return [...lines, ...refusals, ...played.cheats.map((c) => `  => promise ${c.promise}: ${c.text}`)].join('\n');
}

export interface Search {
  actions: number;
  worlds: number;
  seconds: number;
  found: Played[];
  /** In how many worlds each known finding was met. */
  known: Map<FindingName, number>;
  memory: Memory;
}

/**
 * Plays worlds until so many acts were done, several at a time; stops at the first that `stop` is content with. What a batch has met guides
 * the next one, so that a seed's search is the same again.
 */
export async function search(
  market: Market,
  options: Lead & {
    actions: number;
    seed: number;
    stop?: (played: Played) => boolean;
    print?: (line: string) => void;
  },
): Promise<Search> {
  const start = performance.now();
  const memory: Memory = new Map();
  const found: Played[] = [];
  const known = new Map<FindingName, number>();
  let [actions, worlds] = [0, 0];
  while (actions < options.actions) {
    const first = options.seed + worlds;
    const batch = await Promise.all(
      market.seats.map((_, i) => play(market, first + i, memory, i % 2 === 0 || options.finding ? options : {})),
    );
    for (const played of batch) {
      remember(memory, played.tried);
      actions += played.calls;
      worlds += 1;
      for (const name of played.known) known.set(name, (known.get(name) ?? 0) + 1);
      if (played.cheats.length === 0) continue;
      found.push(played);
      options.print?.(storyOf(played));
    }
    options.print?.(`${actions} acts, ${worlds} worlds, ${found.length} found`);
    if (options.stop && batch.some((p) => p.cheats.length > 0 && options.stop?.(p) === true)) break;
  }
  return { actions, worlds, seconds: (performance.now() - start) / 1000, found, known, memory };
}

/** Searches for one finding alone, in worlds that are led to it, and stops at the first. Rejects as `search` does. */
export async function searchFinding(
  market: Market,
  name: FindingName,
  { seed, actions }: { seed: number; actions: number },
): Promise<Search> {
  const { theme, toward } = findingOf(name);
  return await search(market, {
    actions,
    seed,
    theme: THEMES.find((t) => t === theme),
    toward,
    finding: name,
    stop: () => true,
  });
}

/** Which of the named acts no world has carried out yet. */
const unmetOf = (memory: Memory, names: readonly string[]): string[] =>
  names.filter((name) => ![...memory].some(([key, { done }]) => done > 0 && key.startsWith(`${name}(`)));

/**
 * Searches on for acts that chance has left out, each in worlds of its theme that are led to it, and adds what they met to `memory`. Returns the names
 * that even these worlds did not carry out, and what they found. Rejects as `search` does.
 */
export async function searchUnmet(
  market: Market,
  { memory, names, seed, actions }: { memory: Memory; names: readonly string[]; seed: number; actions: number },
): Promise<{ unmet: string[]; found: Played[] }> {
  const found: Played[] = [];
  for (const name of unmetOf(memory, names)) {
    const theme = THEMES.find((t) => t === byName.get(name)?.theme);
    const more = await search(market, { actions, seed, theme, toward: { acts: [name] }, stop: () => true });
    found.push(...more.found);
    remember(memory, more.memory);
  }
  return { unmet: unmetOf(memory, names), found };
}
