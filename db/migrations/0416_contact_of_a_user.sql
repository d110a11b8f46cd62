-- How customer service reaches a user besides the phone (changeUserUsualInfo, contact): encrypted, shown to its owner masked.
alter table app_user
  add column contact_enc bytea,
  add column contact_mask text not null default '' check (length(contact_mask) <= 40),
  add constraint app_user_contact check ((contact_enc is null) = (contact_mask = ''));
