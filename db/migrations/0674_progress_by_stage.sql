-- A report of progress says of which stage and how far, so that the order's page can draw the way of the work. What its text says is not
-- changed: the two numbers are read out of it once, past the guard that makes reports immutable.
alter table service_progress
  add column seq smallint,
  add column percent smallint,
  add constraint service_progress_percent check (percent between 1 and 100 and seq between 1 and 50) not valid;
alter table service_progress disable trigger service_progress_immutable;
update service_progress set seq = substring(text from '^第 (\d{1,2}) 段')::smallint, percent = substring(text from '^第 \d{1,2} 段 (\d{1,3})%')::smallint
  where kind = 'progress' and text ~ '^第 ([1-9]|[1-4]\d|50) 段 ([1-9]|[1-9]\d|100)%：';
alter table service_progress enable trigger service_progress_immutable;
