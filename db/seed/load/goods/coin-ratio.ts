import { chinaDay, dayAfter } from '#contract/rules/time/china-time.ts';
import type { GameSeed } from '#db/catalogue/types.ts';
import { mixSeed, random, integer } from '../../generate/random.ts';
import { columns, insertRows } from '../bulk.ts';
import type { Market } from '../market.ts';

const DAYS = 90;

const RATIO_COLUMNS = columns(
  'game_id int, area_id int, coin_type smallint, day date, unit text, low_e4 bigint, typical_e4 bigint, high_e4 bigint, last_deal_e4 bigint, deals int, offers int',
);

/** The part of an offer that the chart needs: how many units a yuan buys, and where. */
interface Priced {
  game: GameSeed & { coinUnit: string };
  area: { id: number };
  lotUnits: number;
  lotPriceFen: number;
}

/** Ninety days that end at the current offers, so that the first day computed by the market continues the line. */
function walk(next: () => number, end: number): number[] {
  const steps = Array.from({ length: DAYS }, () => 1 + (next() - 0.44) * 0.016);
  const last = steps.reduce((level, step) => level * step, 1);
  let level = end / last;
  return steps.map((step) => (level *= step));
}

function rowsOf(market: Market, offers: readonly Priced[]): unknown[][] {
  const [first] = offers;
  if (!first) return [];
  const { game, area } = first;
  const next = random(mixSeed(market.seed, area.id, 63));
  const sorted = offers.map((o) => (o.lotUnits * 100) / o.lotPriceFen).toSorted((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? 1;
  return walk(next, middle).map((level, i) => {
    const typical = Math.max(2, Math.round(level * 10_000));
    const day = dayAfter(chinaDay(market.now), i + 1 - DAYS);
    const sales = integer(next, 0, 14);
    const last = sales > 0 ? Math.round(typical * (0.99 + next() * 0.02)) : null;
    const [low, high] = [Math.round(typical * 0.96), Math.round(typical * 1.03)];
    return [game.id, area.id, 1, day, game.coinUnit, low, typical, high, last, sales, integer(next, 4, 20)];
  });
}

/** Ninety days of every area's ratio: a slow drift with noise; coin becomes cheaper during a season. */
export async function storeRatios(market: Market, offers: readonly Priced[]): Promise<void> {
  const byArea = Map.groupBy(offers, (offer) => offer.area.id);
  const rows = [...byArea.values()].flatMap((list) => rowsOf(market, list));
  await insertRows(market.client, 'coin_ratio_day', RATIO_COLUMNS, rows);
}
