/** The exportable lists, each with its declaration, its call and the function that also serves the page. */
import type { z } from 'zod';
import { staffOrderList } from '#subjects/orders/contract/staff-orders.ts';
import { staffServiceList } from '#subjects/services/contract/staff-services.ts';
import { staffTopupList } from '#subjects/payments/contract/staff-topups.ts';
import { adminQueryUserList } from '#subjects/accounts/contract/staff-user-search.ts';
import { staffClaimList } from '#subjects/guarantees/contract/staff-claims.ts';
import { staffDisputeList } from '#subjects/disputes/contract/staff-disputes.ts';
import { staffGoodsList } from '#subjects/goods/contract/staff-listings.ts';
import { auditList } from '#subjects/back-office/contract/audit.ts';
import { staffHoldList } from '#subjects/ledger/contract/staff-ledger.ts';
import { staffWithdrawList, transferList } from '#subjects/payments/contract/staff-money.ts';
import { settlementList } from '#subjects/promotions/contract/staff-campaigns.ts';
import type { Endpoint, HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { AnyList, Column } from '#contract/lists/kit.ts';
import type { ListName } from '#contract/lists/names.ts';
import { auditRows } from '#subjects/back-office/contract/list-audit.ts';
import { claimList } from '#subjects/guarantees/contract/list-claims.ts';
import { disputeList } from '#subjects/disputes/contract/list-cases.ts';
import { goodsList } from '#subjects/goods/contract/list-goods.ts';
import { settlementRows, transferRows } from '#subjects/ledger/contract/list-ledger.ts';
import { holdList } from '#subjects/ledger/contract/list-holds.ts';
import { withdrawalList } from '#subjects/payments/contract/list-money.ts';
import { orderList } from '#subjects/orders/contract/list-orders.ts';
import { serviceList } from '#subjects/services/contract/list-services.ts';
import { topupList } from '#subjects/payments/contract/list-topups.ts';
import { userList } from '#subjects/accounts/contract/list-users.ts';
import type { StaffRead } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Batch } from '#server/staff/list-kit.ts';
import { listAudit } from '../audit/audit.ts';
import { listHolds } from '../money/holds.ts';
import { listTopups, listTransfers, listWithdrawals } from '#subjects/payments/server/service.ts';
import { listSettlements } from '#subjects/promotions/server/service.ts';
import { listUsers } from '#subjects/accounts/server/service.ts';
import { listClaims } from '../trade/claims.ts';
import { listDisputes } from '#subjects/disputes/server/service.ts';
import { listGoods } from '#subjects/goods/server/service.ts';
import { listOrders } from '../trade/order-list.ts';
import { listServices } from '#subjects/services/server/service.ts';

/** The cells of one row, in the order of the chosen columns. */
export type Cells = readonly (string | number | null)[];

export interface Source {
  title: string;
  columns: readonly Pick<Column<never>, 'key' | 'name' | 'kind'>[];
  /** Counts the rows of a query, as the page does. Throws BAD_INPUT, FORBIDDEN. */
  count(call: StaffRead, query: Query): Promise<{ total: number; totalCapped: boolean }>;
  /** The keys of the first rows of a query. Throws BAD_INPUT, FORBIDDEN. */
  keys(call: StaffRead, query: Query, size: number): Promise<{ keys: string[]; isAll: boolean }>;
  /** The rows after a cursor. */
  read(
    call: StaffRead,
    query: Query,
    keys: readonly string[],
    batch: ReadFrom,
  ): Promise<{ rows: Cells[]; next: string | null }>;
}

export type Query = Readonly<Record<string, string>>;
interface ReadFrom extends Batch {
  cursor: string | undefined;
}

/** The fields of a query that determine the start of a page; an export starts at the top. */
const PAGING = new Set(['pages', 'pageSize', 'cursor', 'newerThan']);

function source<
  Item,
  E extends Endpoint<
    z.ZodType,
    z.ZodType<{ list: Item[]; next: string | null; total: number; totalCapped?: boolean | undefined }>
  >,
>(
  spec: AnyList<Item>,
  endpoint: E,
  read: (call: StaffRead, input: Parsed<E>, batch?: Batch) => Promise<HandlerResult<E>>,
): Source {
  const parsed = (query: Query, more: object): Parsed<E> => {
    const filters = Object.fromEntries(Object.entries(query).filter(([key]) => !PAGING.has(key)));
    const input = endpoint.input.safeParse({ ...filters, ...more });
    if (!input.success) throw new AppError('BAD_INPUT', { text: input.error.issues[0]?.message ?? '筛选条件有误' });
    return input.data as Parsed<E>;
  };
  return {
    title: spec.title,
    columns: spec.columns,
    async count(call, query) {
      const { total, totalCapped } = endpoint.data.parse(await read(call, parsed(query, { pageSize: 1 })));
      return { total, totalCapped: totalCapped === true };
    },
    async keys(call, query, size) {
      const { list, next } = endpoint.data.parse(await read(call, parsed(query, {}), { size }));
      return { keys: list.map(spec.idOf), isAll: next === null };
    },
    async read(call, query, keys, { cursor, size }) {
      const result = await read(call, parsed(query, { cursor }), { size });
      const { list, next } = endpoint.data.parse(result);
      const columns = keys.flatMap((key) => spec.columns.find((column) => column.key === key) ?? []);
      return { rows: list.map((item) => columns.map(({ cell }) => cell(item))), next };
    },
  };
}

/** Every list with an export, by its name. */
export const SOURCES: Readonly<Record<ListName, Source>> = {
  orders: source(orderList, staffOrderList, listOrders),
  withdrawals: source(withdrawalList, staffWithdrawList, listWithdrawals),
  users: source(userList, adminQueryUserList, listUsers),
  audit: source(auditRows, auditList, listAudit),
  holds: source(holdList, staffHoldList, listHolds),
  goods: source(goodsList, staffGoodsList, listGoods),
  services: source(serviceList, staffServiceList, listServices),
  topups: source(topupList, staffTopupList, listTopups),
  disputes: source(disputeList, staffDisputeList, listDisputes),
  claims: source(claimList, staffClaimList, listClaims),
  transfers: source(transferRows, transferList, listTransfers),
  settlements: source(settlementRows, settlementList, listSettlements),
};
