-- The pairs of neighbouring characters of a name, lower case; of a name of one character, that one. An index of them finds a part of a
-- Chinese name, of which an index of trigrams has nothing to look up when the part has two characters.
create function name_parts(p_name text) returns text[] language sql immutable parallel safe strict as $$
  select coalesce(array_agg(distinct substr(lower(p_name), i, 2)), '{}') from generate_series(1, greatest(length(p_name) - 1, 1)) i
$$;
