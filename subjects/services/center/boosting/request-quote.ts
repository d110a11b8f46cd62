import { useEffect, useState } from 'react';
import { boostQuote, boostRoutes } from '#subjects/services/contract/boosting.ts';
import type { Data } from '#contract/endpoint.ts';
import { isPrice } from '#contract/rules/amounts.ts';
import { isRoute } from '../../rules/rank-ladder.ts';
import { call } from '#web/lib/api/api.ts';
import { fenOf } from '#web/lib/format/format.ts';
import type { Guide } from '../../web/parts/service/guide-text.tsx';
import type { GameChoices } from './request-scope.tsx';

export type Quote = Data<typeof boostQuote>;

/** The quote for an entered price, after a pause in typing; `again` requests a new one. */
export function useQuote(price: string): { quote: Quote | null; again: () => void } {
  const [quote, setQuote] = useState<{ price: string; quote: Quote } | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!isPrice(price) || fenOf(price) < 100) return undefined;
    const later = setTimeout(() => {
      call(boostQuote, { price }, { quiet: true }).then(
        (found) => setQuote({ price, quote: found }),
        () => setQuote(null),
      );
    }, 300);
    return () => clearTimeout(later);
  }, [price, round]);
  return { quote: quote?.price === price ? quote.quote : null, again: () => setRound((n) => n + 1) };
}

/** The usual price of the chosen route; null until both ranks are chosen, and when unknown. */
export function useGuide(choices: GameChoices | null, from: string, to: string): Guide | null {
  const [found, setFound] = useState<{ key: string; guide: Guide | null } | null>(null);
  const valueOf = (label: string) => choices?.ranks.find((rank) => rank.label === label)?.value;
  const route = { gameId: choices?.gameId ?? 0, from: valueOf(from), to: valueOf(to) };
  const key = JSON.stringify(route);
  const isWhole = isRoute(choices?.ranks ?? [], { from: route.from ?? -1, to: route.to ?? -1 });
  useEffect(() => {
    if (!isWhole) return undefined;
    let isCurrent = true;
    call(boostRoutes, JSON.parse(key) as { gameId: number }, { quiet: true }).then(
      ({ guide }) => isCurrent && setFound({ key, guide }),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [key, isWhole]);
  return found?.key === key ? found.guide : null;
}
