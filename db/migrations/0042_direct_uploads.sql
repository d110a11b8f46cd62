-- Where a direct upload lay before it became this picture: asked again, or twice at once, it is the same picture.
alter table picture add column source_key text;
create unique index picture_source on picture (source_key) where source_key is not null;

-- Direct uploads that nobody claimed are removed every hour where the storage does not do so itself.
insert into timer (kind, ref, due_at) values ('media.sweep', 'temp', now() + interval '1 hour');
