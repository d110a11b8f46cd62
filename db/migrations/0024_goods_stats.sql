-- What sold is counted for the first time when the server starts, and then by itself every hour: price bands and selling times.
insert into timer (kind, ref, due_at) values ('goods.stats', 'all', now()) on conflict do nothing;
comment on column price_stat.segment is 'Empty for the whole goods type, else key:min..max of the number that prices follow best.';
