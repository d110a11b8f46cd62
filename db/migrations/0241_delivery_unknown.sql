-- A message whose vendor did not say in time whether it was sent is neither sent nor failed, and is not sent again.
alter table notice_delivery drop constraint notice_delivery_status_check;
alter table notice_delivery add constraint notice_delivery_status_check
  check (status in ('waiting', 'sending', 'sent', 'unknown', 'failed', 'dropped')) not valid;
alter table notice_delivery validate constraint notice_delivery_status_check;
