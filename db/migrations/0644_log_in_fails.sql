-- A booster who cannot log in says so with one press (docs/decisions/442).
alter table service_order
  add column login_failed_at timestamptz;      -- when the booster last said that the submitted account does not open
grant update (login_failed_at) on service_order to youshi_app;
