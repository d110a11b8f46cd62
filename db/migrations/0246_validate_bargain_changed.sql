alter table bargain validate constraint bargain_ended_why_check;
