-- Takes an account listing off sale until its seller confirms a new password. False if it was not on sale. Called by order_step.
CREATE OR REPLACE FUNCTION public.goods_password_due(p_goods bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  update goods set status = 3, password_due_at = now() where id = p_goods and status = 2 and type_id in (1, 8, 50);
  return found;
end $function$;
