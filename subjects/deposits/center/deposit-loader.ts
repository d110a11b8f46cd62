import type { LoaderFunctionArgs } from 'react-router';
import {
  type DepositRole,
  depositRecordList,
  depositRoles,
  getDepositConf,
} from '#subjects/deposits/contract/deposit.ts';
import { payMethodShow } from '#subjects/payments/contract/pay.ts';
import { AuthStatus } from '#contract/rules/statuses.ts';
import { sellerLevel } from '#subjects/seller-levels/contract/seller-level.ts';
import { market } from '#web/lib/pages/context.ts';

/** Rows of one page of the deposit's records. */
export const PAGE = 20;

/** The role whose deposit a URL shows; the seller by default. */
export function depositRole(query: URLSearchParams): DepositRole {
  const wanted = query.get('role');
  return depositRoles.find((role) => role === wanted) ?? 'seller';
}

export async function loader(args: LoaderFunctionArgs) {
  const { call, user } = market(args);
  const role = depositRole(args.url.searchParams);
  const [conf, records, methods, standing] = await Promise.all([
    call(getDepositConf, {}),
    call(depositRecordList, { role, pageSize: PAGE }),
    call(payMethodShow, {}),
    role === 'seller' ? call(sellerLevel, {}) : null,
  ]);
  return {
    role,
    conf,
    records,
    methods,
    standing,
    coin: user?.coin ?? '0.00',
    isVerified: user?.authStatus === AuthStatus.Verified,
    now: new Date().toISOString(),
  };
}

export type DepositData = Awaited<ReturnType<typeof loader>>;
export type RoleDeposit = DepositData['conf']['roles'][number];
/** One level of a role's deposit: its amount and its benefits. */
export type Level = RoleDeposit['levels'][number];
