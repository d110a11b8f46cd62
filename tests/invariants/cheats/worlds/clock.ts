/**
 * Time for only one world: hours go by for its people and what is theirs, while the clock of the database does not move for the other
 * worlds. Every moment in every row that hangs on the world's people moves into the past by the same span. Which rows those are is read
 * from the foreign keys, so a table that is added later takes part by itself.
 */
import type pg from 'pg';

/** Books and records that may not be rewritten, and what does not depend on a trade's clocks. */
const STILL =
  /^(ledger_|audit_|session$|step_up$|sms_code$|idempotency$|limit_counter$|chat_|service_(?!order|milestone|cancel)|notice|staff|setting|app_user$|books_|dist_|alert|want|recycle(?!_request)|quick_|picture|valuation|verify_|wechat|third_|push_|cooperation|consent|known_|league|lottery|role_|import_|goods_(view|follow|draft|reference)|time_sale|inspection(?!_task)|provider|black_|fake_|event_case|news|order_(process|review|contact)|user_browser|user_network|real_name|payment$|official_|legal_|partner_|bargain_rule)/;

interface Moving {
  table: string;
  columns: string[];
  /** SQL that finds the world's rows; $users is replaced by its people. */
  where: string;
}

const PARENTS = ['orders', 'goods', 'dispute', 'guarantee_cover', 'guarantee_claim', 'hold', 'deposit_release'];
/** The table that the ref of a timer refers to, by the first part of its kind. */
const TIMERS: readonly (readonly [prefix: string, table: string])[] = [
  ['dispute', 'dispute'],
  ['guarantee', 'guarantee_claim'],
  ['deposit', 'deposit_release'],
  ['bargain', 'bargain'],
  ['middleman', 'middleman_deal'],
  ['withdraw', 'withdrawal'],
  ['recycle', 'recycle_request'],
  ['boost', 'boost_request'],
  ['inspection', 'inspection_task'],
];

/** The wheels of a market's time. */
export class Clockwork {
  readonly #moving: Moving[];
  readonly #orders: string;
  readonly #db: pg.Client;
  readonly #ids = new Map<string, string>();

  private constructor(db: pg.Client, moving: Moving[], orders: string) {
    this.#db = db;
    this.#moving = moving;
    this.#orders = orders;
    for (const [prefix, table] of TIMERS) {
      const found = moving.find((m) => m.table === table);
      if (found) this.#ids.set(prefix, `select id::text from ${table} where ${found.where}`);
    }
  }

  /** Reads the tables of a database. */
  static async of(db: pg.Client): Promise<Clockwork> {
    const { rows: columns } = await db.query<{ table: string; columns: string[] }>(`
      select c.relname::text as table, array_agg(a.attname::text) as columns from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.atttypid = 'timestamptz'::regtype and not a.attisdropped
        and a.attgenerated = '' group by 1 order by 1`);
    const { rows: keys } = await db.query<{ table: string; column: string; target: string }>(`
      select t.relname::text as table, a.attname::text as column, f.relname::text as target from pg_constraint k
        join pg_class t on t.oid = k.conrelid join pg_class f on f.oid = k.confrelid
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.conkey[1]
      where k.contype = 'f' and t.relnamespace = 'public'::regnamespace order by 1, 2`);
    const own = new Map<string, string>();
    const of = (table: string, target: string): string[] =>
      keys.filter((k) => k.table === table && k.target === target).map((k) => k.column);
    for (const { table } of columns) {
      const people = of(table, 'app_user').filter((c) => c !== 'inviter_id');
      if (people.length > 0) own.set(table, people.map((c) => `${c} = any($users)`).join(' or '));
    }
    // Cases of the platform as a buyer have no opener among the world's people.
    own.set('dispute', `order_id in (select id from orders where ${own.get('orders') ?? 'false'})`);
    for (const parent of PARENTS)
      for (const { table } of columns) {
        const [column] = of(table, parent);
        const where = own.get(parent);
        if (!own.has(table) && column !== undefined && where !== undefined)
          own.set(table, `${column} in (select id from ${parent} where ${where})`);
      }
    // Their keys lead to the world's people by way of another table.
    const orders = `order_id in (select id from orders where ${own.get('orders') ?? 'false'})`;
    for (const table of ['service_milestone', 'service_cancel']) own.set(table, orders);
    own.set('inspection_task', `goods_id in (select id from goods where ${own.get('goods') ?? 'false'})`);
    const moving = columns
      .filter(({ table }) => own.has(table) && !STILL.test(table))
      .map(({ table, columns: names }) => ({ table, columns: names, where: own.get(table) ?? 'false' }));
    return new Clockwork(db, moving, `select id::text from orders where ${own.get('orders') ?? 'false'}`);
  }

  /** Everything is one statement, so that a jump costs one way to the database. */
  #shift(users: readonly number[], seconds: number): string {
    const back = `make_interval(secs => ${seconds})`;
    const filled = (text: string): string => text.replaceAll('$users', `'{${users.join(',')}}'::bigint[]`);
    const tables = this.#moving.map(
      ({ table, columns, where }) =>
        `update ${table} set ${columns.map((c) => `${c} = ${c} - ${back}`).join(', ')} where ${filled(where)};`,
    );
    const others = [...this.#ids].map(
      ([prefix, ids]) =>
        `update timer set due_at = due_at - ${back} where kind like '${prefix}.%' and ref in (${filled(ids)});`,
    );
    const rest = [...this.#ids.keys()].map((prefix) => `kind not like '${prefix}.%'`).join(' and ');
    const orders = `update timer set due_at = due_at - ${back} where ${rest} and kind ~ '^(order|hold|share|credential|sealed|service)'
      and ref in (${filled(this.#orders)});`;
    return `do $jump$ begin ${[...tables, ...others, orders].join('\n')} end $jump$`;
  }

  async stop(): Promise<void> {
    await this.#db.end();
  }

  /** Lets so many seconds go by for some people. Runs nothing. */
  async pass(users: readonly number[], seconds: number): Promise<void> {
    await this.#db.query(this.#shift(users, seconds));
  }
}
