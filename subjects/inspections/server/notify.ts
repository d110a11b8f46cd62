import type { Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';

/** Notifies a listing's seller of its inspection. */
export async function notifySeller(
  trx: Trx,
  task: { id: number; sellerId: number },
  what: string,
  text: string,
): Promise<void> {
  const ref = `inspection:${task.id}:${what}`;
  await emit(trx, 'notice', { kind: 'inspection.seller', userId: task.sellerId, ref, values: { what, text } });
}

/** Notifies the buyer who requested a re-inspection or claimed on a reading; `ref` is its subject. */
export async function notifyBuyer(
  trx: Trx,
  about: { ref: string; buyerId: number | null },
  what: string,
  text: string,
): Promise<void> {
  if (about.buyerId === null) return;
  await emit(trx, 'notice', {
    kind: 'inspection.buyer',
    userId: about.buyerId,
    ref: `${about.ref}:${what}`,
    values: { what, text },
  });
}
