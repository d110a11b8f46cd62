-- Counts hits of several keys and returns those over the limit. Called by chat_store.
CREATE OR REPLACE FUNCTION public.limit_over(p_keys text[], p_hits integer[], p_max integer, p_seconds integer)
 RETURNS text[]
 LANGUAGE plpgsql
AS $function$
declare
  v_over text[];
begin
  if cardinality(p_keys) = 1 then
    insert into limit_counter as c (key, hits, reset_at) values (p_keys[1], p_hits[1], now() + make_interval(secs => p_seconds))
      on conflict (key) do update set
        hits = case when c.reset_at <= now() then excluded.hits else c.hits + excluded.hits end,
        reset_at = case when c.reset_at <= now() then excluded.reset_at else c.reset_at end
      returning case when c.hits > p_max then array[c.key] end into v_over;
    return v_over;
  end if;
  -- In the order of the keys, so that two batches never wait for each other.
  with hit as (insert into limit_counter as c (key, hits, reset_at)
    select a.key, a.hits, now() + make_interval(secs => p_seconds) from unnest(p_keys, p_hits) as a(key, hits) order by a.key
    on conflict (key) do update set
      hits = case when c.reset_at <= now() then excluded.hits else c.hits + excluded.hits end,
      reset_at = case when c.reset_at <= now() then excluded.reset_at else c.reset_at end
    returning c.key, c.hits)
  select array_agg(h.key) into v_over from hit h where h.hits > p_max;
  return v_over;
end $function$;
