-- A shop's description in each language that it was written in, the newest first: [{ "language", "text" }].
alter table shops add column descriptions jsonb not null default '[]';
update shops set descriptions = jsonb_build_array(jsonb_build_object('language', language, 'text', description))
where description is not null;
alter table shops drop column description;

-- The currency of the connected shop system. Where it is unknown, the shop's currency follows its latest orders.
alter table shops add column system_currency text;
