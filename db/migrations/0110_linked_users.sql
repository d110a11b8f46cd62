-- What an order's guards and the searches for linked people rest on (design section 8; docs/decisions/110).

-- When a sealed credential of an order was first opened by anybody, and by its buyer. From the buyer's first opening on a cancel needs the
-- seller's word or a ruling; after any opening the goods come back off sale.
alter table orders
  add column credential_opened_at timestamptz,
  add column buyer_opened_at timestamptz;

-- Networks that somebody has logged in from, as a keyed hash. dist_id: people belong to the platform; neither filters nor records.
create table user_network (
  user_id bigint not null references app_user,
  network_hash bytea not null,                   -- blind index of the IPv4 address or the IPv6 /64
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (user_id, network_hash)
);
create index user_network_shared on user_network (network_hash, user_id);

-- Why two users may be one person or friends: any of browser, payee, network, inviter; empty when nothing is known. A network that more than
-- eight people used in the last 30 days is a public one and links nobody.
create function user_links(p_a bigint, p_b bigint) returns text[] language sql stable as $$
  select array_remove(array[
    case when exists (select from user_browser x join user_browser y on y.browser_hash = x.browser_hash
      where x.user_id = p_a and y.user_id = p_b) then 'browser' end,
    case when exists (select from payout_account x join payout_account y on y.account_hash = x.account_hash
      where x.user_id = p_a and y.user_id = p_b) then 'payee' end,
    case when exists (select from user_network x join user_network y on y.network_hash = x.network_hash
      where x.user_id = p_a and y.user_id = p_b and x.last_at > now() - interval '30 days' and y.last_at > now() - interval '30 days'
        and (select count(*) from user_network n where n.network_hash = x.network_hash and n.last_at > now() - interval '30 days') <= 8)
      then 'network' end,
    case when exists (select from app_user u where (u.id = p_a and u.inviter_id = p_b) or (u.id = p_b and u.inviter_id = p_a)) then 'inviter' end
  ], null)
$$;
