import * as c from '#subjects/seller-levels/contract/seller-level.ts';
import { holdText, saleHold } from '#subjects/deposits/server/service.ts';
import type { Binding } from '#server/binding.ts';
import { NIGHTLY, nightlyPart, recount, recountOfOrder } from './service.ts';
import { loadStanding } from './view.ts';

/** Calls of seller levels, and the events after which a level is recomputed. */
export function bindSellerLevels({ ctx, server, effects }: Binding): void {
  server.serve(c.sellerLevel, loadStanding);
  server.serve(c.saleHold, async ({ user }) => {
    const hold = await saleHold(ctx, ctx.db, user.id);
    return { ...hold, earlyMax: hold.openFen, text: holdText(hold) };
  });
  effects.on('hold.released', async (_ctx, { userId }) => void (await recount(ctx, userId)));
  for (const topic of ['dispute.closed', 'order.sellerCancelled'] as const)
    effects.on(topic, (_ctx, { orderId }) => recountOfOrder(ctx, orderId));
  effects.every(NIGHTLY, (_ctx, after) => nightlyPart(ctx, Number(after)));
}
