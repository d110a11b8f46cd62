/** Checks whether the server can rely on a transaction pooler (PgBouncer). */
import pg from 'pg';

/** Settings that must be set on the log-in itself, since such a pooler accepts no options; the values that direct connections use. */
const LOGIN_SETTINGS = {
  statement_timeout: '15s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '10s',
  jit: 'off',
} as const;

const UNLIMITED = new Set(['0', '0s', '0ms']);
/** SQLSTATE: the name is taken, or unknown, on the connection assigned by the pooler. */
const NAME_FAULTS = new Set(['42P05', '26000', '08P01']);

async function opened(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Settings that the log-in of a pooled connection lacks, as `alter role` would set them; empty when it has its limits. */
async function missingSettings(client: pg.Client): Promise<string[]> {
  const names = Object.keys(LOGIN_SETTINGS) as (keyof typeof LOGIN_SETTINGS)[];
  const { rows } = await client.query<{ name: keyof typeof LOGIN_SETTINGS; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) as n (name)',
    [names],
  );
  return rows
    .filter(({ name, value }) => (name === 'jit' ? value === 'on' : UNLIMITED.has(value)))
    .map(({ name }) => `set ${name} = '${LOGIN_SETTINGS[name]}'`);
}

/** Whether two sessions can use one name for different statements, alternating. */
async function keepsNames(first: pg.Client, second: pg.Client): Promise<boolean> {
  const name = 'youshi_probe';
  try {
    for (let turn = 0; turn < 3; turn++)
      for (const [i, client] of [first, second].entries()) {
        const { rows } = await client.query<{ n: number }>({ name, text: `select ${i + 1}::int as n` });
        if (rows[0]?.n !== i + 1) return false;
      }
    return true;
  } catch (error) {
    if (NAME_FAULTS.has((error as { code?: string }).code ?? '')) return false;
    throw error;
  }
}

/**
 * Problems of a pooled connection, as Chinese sentences; empty if the server may rely on it. With `isNaming`, named statements are
 * tested as well. Throws errors of the connection.
 */
export async function pooledProblems(url: string, isNaming: boolean): Promise<string[]> {
  const clients = [await opened(url)];
  try {
    const [first] = clients;
    if (!first) return [];
    const missing = await missingSettings(first);
    const { rows } = await first.query<{ login: string }>('select session_user::text as login');
    const problems = missing.map(
      (setting) => `经过连接池的登录没有时限：请用所有者运行 alter role ${rows[0]?.login ?? ''} ${setting}`,
    );
    if (!isNaming) return problems;
    const second = await opened(url);
    clients.push(second);
    if (!(await keepsNames(first, second)))
      problems.push(
        '连接池不区分各连接的预备语句：请设 DATABASE_NAMED_STATEMENTS=0，或用支持它的 PgBouncer（max_prepared_statements）',
      );
    return problems;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}
