-- Figures of orders and of listings on sale that are kept as they change, so that no page counts a table (decision 370). A change adds rows to
-- a table of changes, which no one updates, so that no two orders wait for each other; a job folds them into the sums. Whoever reads adds both.

-- What orders count for on a day of China: `day` is the day on which the figure's own moment lies.
create table order_day (
  figure text not null check (figure in ('placed', 'paid', 'bought', 'shipped', 'done', 'escrow', 'disputed')),
  day date not null,
  dist_id int not null references distributor,
  n bigint not null,
  amount bigint not null,                        -- fen; seconds for 'shipped'
  primary key (figure, day, dist_id)
);
create index order_day_escrow on order_day (day) where figure = 'escrow' and n <> 0;
-- Completed orders of a game by goods type.
create table deal_day (
  day date not null,
  game_id int not null references game,
  type_id smallint not null,
  deals bigint not null,
  primary key (day, game_id, type_id)
);
-- Completed orders of a seller by game.
create table seller_day (
  day date not null,
  game_id int not null references game,
  seller_id bigint not null references app_user,
  deals bigint not null,
  primary key (day, game_id, seller_id)
);
create table order_delta (
  id bigint generated always as identity primary key,
  figure text not null,
  day date not null,
  dist_id int not null,
  game_id int,
  type_id smallint not null,
  seller_id bigint not null,
  n int not null,
  amount bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_threshold = -1);
-- Days whose figures were counted anew and compared.
create table order_recount (
  day date primary key,
  counted_at timestamptz not null default now(),
  differences int not null default 0 check (differences >= 0)
);
create view order_figure as
  select figure, day, dist_id, n, amount from order_day
  union all select figure, day, dist_id, n, amount from order_delta;
create view deal_figure as
  select day, game_id, type_id, deals from deal_day
  union all select day, game_id, type_id, n from order_delta where figure = 'done' and game_id is not null;
create view seller_figure as
  select day, game_id, seller_id, deals from seller_day
  union all select day, game_id, seller_id, n from order_delta where figure = 'done' and game_id is not null;

-- Listings on sale by game and goods type.
create table on_sale (
  game_id int not null references game,
  type_id smallint not null,
  n bigint not null,
  primary key (game_id, type_id)
);
create table on_sale_delta (
  id bigint generated always as identity primary key,
  game_id int not null,
  type_id smallint not null,
  n int not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_threshold = -1);
create view on_sale_figure as
  select game_id, type_id, n from on_sale
  union all select game_id, type_id, n from on_sale_delta;

-- Middle prices of a game's goods type by day and week, and its best sellers, as the hourly job left them.
create table trade_stat (
  game_id int not null references game,
  type_id smallint not null,
  trend jsonb not null,                          -- [{day, fen}], oldest first
  week_fen bigint,
  before_fen bigint,
  made_at timestamptz not null default now(),
  primary key (game_id, type_id)
);
create table top_seller (
  game_id int not null references game,
  seller_id bigint not null references app_user,
  deals bigint not null,
  primary key (game_id, seller_id)
);

-- How far a job has come that works through a table in parts.
create table job_mark (
  name text primary key check (name ~ '^[a-z]+(\.[a-zA-Z]+)+$'),
  at timestamptz not null default '-infinity',
  id bigint not null default 0
);

grant select, insert, update on order_day, deal_day, seller_day, order_recount, on_sale, job_mark to youshi_app;
grant select, insert, delete on order_delta, on_sale_delta, top_seller to youshi_app;
grant select, insert, update, delete on trade_stat to youshi_app;
revoke update on order_delta, on_sale_delta, top_seller from youshi_app;
grant select on order_figure, deal_figure, seller_figure, on_sale_figure to youshi_app;
revoke insert, update, delete on order_figure, deal_figure, seller_figure, on_sale_figure from youshi_app;

-- What one order counts for. The trigger takes the difference between after and before, and the recount sums it over all orders.
create function order_figures(o orders) returns table (figure text, day date, n int, amount bigint)
language sql immutable
as $function$
  select f.figure, (f.at at time zone 'Asia/Shanghai')::date, 1, f.amount
  from (values
    ('placed', o.created_at, o.total_fen),
    ('paid', o.paid_at, o.total_fen),
    ('bought', case when o.paid_at is not null then o.created_at end, o.total_fen),
    ('shipped', case when o.paid_at is not null then o.shipped_at end, extract(epoch from o.shipped_at - o.paid_at)::bigint),
    ('done', case when o.status = 3 then o.completed_at end, o.total_fen),
    ('escrow', case when o.status in (1, 2) then coalesce(o.paid_at, o.created_at) end, o.total_fen)
  ) f (figure, at, amount)
  where f.at is not null
$function$;

create function order_counted() returns trigger
language plpgsql
as $function$
begin
  insert into order_delta (figure, day, dist_id, game_id, type_id, seller_id, n, amount)
    select f.figure, f.day, new.dist_id, new.game_id, new.type_id, new.seller_id, sum(f.n), sum(f.amount)
    from (select * from order_figures(new) union all select x.figure, x.day, -x.n, -x.amount from order_figures(old) x) f
    group by f.figure, f.day having sum(f.n) <> 0 or sum(f.amount) <> 0;
  return null;
end $function$;

create function order_dispute_counted(p_order bigint) returns void
language sql
as $function$
  insert into order_delta (figure, day, dist_id, game_id, type_id, seller_id, n, amount)
    select 'disputed', (o.created_at at time zone 'Asia/Shanghai')::date, o.dist_id, o.game_id, o.type_id, o.seller_id, 1, o.total_fen
    from orders o where o.id = p_order
$function$;

create or replace function dispute_marks_order() returns trigger
language plpgsql
as $function$
begin
  perform order_disputed(new.order_id, exists (select from dispute d where d.order_id = new.order_id and d.status <> 'closed'));
  if tg_op = 'INSERT' and not exists (select from dispute d where d.order_id = new.order_id and d.id <> new.id) then
    perform order_dispute_counted(new.order_id);
  end if;
  return null;
end $function$;

create function on_sale_counted() returns trigger
language plpgsql
as $function$
begin
  if tg_op = 'UPDATE' then
    insert into on_sale_delta (game_id, type_id, n) values (old.game_id, old.type_id, -1), (new.game_id, new.type_id, 1);
  else
    insert into on_sale_delta (game_id, type_id, n)
      select r.game_id, r.type_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed r group by r.game_id, r.type_id;
  end if;
  return null;
end $function$;

create trigger orders_counted after insert or update of status, paid_at, shipped_at, completed_at on orders
  for each row execute function order_counted();
create trigger on_sale_added after insert on goods_search referencing new table as changed for each statement execute function on_sale_counted();
create trigger on_sale_removed after delete on goods_search referencing old table as changed for each statement execute function on_sale_counted();
create trigger on_sale_moved after update of game_id, type_id on goods_search for each row
  when (old.game_id is distinct from new.game_id or old.type_id is distinct from new.type_id) execute function on_sale_counted();
