-- The second factor that an address of the first start offers is random; addresses that are open are printed anew by the next start.
delete from setup_token;
alter table setup_token add column totp_secret_enc bytea not null;
