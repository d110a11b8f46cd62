import { useEffect, useState } from 'react';
import { getGoodsUpperConf } from '#subjects/goods/contract/goods.ts';
import { call } from '#web/lib/api/api.ts';
import { currentDetails, type SellForm, type Typed } from './form-state.ts';

const DEBOUNCE_MS = 700;

/** The reference of the entered listing; it follows the region and the attributes, and a failure leaves the last one visible. */
export function useBand(form: SellForm, { details, areaId }: Pick<Typed, 'details' | 'areaId'>): SellForm['band'] {
  const [band, setBand] = useState(form.band);
  const filled = JSON.stringify(currentDetails(form.fields, details));
  const { gameId, goodsTypeId } = form;
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      call(
        getGoodsUpperConf,
        { gameId, goodsTypeId, details: filled, ...(areaId !== '' && { areaId }) },
        { quiet: true, signal: controller.signal },
      ).then(
        (result) => setBand(result.band),
        () => undefined,
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [filled, areaId, gameId, goodsTypeId]);
  return band;
}
