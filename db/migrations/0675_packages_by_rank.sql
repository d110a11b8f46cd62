-- A package of boosting may name the ranks that it leads from and to, by the options of its game's field, so that packages can be compared.
alter table service_package
  add column rank_from smallint,
  add column rank_to smallint,
  add constraint service_package_route check ((rank_from is null) = (rank_to is null) and (rank_from is null or (type_id = 60 and rank_from <> rank_to))) not valid;
