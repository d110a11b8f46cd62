/** An empty market on its own database: a seller, buyers with money and sessions, goods on sale. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { loadConfig } from '#server/config/config.ts';
import { type Context, createContext } from '#server/context.ts';
import { startEmbedded } from '#server/db/embedded.ts';
import { migrate } from '#server/db/migrate.ts';
import { openSession } from '#server/access/session.ts';
import { derivedToken, sha256 } from '#server/kernel/secrets/crypto.ts';
import { createUser, recordPayVerified } from '#subjects/accounts/server/service.ts';
import { account, post } from '#subjects/ledger/server/service.ts';
import { recordRealName } from '#subjects/verification/server/service.ts';
import { idCardFrom17 } from '#tests/support/market/id-card.ts';
import { addGame } from '#tests/support/goods/goods.ts';

const quiet = { info: () => undefined, warn: console.warn, error: console.error };
const MONEY_FEN = 900_000_000;

export interface Buyer {
  id: number;
  /** Headers that the browser of this user sends with each call. */
  headers: Record<string, string>;
}

export interface BenchMarket {
  ctx: Context;
  /** Environment of a server process for this market. */
  env: Record<string, string>;
  sellerId: number;
  buyers: Buyer[];
  addGoods(count: number): Promise<{ id: number; sn: string }[]>;
  close(): Promise<void>;
}

/** More than all buyers. */
const SELLER = 20_999;

async function person(ctx: Context, i: number): Promise<number> {
  const created = await createUser(ctx.db, ctx.keys, { phone: `139${String(i).padStart(8, '0')}`, distId: 1 });
  if (!created) throw new Error('the phone is taken');
  // A thousand people were born on each of these days.
  const day = String(7 + Math.floor(i / 1000)).padStart(2, '0');
  const idNo = idCardFrom17(`110101199003${day}${String(i % 1000).padStart(3, '0')}`);
  await recordRealName(ctx.db, ctx.keys, { userId: created.id, name: '张三', idNo, birthDate: `1990-03-${day}` });
  return created.id;
}

async function buyer(ctx: Context, i: number): Promise<Buyer> {
  const id = await person(ctx, i);
  const sid = await openSession(ctx, { userId: id, distId: 1, kind: 'web', ip: '127.0.0.1', agent: 'bench' });
  // Measured is the payment, not the proof of who pays.
  await recordPayVerified(ctx.db, sha256(sid));
  const csrf = derivedToken(ctx.keys, sid, 'csrf');
  const debit = account.clearing('sandbox', i);
  const credit = account.available(id);
  await post(ctx.db, [{ code: 'topup', ref: `bench:${i}`, debit, credit, fen: MONEY_FEN, dist: 1 }]);
  const headers = {
    host: 'localhost',
    cookie: `sid=${sid}; csrfToken=${csrf}`,
    authorization: derivedToken(ctx.keys, sid, 'hdr'),
    'x-csrf-token': csrf,
    'content-type': 'application/x-www-form-urlencoded',
  };
  return { id, headers };
}

/** Creates the market in its own folder, with durable writes as in production; `settings` are further ones of its server. Must be closed. */
export async function benchMarket(options: {
  buyers: number;
  settings?: Record<string, string>;
}): Promise<BenchMarket> {
  const dataDir = mkdtempSync(join(tmpdir(), 'youshi-bench-'));
  chmodSync(dataDir, 0o711);
  const database = await startEmbedded({ dataDir, log: quiet });
  await migrate({ database: database.ownerUrl, dir: 'db/migrations', log: quiet });
  const env = {
    // Its stand-ins would not start in production.
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET: 'a secret of measurements, long enough to be taken',
    DEMO: '0',
    LOG_LEVEL: 'error',
    IP_LIMIT_FACTOR: '10000',
    OWNER_URL: database.ownerUrl,
    ...options.settings,
  };
  const ctx = await createContext(loadConfig(env), database.url, { log: pino({ level: 'silent' }) });
  // Measured is the work of an order, not the limit of unpaid ones.
  await addGame(ctx);
  const sellerId = await person(ctx, SELLER);
  const buyers: Buyer[] = [];
  for (let i = 0; i < options.buyers; i++) buyers.push(await buyer(ctx, i));
  return {
    ctx,
    env,
    sellerId,
    buyers,
    async addGoods(count) {
      const { rows } = await sql<{ id: number; sn: string }>`
        insert into goods (dist_id, seller_id, game_id, type_id, title, price_fen, stock, status)
        select 1, ${sellerId}, 1, 1, '测试账号 皮肤齐全', 10000, 1, 2 from generate_series(1, ${count}) returning id, sn`.execute(
        ctx.db,
      );
      return rows;
    },
    async close() {
      await ctx.close();
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
