alter table refund validate constraint refund_cause_check;
