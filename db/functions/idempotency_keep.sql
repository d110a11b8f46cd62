-- Stores the result of a call under its idempotency key, or returns the earlier result; YS206 if the request differs. Called by
-- order_place and order_step.
CREATE OR REPLACE FUNCTION public.idempotency_keep(p jsonb, p_facts jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v idempotency;
begin
  insert into idempotency (scope, endpoint, key, request_hash, facts) values (p->>'scope', p->>'endpoint', p->>'key', p->>'hash', p_facts)
    on conflict do nothing;
  if found then return null; end if;
  select * into v from idempotency where scope = p->>'scope' and endpoint = p->>'endpoint' and key = p->>'key';
  if v.request_hash is distinct from p->>'hash' then raise exception 'idempotency key was used with a different request' using errcode = 'YS206'; end if;
  return v.facts;
end $function$;
