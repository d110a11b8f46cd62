-- Games that were published before a number and its codes could pass under seal ask for a code in the seller's form at the step that binds a
-- phone or a mailbox, and have no field for the buyer's number. Each of them gets a new version of its hand-over with the exchange in that step,
-- and so does a draft. An explanation that names the form is replaced, any other stays, and so do steps with other fields. Orders keep the steps that they have.
with sources as (
  (select distinct on (game_id) 'version' as source, game_id, version, body->'accounts' as accounts from catalogue_version
    where kind = 'handover' order by game_id, version desc)
  union all
  select 'draft', game_id, null, doc #> '{handover,accounts}' from game_draft
), changed as (
  select o.source, o.game_id, o.version, o.accounts as before, (
    select jsonb_agg(case
      when s->>'key' in ('phone', 'mail') and not s ? 'exchange' and coalesce((s->>'secret')::boolean, false)
        and s #>> '{fields,0,key}' = 'code' and jsonb_array_length(s->'fields') = 1
      then (s - 'secret' - 'fields') || jsonb_build_object('exchange', s->>'key', 'minutes', greatest((s->>'minutes')::int, 30),
        'actor', case when s->>'explain' like '短信保护%密封表单%' then 'buyer' else s->>'actor' end,
        'explain', case
          when s->>'explain' not like '%密封表单%' then s->>'explain'
          when s->>'explain' like '短信保护%' then '买家登录战网把短信保护改为自己的号码；旧手机的验证码由卖家在这里封存，不用离开网站'
          when s->>'key' = 'phone' then '卖家把绑定的手机改为买家的号码；号码和验证码都在这里封存，不用离开网站'
          else '卖家把绑定的邮箱改为买家的邮箱；邮箱和验证码都在这里封存，不用离开网站' end)
      else s end order by i)
    from jsonb_array_elements(case when jsonb_typeof(o.accounts) = 'array' then o.accounts else '[]' end) with ordinality as t(s, i)) as accounts
  from sources o
), versions as (
  insert into catalogue_version (game_id, kind, version, body)
  select c.game_id, 'handover', c.version + 1, jsonb_set(v.body, '{accounts}', c.accounts)
  from changed c join catalogue_version v on v.game_id = c.game_id and v.kind = 'handover' and v.version = c.version
  where c.source = 'version' and c.accounts is distinct from c.before and c.accounts is not null
)
update game_draft d set rev = d.rev + 1, doc = jsonb_set(d.doc, '{handover,accounts}', c.accounts)
from changed c
where c.source = 'draft' and c.game_id = d.game_id and c.accounts is distinct from c.before and c.accounts is not null;
