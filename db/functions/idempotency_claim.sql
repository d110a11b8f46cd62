-- Claims an idempotency key before a call. Returns the stored result of an earlier call, or null; YS206 if the request differs.
-- Called by server/db/idempotent.ts.
CREATE OR REPLACE FUNCTION public.idempotency_claim(p jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v idempotency;
begin
  insert into idempotency (scope, endpoint, key, request_hash) values (p->>'scope', p->>'endpoint', p->>'key', p->>'hash')
    on conflict do nothing;
  if found then return null; end if;
  select * into v from idempotency where scope = p->>'scope' and endpoint = p->>'endpoint' and key = p->>'key';
  if v.request_hash is distinct from p->>'hash' then raise exception 'idempotency key was used with a different request' using errcode = 'YS206'; end if;
  return v.facts;
end $function$;
