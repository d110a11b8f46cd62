-- Accounts that were closed before 0581 take along what they had imported.
delete from listing_import l using app_user u where u.id = l.user_id and u.closed_at is not null;
update import_row r set cells = null from import_job j join app_user u on u.id = j.seller_id
where j.id = r.job_id and u.closed_at is not null and r.cells is not null;
