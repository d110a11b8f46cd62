import { sql } from 'kysely';
import type { Idem } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { orderSn } from '#server/kernel/ids.ts';

/** An order that was placed, as the plan's facts tell it. */
export interface Placed {
  orderId: number;
  orderSn: string;
  status: number;
  totalFen: number;
  createTime: string;
}

const NUMBER_TRIES = 5;

/** Runs `work` under a new order number; two orders of one second that drew the same digits do not see it. */
export async function withUniqueOrderSn<T>(work: (sn: string) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(orderSn(new Date()));
    } catch (error) {
      const { constraint } = error as { constraint?: unknown };
      if (constraint !== 'orders_sn_key' || attempt === NUMBER_TRIES) throw error;
    }
  }
}

/** What stands under an asker's key: facts are null while its first run is still under way. */
export interface EarlierRun<T> {
  requestHash: string;
  facts: T | null;
}

/** The facts that a retry is answered with; undefined when the work is still to be done. Throws IDEMPOTENCY_MISMATCH. */
export function factsOf<T>(run: EarlierRun<T> | undefined, idem: Idem): T | undefined {
  if (run && run.requestHash !== idem.hash) throw new AppError('IDEMPOTENCY_MISMATCH');
  return run?.facts ?? undefined;
}

/** The facts of an earlier run under the same key, so that a retry is answered before any rule is looked at again. */
export async function earlierResult<T>(ctx: Context, idem: Idem): Promise<T | undefined> {
  const { rows } = await sql<EarlierRun<T>>`
    select request_hash as "requestHash", facts from idempotency where scope = ${idem.scope} and endpoint = ${idem.endpoint} and key = ${idem.key}`.execute(
    ctx.db,
  );
  return factsOf(rows[0], idem);
}
