import { useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { codes } from '#contract/codes.ts';
import { placeQuickCoinOrder } from '#contract/quick-coin.ts';
import { call, newIdempotencyKey } from '#web/lib/api.ts';
import { type Errors, errorsBy } from '#web/parts/coin/form-values.ts';
import { asFailure, isError } from '#web/lib/call-errors.ts';
import { intentDone, intentKey, isOutcomeOpen } from '#web/lib/intent-key.ts';

export interface CoinOrderRequest {
  quickCoinSn: string;
  version: number;
  num: number;
  delivery: number;
  roleName: string;
  roleLevel: string;
  auctionItem: string;
  meetPlace: string;
  /** 0 = none. */
  couponId: number;
}

const LABELS = { num: '份数', roleName: '角色名', roleLevel: '等级', auctionItem: '拍卖物品', meetPlace: '见面地点' };

/** Places the order; the idempotency key is saved before the request, so a retry never creates a second one. */
export function useCoinOrder() {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Errors>({});

  const placeCoinOrder = async (input: CoinOrderRequest) => {
    const { roleLevel, auctionItem, meetPlace, couponId, ...rest } = input;
    const body = {
      ...rest,
      ...(roleLevel && { roleLevel }),
      ...(couponId > 0 && { couponId }),
      ...(input.delivery === 2 && { auctionItem }),
      ...(input.delivery === 3 && meetPlace && { meetPlace }),
    };
    const intent = `coin:${input.quickCoinSn}`;
    setBusy(true);
    setErrors({});
    try {
      const { orderSn } = await call(placeQuickCoinOrder, body, {
        idempotencyKey: intentKey(intent, body, newIdempotencyKey),
        quiet: true,
      });
      intentDone(intent);
      await navigate(`/goods/${input.quickCoinSn}/pay?orderSn=${orderSn}`, { replace: true });
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (!isOutcomeOpen(failure)) intentDone(intent);
      setErrors(errorsBy(thrown, LABELS));
      // Price or stock has changed: the page must show the new values before the next attempt.
      if (isError(failure, codes.GOODS_CHANGED, codes.GOODS_STOCK, codes.COUPON_UNUSABLE)) await revalidate();
    } finally {
      setBusy(false);
    }
  };
  return { busy, errors, setErrors, place: placeCoinOrder };
}
