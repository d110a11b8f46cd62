import { expect, test } from 'vitest';
import { migrationProblems } from '../../../scripts/lib/database/migration-gate.ts';
import { effectsOf, statementsOf } from '../../../scripts/lib/database/migration-sql.ts';

const problems = (sql: string, file = 'db/migrations/0900_planted.sql'): string[] => migrationProblems(file, sql);

test.each([
  ['an index in a transaction', 'create index x on orders (seller_id);'],
  ['a unique index in a transaction', 'create unique index if not exists x on public.orders (sn);'],
  ['an index without a name', 'create index on orders (seller_id);'],
  ['a concurrent index in a transaction', 'create index concurrently if not exists x on orders (seller_id);'],
  ['a CHECK that reads the table', 'alter table orders add constraint c check (total_fen > 0);'],
  ['a CHECK behind another action', 'alter table orders add column a int, add constraint c check (a > 0);'],
  ['a foreign key that reads the table', 'alter table orders add foreign key (game_id) references game;'],
  ['a column with a CHECK', 'alter table orders add column a int check (a > 0);'],
  ['a column with a foreign key', 'alter table only orders add column a int references game;'],
  ['a volatile default', 'alter table orders add column token uuid default gen_random_uuid() not null;'],
  ['a generated column', 'alter table orders add column a int generated always as identity;'],
  ['another type', 'alter table orders alter column sn type varchar(40);'],
  ['another type, in full', 'alter table orders alter sn set data type varchar(40);'],
  ['not null', 'alter table orders alter column game_id set not null;'],
  ['a unique constraint', 'alter table orders add constraint u unique (goods_sn);'],
  ['an exclusion', 'alter table orders add constraint e exclude using gist (id with =);'],
  ['a rewrite', 'cluster orders using orders_pkey;'],
  ['a block that alters', 'do $$ begin alter table orders add column a int; end $$;'],
  [
    'a constraint validated under its own lock',
    'alter table orders add constraint c check (total_fen > 0) not valid; alter table orders validate constraint c;',
  ],
  ['two statements outside a transaction', '-- no-transaction\ncreate index concurrently x on orders (sn);\nselect 1;'],
  ['a quoted name', 'alter table "orders" add constraint "c" check (total_fen > 0);'],
  [
    'behind comments and texts',
    "/* a; b */ comment on table orders is 'x; -- y'; -- z;\ncreate index x on orders (sn);",
  ],
])('rejected: %s', (_name, sql) => {
  expect(problems(sql)).toHaveLength(1);
});

test.each([
  ['an index outside a transaction', '-- no-transaction\ncreate index concurrently if not exists x on orders (sn);'],
  ['a CHECK that is not valid yet', 'alter table orders add constraint c check (total_fen > 0) not valid;'],
  ['its validation in another file', 'alter table orders validate constraint c;'],
  ['a nullable column', 'alter table orders add column a int;'],
  ['a constant default', "alter table orders add column a text default 'f(x)' not null;"],
  ['a default of the moment', 'alter table orders add column a timestamptz default now() not null;'],
  ['a unique constraint of a built index', 'alter table orders add constraint u unique using index orders_u;'],
  [
    'a new table with all of it',
    'create table t (id int check (id > 0), g int references game); create index on t (g);',
  ],
  ['a small table', 'alter table setting add constraint c check (version > 0);'],
  ['a trigger', 'create trigger x after insert on orders for each row execute function f();'],
  [
    'a function that mentions it',
    'create function f() returns void language plpgsql as $f$ begin alter table orders add check (true); end $f$;',
  ],
])('allowed: %s', (_name, sql) => {
  expect(problems(sql)).toEqual([]);
});

test('a problem reports file, line and table', () => {
  expect(problems('-- why\n\nselect 1;\ncreate index x on orders (sn);')[0]).toMatch(
    /^db\/migrations\/0900_planted\.sql:4 table orders: /,
  );
});

test('statements are split outside bodies, texts and comments', () => {
  const sql = `create function f() returns void as $b$ begin; end $b$ language plpgsql; -- a; b
    insert into t values ('x;y');`;
  expect(statementsOf(sql).map(({ line }) => line)).toEqual([1, 2]);
  expect(effectsOf({ text: 'alter table a add x numeric(4, 2), drop y', line: 1 })).toHaveLength(2);
});
