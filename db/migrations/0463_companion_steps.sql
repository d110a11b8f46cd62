-- The legal steps of companion play, once more where no code can pass them by (contract/rules/service.ts has who and what).
create table companion_transition (from_state text not null, to_state text not null, primary key (from_state, to_state));
insert into companion_transition values ('pending', 'waiting'), ('pending', 'ended'), ('waiting', 'working'), ('waiting', 'ended'),
  ('working', 'ending'), ('working', 'checking'), ('working', 'ended'), ('ending', 'checking'), ('ending', 'ended'), ('checking', 'done'),
  ('checking', 'ended');
revoke insert, update, delete on companion_transition from youshi_app;
grant select on companion_transition to youshi_app;

CREATE OR REPLACE FUNCTION public.companion_order_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from companion_transition t where t.from_state = old.state and t.to_state = new.state)
  then raise exception 'companion step % to % does not exist', old.state, new.state using errcode = 'YS902'; end if;
  return new;
end $function$;

create trigger companion_order_steps before update of state on service_order
  for each row when (new.type_id = 61 and old.state is distinct from new.state) execute function companion_order_steps();
