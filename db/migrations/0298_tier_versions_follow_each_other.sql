-- The version that counts is the newest one that has begun, so several versions of a code may say that they are on offer.
drop index guarantee_tier_offered;
