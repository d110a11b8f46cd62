-- No release that starts on this schema calls it: orders reserve stock with goods_reserve.
drop function goods_take(bigint, integer, integer);
