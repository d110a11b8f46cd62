import { openDatabase } from '../../../server/db/client.ts';
import { openLog } from '../../../server/log.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';

/**
 * Proves the books of a restored market at a database's address, and prints them with the number of orders and of what the quarantine holds
 * back. @throws Error in Chinese that names the rules that do not hold
 */
export async function proveRestored(url: string, print: (text: string) => void): Promise<void> {
  const { db, pool } = openDatabase({ url, max: 1, log: openLog('silent') });
  try {
    // The books of a large market take longer than a request may.
    await pool.query('set statement_timeout = 0');
    const { rows } = await pool.query<{ timers: number; events: number; orders: number }>(
      `select (select count(*)::int from timer where due_at <= now()) as timers, (select count(*)::int from outbox) as events,
        (select count(*)::int from orders) as orders`,
    );
    const [held] = rows;
    print(`订单 ${held?.orders} 笔；被隔离：到期的定时任务 ${held?.timers} 个，事件 ${held?.events} 个`);
    const broken = await brokenInvariants(db);
    if (broken.length > 0) throw new Error(`账目不平：\n${broken.join('\n')}`);
    print('账目全部相符');
  } finally {
    await db.destroy();
  }
}
