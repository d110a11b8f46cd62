/** The fields of an offer used for matching. */
export interface MatchOffer {
  sellerId: number;
  lotUnits: number;
  lotPriceFen: number;
  stock: number;
  minLots: number;
  maxLots: number;
  shipMinutes: number;
}

/** Lots of one offer within a match. */
export interface MatchPart<T extends MatchOffer> {
  offer: T;
  lots: number;
  units: number;
  priceFen: number;
}

export interface Match<T extends MatchOffer> {
  parts: MatchPart<T>[];
  units: number;
  priceFen: number;
}

/** The maximum number of shops per purchase: each needs its own order, payment and delivery. */
export const MATCH_SHOPS = 4;
/** Number of offers considered: the cheapest per unit, and those with the largest stock. */
const CHEAPEST = 12;

const unitPrice = (o: MatchOffer): number => o.lotPriceFen / o.lotUnits;
const mostLots = (o: MatchOffer): number => Math.min(o.maxLots, o.stock);
const mostUnits = (o: MatchOffer): number => mostLots(o) * o.lotUnits;

function partOf<T extends MatchOffer>(offer: T, lots: number): MatchPart<T> {
  return { offer, lots, units: lots * offer.lotUnits, priceFen: lots * offer.lotPriceFen };
}

function joined<T extends MatchOffer>(parts: readonly MatchPart<T>[]): Match<T> {
  return {
    parts: [...parts],
    units: parts.reduce((sum, p) => sum + p.units, 0),
    priceFen: parts.reduce((sum, p) => sum + p.priceFen, 0),
  };
}

/** Whether `a` is the better match: more of the wanted units, then cheaper, then fewer shops. */
export function isBetter<T extends MatchOffer>(a: Match<T>, b: Match<T> | null, wanted: number): boolean {
  if (!b) return true;
  const [coverA, coverB] = [Math.min(a.units, wanted), Math.min(b.units, wanted)];
  if (coverA !== coverB) return coverA > coverB;
  return a.priceFen === b.priceFen ? a.parts.length < b.parts.length : a.priceFen < b.priceFen;
}

/** The number of lots with which an offer alone covers `units`; null when it cannot. */
function coveringLots(offer: MatchOffer, units: number): number | null {
  const lots = Math.max(offer.minLots, Math.ceil(units / offer.lotUnits));
  return lots <= mostLots(offer) ? lots : null;
}

/** The offers of different shops that can sell most; `open` begins with the cheapest. */
function largestOf<T extends MatchOffer>(open: readonly T[]): T[] {
  const sellers = new Map<number, T>();
  for (const o of open) {
    const known = sellers.get(o.sellerId);
    if (!known || mostUnits(o) > mostUnits(known)) sellers.set(o.sellerId, o);
  }
  return [...sellers.values()].toSorted((a, b) => mostUnits(b) - mostUnits(a)).slice(0, MATCH_SHOPS);
}

/** The cheapest way to buy `wanted` units in one shop; null when no shop has them. */
export function matchInOneShop<T extends MatchOffer>(offers: readonly T[], wanted: number): Match<T> | null {
  let best: Match<T> | null = null;
  for (const offer of offers) {
    const lots = coveringLots(offer, wanted);
    if (lots === null) continue;
    const match = joined([partOf(offer, lots)]);
    if (isBetter(match, best, wanted)) best = match;
  }
  return best;
}

/**
 * The cheapest way to buy `wanted` units from at most four shops, one offer a shop, each within its lots and stock. If four shops cannot
 * supply them, the largest available amount. Null without offers. The search tries shops from the cheapest unit price on: each sells its
 * maximum, covers the rest, or is skipped. Whole lots and minimums may make another combination slightly cheaper (match.test.ts: under a
 * tenth).
 */
export function matchOffers<T extends MatchOffer>(offers: readonly T[], wanted: number): Match<T> | null {
  const open = offers
    .filter((o) => mostLots(o) >= o.minLots)
    .toSorted((a, b) => unitPrice(a) - unitPrice(b) || a.shipMinutes - b.shipMinutes);
  const largest = largestOf(open);
  const most = joined(largest.map((o) => partOf(o, mostLots(o))));
  if (most.units < wanted) return largest.length > 0 ? most : null;
  const usable = open.filter((o, i) => i < CHEAPEST || largest.includes(o));
  // A shop outside the candidates may be the only one with the full amount. If the largest ones together have it, the search below finds a match.
  let best: Match<T> | null = matchInOneShop(offers, wanted);
  const keepBetter = (match: Match<T>): void => {
    if (isBetter(match, best, wanted)) best = match;
  };
  const visit = (from: number, parts: readonly MatchPart<T>[]): void => {
    if (parts.length === MATCH_SHOPS) return;
    const so = joined(parts);
    const rest = wanted - so.units;
    for (const [index, next] of usable.entries()) {
      if (index < from || parts.some((p) => p.offer.sellerId === next.sellerId)) continue;
      const known: Match<T> | null = best;
      // No later offer has a lower price by unit.
      if (known && known.units >= wanted && so.priceFen + rest * unitPrice(next) >= known.priceFen) return;
      const lots = coveringLots(next, rest);
      if (lots !== null) keepBetter(joined([...parts, partOf(next, lots)]));
      if (mostUnits(next) < rest) visit(index + 1, [...parts, partOf(next, mostLots(next))]);
    }
  };
  visit(0, []);
  return best;
}
