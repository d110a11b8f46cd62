-- Who pays for a trade that is undone (docs/decisions/141, 142): the parties' own money and debts; the guarantee fund by two names or by a
-- claim's deadline under the limit; shares only once protection has ended.

-- What lets a debit of the guarantee fund pass: an approval, which names two members of staff, or a claim whose deadline is over.
create table fund_release (
  id bigint generated always as identity primary key,
  code text not null,                            -- with the ref: the posting that it lets pass, once
  ref text not null,
  amount_fen bigint not null check (amount_fen > 0),
  approval_id bigint references approval,
  claim_id bigint references guarantee_claim,
  created_at timestamptz not null default now(),
  unique (code, ref),
  check (num_nonnulls(approval_id, claim_id) = 1)
);
comment on table fund_release is 'Why money may leave the guarantee fund. The fund is the platform''s: no dist_id';
create trigger fund_release_immutable before update or delete or truncate on fund_release for each statement execute function refuse_change();
revoke update, delete, truncate on fund_release from youshi_app;

-- At the end of the transaction the approval is allowed, so it bears two different names (approval_second_person); a deadline is over, on
-- a claim that pays this very sum, at most the limit of one person.
create function fund_release_holds() returns trigger language plpgsql as $$
begin
  if new.approval_id is not null then
    if not exists (select from approval a where a.id = new.approval_id and a.status = 'allowed' and a.decided_by is not null) then
      raise exception 'the guarantee fund pays by two names' using errcode = 'YS105';
    end if;
  elsif not exists (select from guarantee_claim c where c.id = new.claim_id and c.deadline_at <= now() and new.ref = 'claim:' || c.id)
      or new.amount_fen > (select (value->>'secondPersonFen')::bigint from setting where key = 'withdraw' order by version desc limit 1) then
    raise exception 'the guarantee fund pays by a deadline under the limit' using errcode = 'YS105';
  end if;
  return null;
end $$;
create constraint trigger fund_release_holds after insert on fund_release deferrable initially deferred
  for each row execute function fund_release_holds();

-- A premium may go back to who paid it, as far as the order brought it; all else needs its release.
create function fund_debit_guard() returns trigger language plpgsql as $$
begin
  if new.code = 'premium_back' then
    if new.amount_fen > coalesce((select sum(case code when 'guarantee_premium' then amount_fen else -amount_fen end) from ledger_transfer
        where order_id = new.order_id and code in ('guarantee_premium', 'premium_back')), 0) then
      raise exception 'more than the premium of the order' using errcode = 'YS105';
    end if;
  elsif new.code <> 'claim_paid' and not exists (
      select from fund_release r where r.code = new.code and r.ref = new.ref and r.amount_fen = new.amount_fen) then
    raise exception 'the guarantee fund pays by two names or by a deadline' using errcode = 'YS105';
  end if;
  return new;
end $$;
create trigger fund_debit_guard before insert on ledger_transfer for each row
  when (new.debit like 'platform:guarantee\_fund:%') execute function fund_debit_guard();

-- The books ask for a release of what left the fund after this.
insert into setting (key, version, value) select 'fund_release', 1, jsonb_build_object('fromTransfer', coalesce(max(id), 0)) from ledger_transfer;

create index debt_user on debt (debtor_user) where settled_at is null;

-- The approval of a ruling for which the fund may advance what is missing.
alter table dispute_ruling add column approval_id bigint references approval;
-- What of a decision is not moved yet, because it is owed.
alter table dispute add column owed_fen bigint not null default 0 check (owed_fen >= 0);

insert into platform_rule (no, version, title, body, in_force_from) values
  ('6.3', 1, '退款由谁出', '双方协商或平台裁决的退款，依次从本单仍冻结的货款、卖家可用余额、卖家保证金中退回；仍不足的部分记为卖家对买家的欠款，从卖家之后的每一笔收入中自动偿还，买卖双方都能看到进度，还清前卖家不能提现、退保证金或提前放款。协商结案不动用包赔基金；裁决需要包赔基金垫付的，须两名工作人员共同决定，垫付后由卖家偿还基金。', now()),
  ('6.4', 1, '佣金与奖励何时到账', '分销佣金与邀请奖励在交易成功时记为待结算，保护期结束后才可结算或使用；保护期内订单被退款、裁决或理赔的，按同样比例收回。', now()),
  ('7.2', 2, '货款分段放出', '确认收货后，1 级及以上卖家的货款可在保护期内按等级分段提前放出，其余到期放出；同时提前放出的总额以等级额度和卖家已缴保证金两者中较低的为限，没有保证金的不提前放出。买卖双方同设备、同收款账户、同网络或有邀请关系的订单，以及有未还清欠款的卖家，不提前放出。申诉或理赔期间全部停止。退款先从仍冻结的货款退回，不足的从卖家可用余额、保证金退回，仍不足的按规则 6.3 处理；发生不足的卖家 180 天内不再分段放款。买家的保护期和可退金额不受分段影响。', now());
