-- The author of a request for a second person may take it back, to write another (docs/decisions/321).
alter table approval drop constraint approval_status_check;
alter table approval add constraint approval_status_check check (status in ('waiting', 'allowed', 'refused', 'expired', 'withdrawn'));
-- Decisions on deposits are the case's and no more the order's: those that wait name an order, and their case may be over.
update approval set status = 'expired', decided_at = now() where act = 'boosting.deposits' and status = 'waiting';

-- Who read a recycled account first. The readings alone do not say it: a game may have no field that is read (docs/decisions/321).
alter table recycle_request add column read_by bigint references staff;
grant update (read_by) on recycle_request to youshi_app;
update recycle_request r set read_by = (select min(x.staff_id) from recycle_reading x where x.request_id = r.id) where r.status = 'accepted';
