import { loadMarket } from '#db/seed/load/index.ts';
import type { Config } from './config.ts';
import { deriveKeys } from './kernel/crypto.ts';

/**
 * Fills an empty database with the demo market: brands, staff, users, goods, past trades, and orders in every state for the demo
 * log-ins. Does nothing when it ran before. `config.seedGoods` is the number of goods; `databaseUrl` belongs to the owner of the
 * tables.
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
    print,
  });
  if (loaded) print(`演示数据就绪（${((Date.now() - started) / 1000).toFixed(1)} 秒）`);
}
