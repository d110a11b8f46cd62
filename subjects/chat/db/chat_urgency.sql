-- The sort key of an open group: microseconds of its nearer clock, then groups without a clock, the latest message first.
CREATE OR REPLACE FUNCTION public.chat_urgency(p_reply_by timestamp with time zone, p_step_by timestamp with time zone, p_last_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce((extract(epoch from least(p_reply_by, p_step_by) at time zone 'UTC') * 1000000)::bigint,
    6000000000000000 - (extract(epoch from p_last_at at time zone 'UTC') * 1000000)::bigint)
$function$;
