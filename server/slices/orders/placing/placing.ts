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

/** Runs `work` with a new order number, and again with another one after a collision. */
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

/** The stored run of an idempotency key; `facts` is null while the first run is in progress. */
export interface EarlierRun<T> {
  requestHash: string;
  facts: T | null;
}

/** The stored response for a retry; undefined when there is none yet. Throws IDEMPOTENCY_MISMATCH. */
export function storedResponse<T>(run: EarlierRun<T> | undefined, idem: Idem): T | undefined {
  if (run && run.requestHash !== idem.hash) throw new AppError('IDEMPOTENCY_MISMATCH');
  return run?.facts ?? undefined;
}

/** The facts of an earlier run under the same key, so that a retry is answered before any rule is looked at again. */
export async function earlierResult<T>(ctx: Context, idem: Idem): Promise<T | undefined> {
  const { rows } = await sql<EarlierRun<T>>`
    select request_hash as "requestHash", facts from idempotency where scope = ${idem.scope} and endpoint = ${idem.endpoint} and key = ${idem.key}`.execute(
    ctx.db,
  );
  return storedResponse(rows[0], idem);
}
