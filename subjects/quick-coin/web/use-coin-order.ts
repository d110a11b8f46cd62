import { useNavigate, useRevalidator } from 'react-router';
import { codes } from '#contract/codes.ts';
import { placeQuickCoinOrder } from '#subjects/quick-coin/contract/quick-coin.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { isError } from '#web/lib/api/call-errors.ts';

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

/** Places the order once: the idempotency key is stored before sending, so clicking again never creates a second order. */
export function useCoinOrder() {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const { form, busy, errors, setErrors, send } = useMutation(placeQuickCoinOrder, {
    fields: ['num', 'roleName', 'roleLevel', 'auctionItem', 'meetPlace'],
    intent: ({ quickCoinSn }) => `coin:${quickCoinSn}`,
    failed: async (failure) => {
      // Price or stock has changed: update the page before the next click.
      if (isError(failure, codes.GOODS_CHANGED, codes.GOODS_STOCK, codes.COUPON_UNUSABLE)) await revalidate();
    },
    done: async ({ orderSn }, { quickCoinSn }) => {
      await navigate(`/goods/${quickCoinSn}/pay?orderSn=${orderSn}`, { replace: true });
    },
  });
  const placeOrder = async (input: CoinOrderRequest) => {
    const { roleLevel, auctionItem, meetPlace, couponId, ...rest } = input;
    await send({
      ...rest,
      ...(roleLevel && { roleLevel }),
      ...(couponId > 0 && { couponId }),
      ...(input.delivery === 2 && { auctionItem }),
      ...(input.delivery === 3 && meetPlace && { meetPlace }),
    });
  };
  return { form, busy, errors, setErrors, place: placeOrder };
}
