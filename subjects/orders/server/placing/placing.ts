import { orderSn } from '#server/kernel/ids.ts';

/** A placed order, as returned by `order_place`. */
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
