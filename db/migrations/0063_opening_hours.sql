-- Whether a shop's own hours (provider.profile, hours: day 0 is Monday, minutes of the day in China) hold at a moment; without hours always.
-- The shelf asks it beside presence, so that a shop which sleeps is not shown as there. The browser's rule is contract/rules/opening-hours.ts.
create function provider_open(profile jsonb, at timestamptz) returns boolean language sql stable parallel safe as $$
  select coalesce(jsonb_array_length(profile->'hours'), 0) = 0 or exists (
    select from jsonb_to_recordset(profile->'hours') as h(day int, "fromMinute" int, "toMinute" int),
      (select at at time zone 'Asia/Shanghai' as here) n
    where h.day = extract(isodow from n.here)::int - 1
      and h."fromMinute" <= extract(hour from n.here) * 60 + extract(minute from n.here)
      and h."toMinute" > extract(hour from n.here) * 60 + extract(minute from n.here))
$$;
