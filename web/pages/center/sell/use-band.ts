import { useEffect, useState } from 'react';
import { getGoodsUpperConf } from '#contract/goods.ts';
import { call } from '#web/lib/api.ts';
import { currentDetails, type SellForm, type Typed } from './form-state.ts';

const DEBOUNCE_MS = 700;

/** Price range of sales comparable to the entered listing; it follows the attributes, and a failure leaves the last range visible. */
export function useBand(form: SellForm, details: Typed['details']): SellForm['band'] {
  const [band, setBand] = useState(form.band);
  const filled = JSON.stringify(currentDetails(form.fields, details));
  const { gameId, goodsTypeId } = form;
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      call(
        getGoodsUpperConf,
        { gameId, goodsTypeId, details: filled },
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
  }, [filled, gameId, goodsTypeId]);
  return band;
}
