-- Whether an order can be reviewed: it is completed, or minutes of its companion play were paid, those after a free trial. Called by orders,
-- services, reviews and review_exclusion.
CREATE OR REPLACE FUNCTION public.order_may_be_rated(p_order bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select o.status = 3 or (o.status = 9 and exists (select from service_order s where s.order_id = o.id and s.type_id = 61 and s.state = 'ended'
      and s.played_minutes > coalesce((s.form->>'trialMinutes')::int, 0)))
  from orders o where o.id = p_order
$function$;
