import type { matchQuickCoin } from '#subjects/quick-coin/contract/quick-coin-match.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { coinText } from '../rules/coin.ts';
import { feeOf } from '#contract/rules/fee.ts';
import type { Call } from '#server/access/call.ts';
import { catalogue, showsGame } from '#subjects/games/server/service.ts';
import { type Match, type MatchPart, isBetter, matchInOneShop, matchOffers } from './match.ts';
import { matchableOffers, type OfferRow } from './queries.ts';
import { offerView, shopView } from './view.ts';

type Result = HandlerResult<typeof matchQuickCoin>;

/**
 * Offers that one character can receive: those of each server and camp, together with the ones that serve the whole area or all camps.
 */
function receivable(offers: readonly OfferRow[]): OfferRow[][] {
  const keys = new Map(offers.map((o) => [`${o.serverId}|${o.camp}`, o] as const));
  return [...keys.values()].map(({ serverId, camp }) =>
    offers.filter((o) => (o.serverId ?? serverId) === serverId && (o.camp ?? camp) === camp),
  );
}

/** How to buy an amount of coin from several shops. Nothing is reserved: each part is a separate order. */
export async function matchCoin(call: Call, input: Parsed<typeof matchQuickCoin>): Promise<Result> {
  const { ctx, dist } = call;
  const { units: wanted, gameId, areaId, quickCoinType: coinType } = input;
  if (!showsGame(dist, gameId)) return { match: null, oneShop: null };
  const [all, offers] = await Promise.all([
    catalogue(ctx),
    matchableOffers(ctx.db, {
      games: dist.games,
      gameId,
      areaId,
      coinType,
      serverId: input.serverId,
      delivery: input.delivery,
      askerId: call.caller.user?.id ?? null,
    }),
  ]);
  const groups = receivable(offers);
  const found = groups
    .flatMap((g) => matchOffers(g, wanted) ?? [])
    .reduce<Match<OfferRow> | null>((a, b) => (isBetter(b, a, wanted) ? b : a), null);
  const single = matchInOneShop(offers, wanted);
  const { buyerBp } = ctx.dir.setting('fees');
  const allInFen = ({ priceFen }: MatchPart<OfferRow>): number => priceFen + feeOf(priceFen, buyerBp);
  const part = (p: MatchPart<OfferRow>): Result['oneShop'] & {} => {
    const { quickCoinSn, unit, ratioText, unitPriceText, shipMinutes, delivery } = offerView(p.offer, all);
    const amountText = coinText(p.units, unit);
    const shop = shopView(p.offer);
    return {
      quickCoinSn,
      num: p.lots,
      units: p.units,
      amountText,
      ratioText,
      unitPriceText,
      shipMinutes,
      delivery,
      allInPrice: allInFen(p),
      shop,
    };
  };
  const [first] = found?.parts ?? [];
  const [alone] = single?.parts ?? [];
  if (!found || !first) return { match: null, oneShop: null };
  const { unit } = first.offer;
  const missing = Math.max(0, wanted - found.units);
  const named = found.parts.map(({ offer }) => offer);
  return {
    match: {
      parts: found.parts.map(part),
      amountText: coinText(found.units, unit),
      allInPrice: found.parts.reduce((sum, p) => sum + allInFen(p), 0),
      serverName: named.find(({ serverId }) => serverId !== null)?.serverName ?? '',
      camp: named.find(({ camp }) => camp !== null)?.camp ?? '',
      missing,
      missingText: missing > 0 ? coinText(missing, unit) : '',
      extraText: found.units > wanted ? coinText(found.units - wanted, unit) : '',
    },
    oneShop: alone ? part(alone) : null,
  };
}
