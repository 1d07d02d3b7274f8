-- Each running process, as it says of itself. A row that was not renewed for a minute is of a process that has died.
create table service_nodes (
  id uuid primary key,
  host text not null,
  pid int not null,
  role text not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);

alter table job_runs
  -- The time between two runs, as the node that ran it last has it.
  add column every_ms bigint,
  add column finished_at timestamptz,
  -- When it failed last, and the class of the error; null: never.
  add column failed_at timestamptz,
  add column failure text;
