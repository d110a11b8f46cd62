-- How far the proof may go is written by the function of the owner alone (docs/decisions/441): a number of a transaction that never was would hold it up.
revoke update on books_progress from youshi_app;
grant update (account, breaches) on books_progress to youshi_app;
