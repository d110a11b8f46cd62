import { loadMarket } from '#db/seed/load/index.ts';
import type { Config } from './config.ts';
import { deriveKeys } from './kernel/crypto.ts';

/**
 * Fills an empty database with the demo market: brands, staff, people, goods, a history of deals, and orders in every state for the
 * demo logins. Does nothing when that was done before. `config.seedGoods` says how many goods; `databaseUrl` owns the tables.
 */
export async function demoSeed(options: {
  config: Pick<Config, 'secret' | 'seedGoods'>;
  databaseUrl: string;
  print: (text: string) => void;
}): Promise<void> {
  const { config, databaseUrl, print } = options;
  const started = Date.now();
  const loaded = await loadMarket({
    databaseUrl,
    keys: deriveKeys(config.secret),
    goods: config.seedGoods,
    say: print,
  });
  if (loaded) print(`演示数据就绪（${((Date.now() - started) / 1000).toFixed(1)} 秒）`);
}
