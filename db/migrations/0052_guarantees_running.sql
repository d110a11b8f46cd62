-- Measured rates of guarantees by game: {"<game>": {"<tier>": {"bp": 860, "reasons": ["…"]}}}. Made by the job guarantee.rates; a game or tier
-- that is absent is sold at the tier's own rate. In the settings, because every price is computed from memory.
insert into setting (key, version, value) values
  ('guarantee_rates', 1, '{}'),
  ('claims', 1, '{"lookSeconds": 7200, "perDay": 5}');

-- A certificate's number is a secret to guess: whoever holds the paper can check it, nobody can list them.
alter table guarantee_claim add column paid_note text;

insert into timer (kind, ref, due_at) values ('guarantee.daily', 'all', now());
