import { AuthStatus } from '#contract/rules/statuses.ts';
import type { LoaderFunctionArgs } from 'react-router';
import { getScaleConf } from '#subjects/orders/contract/site-figures.ts';
import { withdrawList, withdrawTerms } from '#subjects/payments/contract/pay.ts';
import { userInfo } from '#subjects/accounts/contract/user.ts';
import { market, marketContext } from '#web/lib/pages/context.ts';
import { yuanParts } from '#web/lib/format/format.ts';
import { attempt } from '#web/lib/api/attempt.ts';
import { payeesOf } from './withdraw-rules.ts';

/** Withdrawals on a page of the list. */
export const WITHDRAWALS_PAGE = 10;

/** Balance, payees and rules for the form, and the earlier withdrawals. */
export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const [user, scale, terms, list] = await Promise.all([
    call(userInfo, {}),
    call(getScaleConf, {}),
    call(withdrawTerms, {}),
    attempt(args.context.get(marketContext).call(withdrawList, { pageSize: WITHDRAWALS_PAGE })),
  ]);
  return {
    coin: user.coin,
    frozenCoin: user.frozenCoin,
    isVerified: user.authStatus === AuthStatus.Verified,
    isAdult: user.isAdult,
    realNameMask: user.realNameMask,
    payees: payeesOf(user, terms.ways),
    terms,
    minimum: scale.withdrawMinimum,
    feeText: scale.withdrawFee,
    limitText: `每天最多 ${scale.withdrawDayCount} 次、共 ${yuanParts(scale.withdrawDayMax).join('')} 元`,
    list,
  };
}

export type WithdrawData = Awaited<ReturnType<typeof loader>>;
