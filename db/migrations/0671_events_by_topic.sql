-- no-transaction
-- Every lane asks ten times a second for the first event of its topics; without an index it read the events of all other lanes.
create index concurrently if not exists outbox_topic on outbox (topic, id);
