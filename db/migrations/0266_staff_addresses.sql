-- Where a one-time address goes when mail is on.
alter table staff add column email text;
-- Signing a colleague out everywhere also forgets the browsers.
grant delete on staff_browser to youshi_app;

-- A used address keeps its row and drops the secret that it offered.
alter table staff_invite drop constraint staff_invite_check1;
alter table staff_invite add constraint staff_invite_secret check (used_at is not null or sets_factor = (totp_secret_enc is not null));
