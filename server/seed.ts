import { fork } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import type { Config } from './config/config.ts';
import { isFilled, SEED_STATE_KEY, type SeedState } from './demo/state.ts';
import { ROOT } from './root.ts';

async function seedState(databaseUrl: string): Promise<SeedState | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ value: SeedState }>(
      'select value from setting where key = $1 order by version desc limit 1',
      [SEED_STATE_KEY],
    );
    return rows[0]?.value;
  } finally {
    await client.end();
  }
}

/**
 * Fills an empty database with the demo market: brands, staff, people, goods, a history of trades, and orders in every state for the
 * demo logins. Does nothing when that was done before. `config.seedGoods` says how many goods; `databaseUrl` owns the tables.
 * @throws Error when the process that fills it fails; the output contains its message
 */
export async function demoSeed(options: {
  config: Pick<Config, 'secret' | 'previousSecrets' | 'seedGoods'>;
  databaseUrl: string;
  print: (text: string) => void;
}): Promise<void> {
  const { config, databaseUrl, print } = options;
  if (isFilled(await seedState(databaseUrl), config.seedGoods)) return;
  const started = Date.now();
  const child = fork(join(ROOT, 'db/seed/fill.ts'), [], { execArgv: [] });
  child.on('message', (text) => print(typeof text === 'string' ? text : JSON.stringify(text)));
  const [secret, ...previous] = [config.secret, ...config.previousSecrets].map((one) => one.toString('base64'));
  child.send({ databaseUrl, secret, previous, goods: config.seedGoods });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error('演示数据没有写完，原因见上；再次启动会接着写');
  print(`演示数据就绪（${((Date.now() - started) / 1000).toFixed(1)} 秒）`);
}
