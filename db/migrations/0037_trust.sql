-- What a person's question is answered with beside yes or no, and how to ask who reported a false customer service.
alter table official_number add column duty text not null default '';
alter table fake_service_report
  add column contact_enc bytea,                  -- how the reporter can be asked; for staff only
  add column note text,
  add column handled_at timestamptz,
  add check ((status = 'reviewing') = (handled_at is null));
create index fake_service_report_value on fake_service_report (value_hash, created_at desc);
