-- Trigger of orders (recycling): requires the inspection before shipping (YS208), closes the request of an ended order and counts
-- the recycler's completed orders.
CREATE OR REPLACE FUNCTION public.recycle_request_follows_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.status = 2 and exists (select from recycle_request r where r.order_id = new.id and r.status <> 'paid') then
    raise exception 'the recycled account is not inspected yet' using errcode = 'YS208';
  end if;
  if new.status in (7, 8, 9) then
    update recycle_request set status = 'closed', due_at = null, updated_at = now() where order_id = new.id and status in ('accepted', 'reconfirm');
  elsif new.status = 3 then
    update recycler r set won_count = r.won_count + 1, lowered_count = r.lowered_count + case when q.cut_fen > 0 then 1 else 0 end
      from recycle_request q where q.order_id = new.id and r.user_id = new.buyer_id;
  end if;
  return new;
end $function$;
