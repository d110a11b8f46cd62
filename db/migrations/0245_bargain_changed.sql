-- Offers on a listing end when its seller changes what is offered: the agreed price was for the former goods.
alter table bargain drop constraint bargain_ended_why_check;
alter table bargain add constraint bargain_ended_why_check check (ended_why in ('timeout', 'sold', 'removed', 'changed')) not valid;
