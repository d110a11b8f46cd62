-- The decision that a claim's draft proposes is stored as `action` (it was `act`), so that a draft pending at the upgrade can be approved.
update approval set payload = (payload - 'act') || jsonb_build_object('action', payload->'act')
 where payload ? 'act' and not payload ? 'action';
