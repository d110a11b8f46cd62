-- Transfers an active cover to the account's new owner and returns the holder number; idempotent per order. Null without a cover,
-- YS401 with an open claim. Called by guarantees/server/covers.ts.
CREATE OR REPLACE FUNCTION public.guarantee_move(p_fingerprint bytea, p_kind text, p_user bigint, p_order bigint)
 RETURNS smallint
 LANGUAGE plpgsql
AS $function$
declare
  c guarantee_cover;
  v_seq smallint;
begin
  select * into c from guarantee_cover where fingerprint = p_fingerprint and kind = p_kind and status in ('active', 'claimed') for update;
  if not found then return null; end if;
  select seq into v_seq from guarantee_holder where cover_id = c.id and order_id = p_order;
  if found then return v_seq; end if;
  if c.status = 'claimed' then raise exception 'the cover has an open claim' using errcode = 'YS401'; end if;
  update guarantee_holder set to_at = now() where cover_id = c.id and to_at is null returning seq into v_seq;
  v_seq := coalesce(v_seq, 0) + 1;
  insert into guarantee_holder (cover_id, seq, user_id, order_id) values (c.id, v_seq, p_user, p_order);
  update guarantee_cover set holder_id = p_user where id = c.id;
  return v_seq;
end $function$;
