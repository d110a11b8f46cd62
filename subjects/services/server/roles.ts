import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { boosterApply, updateBooster } from '#subjects/services/contract/booster.ts';
import type { packageChanges } from '#subjects/providers/contract/provider.ts';
import { serviceLabels } from '../rules/service.ts';
import type { z } from 'zod';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { countedDeposit } from '#subjects/deposits/server/service.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import {
  changeProvider,
  type ProviderForm,
  loadProvider,
  type ProviderRow,
  providerStatusName,
  recordOf,
} from '#subjects/providers/server/service.ts';
import { packageView, savePackages, serviceGames, withdrawPackages } from './packages.ts';
import { loadOpenOrders, loadPackages } from './queries.ts';
import { kindOf } from './terms.ts';

type Applied = HandlerResult<typeof boosterApply>;

/** The result of an application or a change. */
export async function loadApplied({ ctx, user }: UserCall, row: ProviderRow): Promise<Applied> {
  const [all, deposit] = await Promise.all([catalogue(ctx), countedDeposit(ctx.db, user.id, row.kind)]);
  return {
    status: row.status,
    statusName: providerStatusName(row.status),
    deposit: recordOf(row, all, deposit).deposit,
  };
}

/** How many orders a provider may have open at a time: set by the deposit level; no limit without a deposit. */
export async function maxOpenOrders(db: Trx, userId: number, typeId: number): Promise<number> {
  const { reached } = await countedDeposit(db, userId, kindOf(typeId));
  return reached?.limits.openOrders ?? 0;
}

/**
 * The caller's record in a role of services with its packages, and the games in which it can be offered; `row` is
 * undefined before applying.
 */
export async function ownRecord({ ctx, user }: UserCall, typeId: number) {
  const [row, all] = await Promise.all([loadProvider(ctx.db, user.id, kindOf(typeId)), catalogue(ctx)]);
  const games = serviceGames(all, typeId);
  if (!row) return { row: undefined, all, serviceGames: games };
  const [deposit, packages, openOrders] = await Promise.all([
    countedDeposit(ctx.db, user.id, row.kind),
    loadPackages(ctx.db, row.id),
    loadOpenOrders(ctx.db, row.id),
  ]);
  const record = {
    ...recordOf(row, all, deposit),
    packages: packages.map((one) => packageView(one, all)),
    openOrders,
    maxOpenOrders: deposit.reached?.limits.openOrders ?? 0,
  };
  return { row, record, all, serviceGames: games };
}

/** Rejects leaving while the provider has orders in progress; otherwise takes the provider's packages off sale. */
function mayLeave(ctx: Context, typeId: number) {
  return async (trx: Trx, row: ProviderRow): Promise<void> => {
    if ((await loadOpenOrders(trx, row.id, true)) > 0)
      throw new AppError('COIN_OPEN_ORDERS', {
        text: `还有进行中的${serviceLabels(typeId).service}订单，完成后才能退出`,
      });
    await withdrawPackages(ctx, trx, row);
  };
}

/**
 * Changes the caller's record in a role of services, and its packages, in one call. Throws PROVIDER_REQUIRED,
 * PROVIDER_STATE, SHOP_DEPOSIT, COIN_OPEN_ORDERS, BAD_INPUT.
 */
export async function changeRole(
  call: UserCall,
  typeId: number,
  change: {
    form: ProviderForm & { act: 'save' | 'leave' | 'rejoin' };
    profile: Record<string, unknown>;
    packages: z.output<typeof packageChanges> | undefined;
  },
): Promise<HandlerResult<typeof updateBooster>> {
  const { ctx } = call;
  const { form, profile, packages } = change;
  const row = await changeProvider(
    call,
    kindOf(typeId),
    form,
    profile,
    mayLeave(ctx, typeId),
    async (trx, provider) => {
      if (packages !== undefined && form.act === 'save') await savePackages(call, trx, provider, typeId, packages);
    },
  );
  const all = await catalogue(ctx);
  return {
    ...(await loadApplied(call, row)),
    packages: (await loadPackages(ctx.db, row.id)).map((one) => packageView(one, all)),
  };
}

/** Why the provider cannot be ordered now, apart from the listing itself: resting, or busy; null when available. */
export async function busyReason(db: Trx, provider: ProviderRow, typeId: number): Promise<string | null> {
  const who = serviceLabels(typeId).provider;
  if (!provider.online) return `${who}休息中，暂不接单`;
  const [open, most] = await Promise.all([loadOpenOrders(db, provider.id), maxOpenOrders(db, provider.userId, typeId)]);
  if (open < most) return null;
  return typeId === COMPANION_PLAY && most > 0 ? '正在陪玩中，请稍后再来' : `${who}接单已满，请稍后再来`;
}
