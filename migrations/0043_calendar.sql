-- Which days a shop's parcels are not delivered on, besides public holidays: { weekend, closed_days, open_days }.
-- Empty: Saturdays and Sundays.
alter table shop_settings add column calendar jsonb not null default '{}';
