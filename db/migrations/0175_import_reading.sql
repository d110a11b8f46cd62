-- What the seller has to know about how a file was read, and the cells of each row that may not say what their author wrote, by column.
alter table listing_import add column notes jsonb not null default '[]';
alter table listing_import_row add column marks jsonb not null default '{}';
