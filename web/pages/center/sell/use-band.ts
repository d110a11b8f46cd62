import { useEffect, useState } from 'react';
import { getGoodsUpperConf } from '#contract/goods.ts';
import { call } from '#web/lib/api.ts';
import { knownDetails, type SellForm, type Typed } from './form-state.ts';

const ASK_AFTER_MS = 700;

/** What goods such as the one being typed sold for; it follows the attributes, and a failure leaves what is shown. */
export function useBand(form: SellForm, details: Typed['details']): SellForm['band'] {
  const [band, setBand] = useState(form.band);
  const filled = JSON.stringify(knownDetails(form.fields, details));
  const { gameId, goodsTypeId } = form;
  useEffect(() => {
    const asking = new AbortController();
    const timer = setTimeout(() => {
      call(getGoodsUpperConf, { gameId, goodsTypeId, details: filled }, { quiet: true, signal: asking.signal }).then(
        (found) => setBand(found.band),
        () => undefined,
      );
    }, ASK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [filled, gameId, goodsTypeId]);
  return band;
}
