-- Whether a provider is open at a time, by the opening hours of the profile (China time). No hours means always open. Called by
-- quick-coin/server/queries.ts.
CREATE OR REPLACE FUNCTION public.provider_open(profile jsonb, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce(jsonb_array_length(profile->'hours'), 0) = 0 or exists (
    select from jsonb_to_recordset(profile->'hours') as h(day int, "fromMinute" int, "toMinute" int),
      (select at at time zone 'Asia/Shanghai' as here) n
    where h.day = extract(isodow from n.here)::int - 1
      and h."fromMinute" <= extract(hour from n.here) * 60 + extract(minute from n.here)
      and h."toMinute" > extract(hour from n.here) * 60 + extract(minute from n.here))
$function$;
