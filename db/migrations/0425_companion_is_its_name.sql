-- The clocks of companion play and the rule about its states are named after companions.
update setting set key = 'companion' where key = 'company';
alter table service_order rename constraint service_order_company to service_order_companion;
