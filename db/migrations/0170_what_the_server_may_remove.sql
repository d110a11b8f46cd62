-- The server works as youshi_app and may remove only what is passing by nature: sessions, codes, timers, drafts, what people follow.
-- Nothing that money, a dispute or a record rests on can be removed with its credentials, whatever statement is slipped in.
-- A table made later can be removed from by nobody until its own migration grants it (tests/http/database-guard.test.ts lists them).
alter default privileges in schema public revoke delete on tables from youshi_app;

do $$
declare
  t record;
  passing constant text[] := array[
    'alert', 'black_external', 'channel_statement_line', 'chat_gateway', 'chat_presence', 'chat_ticket', 'goods_draft', 'goods_follow',
    'goods_search', 'limit_counter', 'notice_quiet', 'outbox', 'price_stat', 'push_subscription', 'reconcile_difference', 'role_card',
    'sell_time_stat', 'service_queue', 'session', 'sms_code', 'staff_shift', 'step_up', 'third_party_binding', 'third_party_ticket', 'timer',
    'verify_query', 'want_match', 'wechat_login', 'wechat_push_ticket'];
begin
  for t in select c.oid::regclass as name, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  loop
    execute format('revoke delete, truncate, references, trigger on %s from youshi_app', t.name);
    if t.relname = any (passing) then execute format('grant delete on %s to youshi_app', t.name); end if;
  end loop;
end $$;

-- A view writes with its owner's rights, past every guard of the tables under it: it is there to be read.
do $$
declare
  v record;
begin
  for v in select c.oid::regclass as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('v', 'm')
  loop
    execute format('revoke insert, update, delete, truncate, references, trigger on %s from youshi_app', v.name);
  end loop;
end $$;

-- What somebody agreed to and what became of a goods is added to and never rewritten.
revoke update on consent, goods_event from youshi_app;

-- A server that does not own the tables still sees whether they are up to date.
grant select on schema_migrations to youshi_app;
revoke insert, update, delete, truncate on schema_migrations from youshi_app;
