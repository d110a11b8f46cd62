-- Valuations: one model for each game, fitted at night from completed sales (decision 272), and how the models did month by month.
-- The model is one document, so that what is read is what was fitted. (filters nothing: the platform's own)
alter table valuation drop constraint valuation_game_id_model_version_fkey;
alter table valuation_model
  drop constraint valuation_model_pkey,
  drop column low_bp,
  drop column high_bp,
  drop column status,
  drop column created_by,
  add primary key (game_id);
comment on column valuation_model.error_bp is 'half of the sales were priced within this distance of the model, in basis points';

-- What somebody asked for and was told. Without a model there is no price, and the request is kept all the same: its form goes on to
-- publishing and recycling. dist_id records where it was asked.
alter table valuation
  alter column model_version drop not null,
  alter column low_fen drop not null,
  alter column typical_fen drop not null,
  alter column high_fen drop not null,
  drop column lines,
  drop constraint valuation_check,
  add column area_id int references game_area,
  add constraint valuation_band check (
    (typical_fen is null and low_fen is null and high_fen is null and model_version is null)
    or (low_fen <= typical_fen and typical_fen <= high_fen and model_version is not null));
create index valuation_game on valuation (game_id, id desc);
create index valuation_age on valuation (created_at);
grant delete on valuation to youshi_app;

-- Of each month's sales, how many lay in the 80 % band of a model that knew only what was sold before the month; and how far the model
-- and plain quartiles missed (pinball loss). Public. (filters nothing: the platform's own)
create table valuation_month (
  game_id int not null references game,
  month date not null check (extract(day from month) = 1),
  sales int not null check (sales > 0),
  hits int not null check (hits between 0 and sales),
  loss_fen bigint not null check (loss_fen >= 0),
  plain_loss_fen bigint not null check (plain_loss_fen >= 0),
  made_at timestamptz not null default now(),
  primary key (game_id, month)
);
grant select, insert, update on valuation_month to youshi_app;

-- What the platform pays at once for an account is the typical price less these (decision 273). The day limit of recyclers stays.
insert into setting (key, version, value)
  select key, version + 1, value || '{"handlingBp": 800, "recoveryBp": 500, "capitalBpPerDay": 20, "errorBp": 2500, "floorMaxFen": 500000,
    "budgetFen": 20000000, "bidSeconds": 600, "bindSeconds": 86400, "handOverSeconds": 7200, "inspectSeconds": 14400, "answerSeconds": 86400}'
  from setting where key = 'recycling' order by version desc limit 1;
grant delete on valuation_model to youshi_app;
