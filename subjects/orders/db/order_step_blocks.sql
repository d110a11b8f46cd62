-- Whether an open step keeps the seller's money in escrow: one of the seller or of staff, and one in which a buyer who binds the account has not read
-- the seller's code yet.
CREATE OR REPLACE FUNCTION public.order_step_blocks(p_order bigint, p_step smallint, p_actor text, p_exchange text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select p_actor <> 'buyer' or (p_exchange is not null
    and not exists (select from order_exchange e where e.order_id = p_order and e.step = p_step and e.code_opened_at is not null))
$function$;
