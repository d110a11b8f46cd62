-- Creates the holds of a sale and its early stages within the seller's remaining limit. Called by order_step.
CREATE OR REPLACE FUNCTION public.sale_hold(p_ref text, p_seller bigint, p_holds jsonb, p_stages jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_hold bigint;
  v_room bigint;
  v_fen bigint;
  v_seq smallint := 0;
  v_part jsonb;
begin
  insert into hold (user_id, amount_fen, code, reason, ref, release_at)
    select h."userId", h.fen, h.code, h.reason, p_ref, now() + make_interval(secs => h.seconds)
    from jsonb_to_recordset(p_holds) as h("userId" bigint, fen bigint, code text, reason text, seconds int) returning id into v_hold;
  if jsonb_array_length(p_stages->'parts') > 0 then
    -- Counting the sale has locked the seller's row, so two concurrent completions see the same remaining amount.
    v_room := (p_stages->>'roomFen')::bigint - coalesce((
      select sum(s.amount_fen) from hold x join hold_stage s on s.hold_id = x.id where x.user_id = p_seller and x.released_at is null), 0);
    for v_part in select * from jsonb_array_elements(p_stages->'parts') loop
      v_fen := least((v_part->>'fen')::bigint, v_room);
      exit when v_fen <= 0;
      v_seq := v_seq + 1;
      v_room := v_room - v_fen;
      insert into hold_stage (hold_id, seq, amount_fen, before_end) values (v_hold, v_seq, v_fen, (v_part->>'beforeEnd')::int);
    end loop;
  end if;
end $function$;
