-- The rules of 0674 and 0675 hold for the rows that were there before.
alter table service_progress validate constraint service_progress_percent;
alter table service_package validate constraint service_package_route;
