-- Trigger of orders: the terms of an order are immutable (YS901) and only legal transitions are allowed (YS902).
CREATE OR REPLACE FUNCTION public.order_terms_frozen()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.sn, new.dist_id, new.type_id, new.goods_id, new.buyer_id, new.seller_id, new.goods_num, new.unit_price_fen, new.goods_fen, new.service_fee_fen,
      new.ensure_fen, new.fix_ensure_fen, new.discount_fen, new.total_fen, new.commission_fen, new.dist_share_fen, new.invite_reward_fen)
     is distinct from
     (old.sn, old.dist_id, old.type_id, old.goods_id, old.buyer_id, old.seller_id, old.goods_num, old.unit_price_fen, old.goods_fen, old.service_fee_fen,
      old.ensure_fen, old.fix_ensure_fen, old.discount_fen, old.total_fen, old.commission_fen, old.dist_share_fen, old.invite_reward_fen)
  then raise exception 'the terms of an order are immutable' using errcode = 'YS901'; end if;
  if old.status <> new.status and not exists (select from order_transition t where t.from_status = old.status and t.to_status = new.status)
  then raise exception 'order transition from % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  return new;
end $function$;
