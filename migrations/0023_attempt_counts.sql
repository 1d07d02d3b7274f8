-- Attempts at what could be guessed (log-ins, look-ups), in windows of time that all nodes share. The subject is a digest
-- of the limit and of who tries what. Unlogged: a count lost in a crash costs nothing, and counting waits for no disk.
create unlogged table attempt_counts (
  subject bytea primary key,
  count integer not null,
  ends_at timestamptz not null
);
create index attempt_counts_end on attempt_counts (ends_at);

-- Keys for all shops are part of every shop's list.
create index api_keys_everywhere on api_keys (id) where everywhere is not null;
