-- Writes an event to the outbox. Called by order_step, order_place, goods_settle, debt_record and debt_collect.
CREATE OR REPLACE FUNCTION public.effect_emit(p_topic text, p_payload jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into outbox (topic, payload) values (p_topic, p_payload);
end $function$;
