-- A trial market (TRIAL=1) is marked in its database: only a trial starts on it, so play money never becomes real.
alter table setup_state add column trial_since timestamptz;
comment on column setup_state.trial_since is 'First start with TRIAL=1; null in a real market. A market without TRIAL=1 does not start on a marked database.';
