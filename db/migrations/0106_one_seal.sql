-- What one side has put under seal for a step is there once: of several the newest stays, and the others are erased.
update sealed_credential c set body_enc = null, erased_at = now()
where c.erased_at is null and exists (select from sealed_credential n
  where n.order_id = c.order_id and n.step = c.step and n.from_user = c.from_user and n.erased_at is null and n.id > c.id);

create unique index sealed_credential_live on sealed_credential (order_id, step, from_user) where erased_at is null;
