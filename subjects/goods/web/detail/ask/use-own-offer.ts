import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { lookBargaGoodsList } from '#subjects/offers/contract/offers.ts';
import { call } from '#web/lib/api/api.ts';
import { whileVisible } from '#web/lib/api/while-visible.ts';
import type { DetailData } from '../loader.ts';

/** Polling interval of the viewer's open offer, in ms; the same as on the page of all offers. */
const READ_MS = 5_000;

/**
 * Reloads the page's data once the seller has accepted, countered or refused the viewer's offer. Until then only the offer is read, while it is
 * open and the page is visible.
 */
export function useOwnOffer({ goods: { goodsSn }, bargain }: DetailData): void {
  const { revalidate } = useRevalidator();
  const isOpen = Boolean(bargain?.mine?.acts.length);
  const shown = JSON.stringify(bargain?.mine);
  useEffect(() => {
    if (!isOpen) return undefined;
    let isCurrent = true;
    const read = async () => {
      // A failed read changes nothing; the next one comes soon.
      const now = await call(lookBargaGoodsList, { goodsSn, pageSize: 1 }, { quiet: true }).catch(() => null);
      if (isCurrent && now && JSON.stringify(now.mine) !== shown) await revalidate();
    };
    const end = whileVisible(() => void read(), READ_MS);
    return () => {
      isCurrent = false;
      end();
    };
  }, [goodsSn, isOpen, shown, revalidate]);
}
