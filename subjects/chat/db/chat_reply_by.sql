-- When an answer is due to a message (subjects/chat/rules/service-levels.ts): only a user's own words have a clock.
CREATE OR REPLACE FUNCTION public.chat_reply_by(p_sender text, p_type text, p_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select case when p_type <> 'card' and p_sender ~ '^[0-9]+$' then p_at + interval '120 seconds' end
$function$;
