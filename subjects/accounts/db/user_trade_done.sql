-- Counts a completed order on seller and buyer. Called by order_step.
CREATE OR REPLACE FUNCTION public.user_trade_done(p_seller bigint, p_buyer bigint, p_fen bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update app_user set sold_count = sold_count + 1 where id = p_seller;
  update app_user set paid_total_fen = paid_total_fen + p_fen where id = p_buyer;
end $function$;
