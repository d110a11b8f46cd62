-- What the reader of an imported file has to tell: the sheet that was read, rows that were left out. The file itself is stored in the form that is
-- imported, so only this says how the uploaded one was understood.
alter table import_job add column notes jsonb not null default '[]';
